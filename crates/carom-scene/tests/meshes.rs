//! Meshes in scenes and robots: which convex pieces they are, what is refused, and a mug that comes to rest.

use carom::hybrid::{Options, Simulation, Stop};
use carom::impact::Newton;
use carom::model::Shape;
use carom_scene::Scene;
use std::fmt::Write;
use std::path::PathBuf;

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-meshes-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn scene(&self, text: &str) -> Result<Scene, String> {
        self.write("scene.toml", text);
        Scene::load(self.0.join("scene.toml")).map_err(|e| e.report())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Prisms as objects of an OBJ file.
#[derive(Default)]
struct Obj {
    text: String,
    points: usize,
    objects: usize,
}

impl Obj {
    /// A prism between two polygons with as many corners, the lower one counter-clockwise as seen from above.
    fn prism(&mut self, low: &[[f64; 3]], high: &[[f64; 3]]) {
        let (n, first) = (low.len(), self.points + 1);
        self.objects += 1;
        writeln!(self.text, "o piece{}", self.objects).unwrap();
        for [x, y, z] in low.iter().chain(high) {
            writeln!(self.text, "v {x} {y} {z}").unwrap();
        }
        let face = |text: &mut String, corners: &[usize]| {
            let words: Vec<String> = corners.iter().map(|c| (first + c).to_string()).collect();
            writeln!(text, "f {}", words.join(" ")).unwrap();
        };
        face(&mut self.text, &(0..n).rev().collect::<Vec<_>>());
        face(&mut self.text, &(n..2 * n).collect::<Vec<_>>());
        for k in 0..n {
            let next = (k + 1) % n;
            face(&mut self.text, &[k, next, n + next, n + k]);
        }
        self.points += 2 * n;
    }

    fn brick(&mut self, low: [f64; 3], high: [f64; 3]) {
        let ring = |z: f64| {
            [[low[0], low[1], z], [high[0], low[1], z], [high[0], high[1], z], [low[0], high[1], z]]
        };
        self.prism(&ring(low[2]), &ring(high[2]));
    }
}

/// A mug of eight staves, a bottom and a handle of three bricks: every piece convex, the whole not.
fn mug() -> Obj {
    let mut obj = Obj::default();
    let (inner, outer, bottom, height) = (0.035, 0.04, 0.006, 0.09);
    let at = |r: f64, k: usize, z: f64| {
        let angle = std::f64::consts::TAU * k as f64 / 8.0;
        [r * angle.cos(), r * angle.sin(), z]
    };
    let ring = |z: f64| -> Vec<[f64; 3]> { (0..8).map(|k| at(outer, k, z)).collect() };
    obj.prism(&ring(0.0), &ring(bottom));
    for k in 0..8 {
        let stave =
            |z: f64| [at(inner, k, z), at(outer, k, z), at(outer, k + 1, z), at(inner, k + 1, z)];
        obj.prism(&stave(bottom), &stave(height));
    }
    obj.brick([0.04, -0.005, 0.065], [0.065, 0.005, 0.075]);
    obj.brick([0.04, -0.005, 0.02], [0.065, 0.005, 0.03]);
    obj.brick([0.065, -0.005, 0.02], [0.075, 0.005, 0.075]);
    obj
}

const MUG: &str = r#"
[body.mug]
mass = 0.35
shape = { mesh = "mug.obj" }
position = [0, 0, 0.06]
rotation = [0.3, 0.2, 0]
[body.floor]
shape = "plane"
[[contact]]
name = "ground"
between = ["mug", "floor"]
restitution = 0.2
friction = 0.5
"#;

#[test]
fn a_mug_comes_to_rest() {
    let folder = Folder::new("mug");
    folder.write("mug.obj", &mug().text);
    let scene = folder.scene(MUG).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scene.model.pairs().len(), 12, "one pair for each piece");
    // The mass lies beside the axis, towards the handle, and the inertia is that of the pieces.
    let body = scene.model.body_ids().next().unwrap();
    let inertia = scene.model.body(body).inertia;
    assert!(inertia.com.x > 1e-3 && inertia.com.y.abs() < 1e-15, "{}", inertia.com);
    let simulation = Simulation::new(&scene.model, scene.initial.clone(), Newton);
    let run =
        simulation.options(Options::default()).run_until(4.0).unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert_eq!(run.state.v.amax(), 0.0, "at rest");
    assert!(run.statistics.impacts > 3);
    assert!(run.ledger.closure().abs() < 1e-8, "{}", run.ledger.closure());
    assert!(run.statistics.worst_gap > -1e-9, "{}", run.statistics.worst_gap);
}

