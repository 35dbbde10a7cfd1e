//! Ground in scenes and models of MuJoCo.

use carom::model::Shape;
use carom_scene::Scene;
use nalgebra::Vector3;

fn scene(ground: &str, rest: &str) -> Result<Scene, String> {
    let text = format!(
        "[body.ground]\nshape = {{ terrain = {{ {ground} }} }}\n[body.ball]\nmass = 1\n\
         shape = {{ sphere = 0.1 }}\nposition = [0, 0, 1]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\n\
         restitution = 0\nfriction = 0.5\n{rest}"
    );
    Scene::parse(&text, "ground.toml").map_err(|e| e.report())
}

fn ground_of(scene: &Scene) -> std::sync::Arc<carom::model::Terrain> {
    let found = scene.model.features().iter().find_map(|f| match &f.shape {
        Shape::Terrain { ground } => Some(ground.clone()),
        _ => None,
    });
    found.unwrap()
}

/// The height of the ground below a point.
fn height(ground: &carom::model::Terrain, x: f64, y: f64) -> f64 {
    let mut z = f64::NEG_INFINITY;
    for t in &ground.triangles {
        let flat = &ground.faces[t.face];
        let at = flat.point.z
            - (flat.normal.x * (x - flat.point.x) + flat.normal.y * (y - flat.point.y))
                / flat.normal.z;
        let p = Vector3::new(x, y, at);
        if (0..3).all(|k| t.sides[k].dot(&(p - ground.points[t.corners[k]])) >= -1e-12) {
            z = z.max(at);
        }
    }
    z
}

/// A grid, a polygon, triangles: a ball falls on them, rests where it must.
#[test]
fn ground_is_read_and_carries() {
    let flat = "size = [2, 1], heights = [[0.1, 0.1, 0.1], [0.1, 0.1, 0.1]]";
    let polygon = "outline = [[-1, -1, 0.1], [1, -1, 0.1], [1, 1, 0.1], [-1, 1, 0.1]]";
    let listed = "points = [[-1, -1, 0.1], [1, -1, 0.1], [0, 1, 0.1]], triangles = [[0, 1, 2]]";
    for ground in [flat, polygon, listed] {
        let scene = scene(ground, "").unwrap();
        assert_eq!(ground_of(&scene).faces.len(), 1);
        let run = scene.simulation().unwrap().run_until(1.0).unwrap_or_else(|e| panic!("{}", e.0));
        assert!((run.state.q[2] - 0.2).abs() < 1e-12 && run.state.v.amax() == 0.0);
    }
    let wavy = scene("size = [2, 1], heights = [[0, 0.1, 0], [0.2, 0.1, 0.3]]", "").unwrap();
    let ground = ground_of(&wavy);
    for (x, y, z) in [(-1.0, -0.5, 0.0), (0.0, -0.5, 0.1), (-1.0, 0.5, 0.2), (1.0, 0.5, 0.3)] {
        assert!((height(&ground, x, y) - z).abs() < 1e-12, "{x} {y}");
    }
}

#[test]
fn faults_of_ground_are_told() {
    for (ground, part) in [
        ("size = [2, 1]", "heights"),
        ("heights = [[0, 0], [0, 0]]", "size"),
        ("size = [2, 1], heights = [[0, 0], [0]]", "2"),
        ("outline = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]", "convex polygon"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "triangles"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles = [[0, 1, 5]]", "does not exist"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles = [[0, 1, 0.5]]", "from 0"),
        ("outline = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], mesh = \"a.obj\"", "once"),
    ] {
        let fault = scene(ground, "").err().unwrap_or_else(|| panic!("{ground} is taken"));
        assert!(fault.contains(part), "{ground}: {fault}");
    }
}