/// A mug in a fixed mug: more than a hundred places that touch hold one body, whose forces have six motions between them. A
/// step of Newton's method that eliminated all rows took minutes here.
#[test]
fn a_mug_wedged_in_its_own_shape_is_held() {
    let folder = Folder::new("two_mugs");
    folder.write("mug.obj", &mug().text);
    let text = "[body.mug]\nshape = { mesh = \"mug.obj\" }\n\
                [body.other]\nmass = 0.35\nshape = { mesh = \"mug.obj\" }\n\
                [[contact]]\nself = \"*\"\nrestitution = 0.3\nfriction = 0.3\n";
    let scene = folder.scene(text).unwrap_or_else(|e| panic!("{e}"));
    let simulation = scene.simulation().unwrap_or_else(|e| panic!("{e}"));
    let run = simulation.run_until(0.1).unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert!(run.events().iter().any(|e| e.contacts.len() > 100), "a crowd");
    assert_eq!(run.state.v.amax(), 0.0, "at rest");
    assert_eq!(run.state.q, scene.initial.q);
}

/// Two equal mugs in one place fall as one: between them nothing accelerates, equation (2) of `delassus`, and what round-off
/// leaves is no load for a hundred contacts to share.
#[test]
fn eq2_bodies_that_fall_together_do_not_press() {
    let folder = Folder::new("falling_mugs");
    folder.write("mug.obj", &mug().text);
    let fall = "mass = 0.35\nshape = { mesh = \"mug.obj\" }\nrotation = [0.3, 0.2, 0]\n";
    let text = format!(
        "[body.mug]\n{fall}[body.other]\n{fall}[[contact]]\nself = \"*\"\nrestitution = 0.3\nfriction = 0.3\n"
    );
    let scene = folder.scene(&text).unwrap_or_else(|e| panic!("{e}"));
    let simulation = scene.simulation().unwrap_or_else(|e| panic!("{e}"));
    let run = simulation.run_until(0.1).unwrap_or_else(|e| panic!("{}", e.0));
    assert!(run.events().iter().any(|e| e.contacts.len() > 100), "a crowd");
    assert!(run.events().iter().all(|e| e.rescue.is_none()), "nothing to carry over");
    let half = run.state.v.len() / 2;
    let apart = (run.state.v.rows(0, half) - run.state.v.rows(half, half)).amax();
    assert!(apart < 1e-14, "{apart}");
}

#[test]
fn a_hull_of_too_many_corners_is_simplified_and_told() {
    let folder = Folder::new("simplified");
    for corners in [300, 3000] {
        // Points of a spiral on a ball; which triangles they make is all the same to its hull.
        let mut text = String::new();
        for k in 0..corners {
            let z = 1.0 - (2 * k + 1) as f64 / corners as f64;
            let (r, turn) = ((1.0 - z * z).sqrt(), 2.399_963 * k as f64);
            writeln!(text, "v {} {} {}", 0.1 * r * turn.cos(), 0.1 * r * turn.sin(), 0.1 * z)
                .unwrap();
        }
        (1..corners - 1).for_each(|k| writeln!(text, "f {k} {} {}", k + 1, k + 2).unwrap());
        folder.write("ball.obj", &text);
        let text = "[body.ball]\nmass = 1\nshape = { mesh = \"ball.obj\", hull = true }\n";
        let scene = folder.scene(text).unwrap_or_else(|e| panic!("{e}"));
        let Shape::Convex { hull, .. } = &scene.model.features()[0].shape else {
            panic!("no hull")
        };
        assert_eq!(hull.corners.len(), corners.min(500));
        // 500 points are a cap of 0.09 rad each; the farthest point first leaves no gap twice as wide.
        assert!(hull.left < 0.1 * (1.0 - 0.18_f64.cos()));
        let words: Vec<String> = scene.warnings.iter().map(ToString::to_string).collect();
        let told =
            words.iter().any(|w| w.contains("the hull of `ball` is made of 500 of its points"));
        assert_eq!(told, corners > 500, "{words:?}");
    }
}

#[test]
fn a_mesh_has_the_inertia_of_its_pieces() {
    // Two bricks that make one box, in two files and by a box.
    let folder = Folder::new("inertia");
    let mut halves = Obj::default();
    halves.brick([0.0; 3], [0.1, 0.2, 0.3]);
    halves.brick([0.1, 0.0, 0.0], [0.2, 0.2, 0.3]);
    folder.write("halves.obj", &halves.text);
    let text = "[body.a]\ndensity = 1000\nshape = { mesh = \"halves.obj\", scale = [2, 1, 1] }\n\
                [body.b]\ndensity = 1000\nshape = { box = [0.4, 0.2, 0.3] }\n";
    let scene = folder.scene(text).unwrap_or_else(|e| panic!("{e}"));
    let both: Vec<_> = scene.model.body_ids().map(|b| scene.model.body(b).inertia).collect();
    assert!((both[0].mass - both[1].mass).abs() < 1e-11);
    assert!((both[0].about_com - both[1].about_com).amax() < 1e-12);
    assert!((both[0].com - nalgebra::Vector3::new(0.2, 0.1, 0.15)).amax() < 1e-14);
    let names: Vec<&str> = scene.model.features().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["a.1", "a.2", "b"]);
}

#[test]
fn what_is_not_convex_is_refused_with_a_remedy() {
    let folder = Folder::new("dent");
    // The same mug as one object: pieces that share points are one.
    let text: String =
        mug().text.lines().filter(|l| !l.starts_with('o')).map(|l| format!("{l}\n")).collect();
    folder.write("mug.obj", &text);
    let report = folder.scene(MUG).unwrap_err();
    for part in ["not convex", "hull = true", "scene.toml", "mug.obj"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let filled = MUG.replace("\"mug.obj\"", "\"mug.obj\", hull = true");
    let scene = folder.scene(&filled).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scene.model.pairs().len(), 1);
    for (change, part) in [
        ("\"missing.obj\"", "missing.obj"),
        ("\"mug.ply\"", "STL, OBJ, DAE or MSH"),
        ("\"mug.dae\"", "no triangle"),
        ("\"flat.obj\"", "lies in a plane"),
        ("\"mug.obj\", scale = 0", "scale"),
    ] {
        folder.write("mug.dae", "<COLLADA/>");
        folder.write("mug.ply", "ply");
        folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        let report = folder.scene(&MUG.replace("\"mug.obj\"", change)).unwrap_err();
        assert!(report.contains(part), "{change}: {report}");
    }
    let report =
        folder.scene("space = \"planar\"\n[body.a]\nmass = 1\nshape = { mesh = \"mug.obj\" }\n");
    assert!(report.unwrap_err().contains("write polygon"));
    let report = folder.scene("[body.a]\nmass = 1\nshape = { sphere = 1, scale = 2 }\n");
    assert!(report.unwrap_err().contains("give a mesh"));
}

const ROBOT: &str = r#"<robot name="r">
<link name="base">
<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><origin xyz="0 0 0.5"/><geometry><mesh filename="package://r_description/meshes/brick.obj" scale="2 1 1"/></geometry></collision>
</link>
</robot>"#;