/// Ground on a turntable and on a table that shakes: as a plane there, to 1e-9. A ball that rolls on a turntable goes round on a
/// circle with 2/7 of its speed.
#[test]
fn ground_moves_with_a_prescribed_body() {
    let run = |ground: &str, joint: &str, ball: &str, friction: f64, until: f64| {
        let text = format!(
            "[body.table]\njoint = {{ {joint} }}\nfeature.top = {{ {ground} }}\n[body.ball]\nmass = 0.2\n\
             shape = {{ sphere = 0.05 }}\n{ball}\n[[contact]]\nbetween = [\"ball\", \"table.top\"]\n\
             restitution = 0.4\nfriction = {friction}\n[solver]\nrtol = 1e-11\natol = 1e-13\n"
        );
        let scene = Scene::parse(&text, "table.toml").unwrap_or_else(|e| panic!("{}", e.report()));
        scene.simulation().unwrap().run_until(until).map_err(|e| e.0).unwrap()
    };
    let grounds =
        ["terrain = { size = [4, 4], heights = [[0, 0, 0], [0, 0, 0], [0, 0, 0]] }", "plane = {}"];
    let shaken = "type = \"prismatic\", axis = [0, 0, 1], prescribed = { expression = \"0.01 * sin(30 * t)\" }";
    let thrown =
        "position = [0.1, 0.2, 0.3]\nvelocity = [0.3, 0.1, 0]\nangular_velocity = [1, 2, 3]";
    let ends = grounds.map(|ground| run(ground, shaken, thrown, 0.3, 0.6));
    assert!(ends[0].statistics.impacts > 2);
    assert!((&ends[0].state.q - &ends[1].state.q).amax() < 1e-9, "{}", ends[0].state.q);
    let (rate, r, speed) = (2.0_f64, 0.05, 0.3);
    let turning = "type = \"revolute\", axis = [0, 0, 1], prescribed = { rate = 2 }";
    // Rolling: v = Ω × x + ω × r n at the start.
    let x = 0.4;
    let ball = format!(
        "position = [{x}, 0, {r}]\nvelocity = [0, {speed}, 0]\nangular_velocity = [{}, 0, 0]",
        (rate * x - speed) / r
    );
    let ends = grounds.map(|ground| run(ground, turning, &ball, 2.0, 1.5));
    assert!((&ends[0].state.q - &ends[1].state.q).amax() < 1e-9, "{}", ends[0].state.q);
    // v̇ = 2/7 Ω × v.
    let turned = 2.0 / 7.0 * rate * 1.5;
    let around = speed / (2.0 / 7.0 * rate);
    let (sine, cosine) = turned.sin_cos();
    let expected = [x - around * (1.0 - cosine), around * sine];
    let q = &ends[0].state.q;
    let off = (q[1] - expected[0]).hypot(q[2] - expected[1]);
    assert!(off < 1e-8, "{q} {expected:?}");
}

fn planar(ground: &str, shape: &str) -> Result<Scene, String> {
    let text = format!(
        "space = \"planar\"\n[body.ground]\nshape = {{ terrain = {{ {ground} }} }}\n[body.thing]\nmass = 1\n\
         shape = {{ {shape} }}\nposition = [0, 1]\n[[contact]]\nbetween = [\"thing\", \"ground\"]\n\
         restitution = 0\nfriction = 0.5\n"
    );
    Scene::parse(&text, "ground.toml").map_err(|e| e.report())
}

/// In the plane: heights over a range and points of a line carry shapes of the plane.
#[test]
fn ground_of_the_plane_is_read_and_carries() {
    for ground in [
        "size = 2, heights = [0.1, 0.1, 0.1]",
        "points = [[-1, 0.1], [0.2, 0.1], [1, 0.1]]",
        "points = [[-1, 2], [-1, 0.1], [1, 0.1], [1, 2]]",
    ] {
        for (shape, half) in [
            ("disk = 0.2", 0.2),
            ("ellipse = [0.3, 0.2]", 0.2),
            ("box = [0.6, 0.4]", 0.2),
            ("capsule = { radius = 0.2, length = 0.5 }", 0.2),
            ("polygon = [[-0.3, -0.2], [0.3, -0.2], [0, 0.3]]", 0.2),
        ] {
            let scene = planar(ground, shape).unwrap_or_else(|e| panic!("{e}"));
            assert!(ground_of(&scene).planar);
            let run =
                scene.simulation().unwrap().run_until(1.0).unwrap_or_else(|e| panic!("{}", e.0));
            let height = run.state.q[1] - 0.1;
            assert!((height - half).abs() < 1e-9, "{ground} {shape}: {height}");
        }
    }
    let wavy = planar("size = 2, heights = [0, 0.3, 0.1]", "disk = 0.1").unwrap();
    let points = &ground_of(&wavy).points;
    for (x, y) in [(-1.0, 0.0), (0.0, 0.3), (1.0, 0.1)] {
        assert!(points.iter().any(|p| p.x == x && p.y == y), "{points:?}");
    }
}