#[test]
fn collision_meshes_of_a_urdf_are_features() {
    let folder = Folder::new("urdf");
    let mut obj = Obj::default();
    obj.brick([0.0; 3], [0.1, 0.2, 0.3]);
    obj.brick([0.2, 0.0, 0.0], [0.3, 0.2, 0.3]);
    folder.write("r_description/meshes/brick.obj", &obj.text);
    folder.write("r_description/urdf/r.urdf", ROBOT);
    let scene = |words: &str| {
        folder.scene(&format!(
            "[[urdf]]\nfile = \"r_description/urdf/r.urdf\"\nfloating_base = true\n{words}\n"
        ))
    };
    let shapes = |scene: &Scene| -> Vec<usize> {
        let corners = |s: &Shape| match s {
            Shape::Convex { hull, .. } => hull.corners.len(),
            _ => 0,
        };
        scene.model.features().iter().map(|f| corners(&f.shape)).collect()
    };
    let none = scene("").unwrap_or_else(|e| panic!("{e}"));
    assert!(none.model.features().is_empty());
    assert!(none.warnings.iter().any(|w| w.to_string().contains("meshes = \"hull\"")));
    assert_eq!(shapes(&scene("meshes = \"hull\"").unwrap()), [8]);
    let pieces = scene("meshes = \"pieces\"").unwrap();
    assert_eq!(shapes(&pieces), [8, 8]);
    // Scaled, and where its origin is.
    let feature = &pieces.model.features()[0];
    let Shape::Convex { hull, .. } = &feature.shape else { panic!() };
    assert!(hull.corners.iter().any(|c| (c.x - 0.2).abs() < 1e-15));
    assert_eq!(feature.placement.r.z, 0.5);
    std::fs::remove_file(folder.0.join("r_description/meshes/brick.obj")).unwrap();
    let report = scene("meshes = \"hull\"").unwrap_err();
    assert!(report.contains("brick.obj") && report.contains("r.urdf"), "{report}");
}

#[test]
fn meshes_of_mjcf_are_features() {
    let folder = Folder::new("mjcf");
    let mut obj = Obj::default();
    obj.brick([-0.05; 3], [0.05; 3]);
    folder.write("cube.obj", &obj.text);
    folder.write(
        "m.xml",
        r#"<mujoco><asset><mesh name="cube" file="cube.obj" inertia="exact"/></asset><worldbody>
        <geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.2"><freejoint/><geom type="mesh" mesh="cube"/></body></worldbody></mujoco>"#,
    );
    let none = folder.scene("[[mjcf]]\nfile = \"m.xml\"\n").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(none.model.pairs().len(), 0);
    let told = |s: &Scene| s.warnings.iter().any(|w| w.to_string().contains("geom of type mesh"));
    assert!(told(&none));
    let text = "[[mjcf]]\nfile = \"m.xml\"\nmeshes = \"hull\"\n";
    let hull = folder.scene(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(hull.model.pairs().len(), 1);
    assert!(!told(&hull));
    let simulation = Simulation::new(&hull.model, hull.initial.clone(), Newton);
    let run =
        simulation.options(Options::default()).run_until(1.0).unwrap_or_else(|e| panic!("{}", e.0));
    assert!((run.state.q[2] - 0.05).abs() < 1e-9, "{}", run.state.q);
}

/// What is kept of a scene with a binary mesh reads as the same scene.
#[test]
fn a_binary_mesh_is_kept_as_text() {
    let folder = Folder::new("binary");
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|b| 0.1_f32 * b as f32);
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let mut bytes = vec![0xff_u8; 80];
    bytes.extend(12_u32.to_le_bytes());
    for [a, b, c, d] in faces {
        for triangle in [[a, b, c], [a, c, d]] {
            bytes.extend([0_u8; 12]);
            bytes.extend(triangle.iter().flat_map(|&i| corner(i)).flat_map(f32::to_le_bytes));
            bytes.extend([0_u8; 2]);
        }
    }
    std::fs::write(folder.0.join("cube.stl"), bytes).unwrap();
    let text = "[body.a]\nmass = 1\nshape = { mesh = \"cube.stl\" }\n";
    let first = folder.scene(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(first.files.len(), 2);
    let copy = Folder::new("binary-copy");
    let name = std::path::Path::new(&first.files[1].name).file_name().unwrap();
    copy.write(name.to_str().unwrap(), &first.files[1].text);
    let second = copy.scene(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(first.hash, second.hash);
    assert_eq!(first.model.features(), second.model.features());
}