/// Flat shapes: a pair that is stated is refused with its line, those of a pattern are left out with a warning, all others touch.
#[test]
fn flat_shapes_touch_what_is_thick() {
    let scene = |contact: &str| {
        let text = format!(
            "[body.coin]\nmass = 1\ninertia = [1, 1, 2]\nshape = {{ disk = 0.1 }}\nposition = [0, 0, 1]\n\
             [body.plate]\nmass = 1\ninertia = [1, 1, 2]\nshape = {{ ellipse = [0.2, 0.1] }}\nposition = [1, 0, 1]\n\
             [body.table]\nshape = {{ box = [9, 9, 1] }}\n[[contact]]\n{contact}\nrestitution = 0\nfriction = 0.5\n"
        );
        Scene::parse(&text, "flat.toml").map_err(|e| e.report())
    };
    let fault = scene("between = [\"coin\", \"plate\"]").map(|_| ()).unwrap_err();
    assert!(fault.contains("no thickness") && fault.contains("flat.toml:14"), "{fault}");
    let scene = scene("between = [\"*\", \"*\"]").unwrap();
    assert_eq!(scene.model.pairs().len(), 2);
    let told = |w: &carom_scene::Warning| w.to_string().contains("disk and ellipse");
    assert!(scene.warnings.iter().any(told), "{:?}", scene.warnings);
    let rest = scene.simulation().unwrap().run_until(1.0).map_err(|e| e.0).unwrap();
    for height in [rest.state.q[2], rest.state.q[9]] {
        assert!((height - 0.5).abs() < 1e-9, "{}", rest.state.q);
    }
}

/// Ground whose free side is the other one says so, in the plane and in space; what is only too deep does not.
#[test]
fn a_start_on_the_solid_side_is_told() {
    let line = |points: &str, height: f64| {
        let text = format!(
            "space = \"planar\"\n[body.ground]\nshape = {{ terrain = {{ points = {points} }} }}\n\
             [body.ball]\nmass = 1\nshape = {{ disk = 0.2 }}\nposition = [0.5, {height}]\n[[contact]]\n\
             between = [\"ball\", \"ground\"]\nrestitution = 0\nfriction = 0\n"
        );
        Scene::parse(&text, "ground.toml").map_err(|e| e.report())
    };
    let fault = line("[[3, 0], [0, 0]]", 1.0).unwrap_err();
    for part in
        ["gap = -1.2 m", "`ball` starts on the solid side of `ground`", "on the left of its points"]
    {
        assert!(fault.contains(part), "{fault}");
    }
    assert!(line("[[0, 0], [3, 0]]", 1.0).is_ok());
    let shallow = line("[[0, 0], [3, 0]]", 0.1).unwrap_err();
    assert!(shallow.contains("move the bodies apart by 0.1 m along the normal"), "{shallow}");
    for (ground, part) in [
        (
            "{ terrain = { outline = [[-2, -2, 0], [-2, 2, 0], [2, 2, 0], [2, -2, 0]] } }",
            "counter-clockwise",
        ),
        ("{ terrain = { size = [4, 4], heights = [[2, 2], [2, 2]] } }", "free above"),
        ("{ plane = { normal = [0, 0, -1] } }", "normal points to its free side"),
    ] {
        let text = format!(
            "[body.ground]\nshape = {ground}\n[body.ball]\nmass = 1\n\
             shape = {{ convex = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]] }}\nposition = [0, 0, 1]\n\
             [[contact]]\nbetween = [\"ball\", \"ground\"]\nrestitution = 0\nfriction = 0\n"
        );
        let fault = Scene::parse(&text, "ground.toml").map(|_| ()).map_err(|e| e.report());
        let fault = fault.unwrap_err();
        assert!(fault.contains("solid side of `ground`") && fault.contains(part), "{fault}");
    }
}

#[test]
fn faults_of_ground_of_the_plane_are_told() {
    for (ground, part) in [
        ("size = 2", "heights"),
        ("heights = [0, 0]", "size"),
        ("size = [2, 1], heights = [0, 0]", "one length"),
        ("size = 2, heights = [[0, 0], [0, 0]]", "heights"),
        ("size = 2, heights = [0]", "at least 2 numbers"),
        ("points = [[0, 0], [1, 0], [1, 0]]", "point 2"),
        ("points = [[0, 0], [1, 0], [1, 1], [0.5, -1]]", "segments 0 and 2"),
        ("points = [[0, 0], [1, 0]], triangles = [[0, 1]]", "line"),
        ("outline = [[0, 0], [1, 0], [0, 1]]", "line"),
        ("mesh = \"a.obj\"", "line"),
    ] {
        let fault = planar(ground, "disk = 0.1").err().unwrap_or_else(|| panic!("{ground}"));
        assert!(fault.contains(part), "{ground}: {fault}");
        assert!(fault.contains("ground.toml:3") && fault.contains("hint"), "{fault}");
    }
}

/// Ellipsoids, cylinders and disks in space, too.
#[test]
fn round_shapes_lie_on_ground() {
    for (shape, half) in [
        ("ellipsoid = [0.2, 0.15, 0.1]", 0.1),
        ("cylinder = { radius = 0.2, length = 0.3 }", 0.15),
        ("disk = 0.2", 0.0),
    ] {
        let text = format!(
            "[body.ground]\nshape = {{ terrain = {{ size = [2, 2], heights = [[0, 0], [0, 0]] }} }}\n[body.it]\nmass = 1\n\
             shape = {{ {shape} }}\nposition = [0, 0, 0.5]\n[[contact]]\nbetween = [\"it\", \"ground\"]\n\
             restitution = 0\nfriction = 0.5\n"
        );
        let scene = Scene::parse(&text, "ground.toml").unwrap_or_else(|e| panic!("{}", e.report()));
        let run = scene.simulation().unwrap().run_until(1.0).unwrap_or_else(|e| panic!("{}", e.0));
        assert!((run.state.q[2] - half).abs() < 1e-9, "{shape}: {}", run.state.q);
    }
}

/// (1): heights of `mj_ray` of mujoco 3 over the field below, at five places.
#[test]
fn eq1_heights_are_those_of_mujoco() {
    let folder = std::env::temp_dir().join(format!("carom-hfield-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let model = r#"<mujoco><asset><hfield name="h" nrow="3" ncol="4" size="2 1 0.5 0.1"
        elevation="1 2 3 4  5 6 7 8  9 10 11 13"/></asset>
        <worldbody><geom type="hfield" hfield="h"/>
        <body pos="0 0 3"><freejoint/><geom name="b" size="0.05"/></body></worldbody></mujoco>"#;
    std::fs::write(folder.join("field.xml"), model).unwrap();
    std::fs::write(folder.join("field.toml"), "[[mjcf]]\nfile = \"field.xml\"\n").unwrap();
    let scene = Scene::load(folder.join("field.toml")).unwrap_or_else(|e| panic!("{}", e.report()));
    std::fs::remove_dir_all(&folder).unwrap();
    let ground = ground_of(&scene);
    // MuJoCo keeps heights in single precision.
    for (x, y, z) in [
        (-1.9, -0.9, 0.319791675),
        (1.9, -0.9, 0.472916665),
        (-1.9, 0.9, 0.019791667),
        (1.9, 0.9, 0.138541666),
        (0.2, 0.3, 0.185416666),
    ] {
        assert!((height(&ground, x, y) - z).abs() < 1e-7, "{x} {y}: {}", height(&ground, x, y));
    }
    assert_eq!(scene.model.pairs().len(), 1);
}
