//! How robots look: files of triangles, where they lie, and what a page is given of them.

use carom_report::looks::{Looks, Mesh, locate, read, thinned};
use carom_scene::Scene;
use nalgebra::Vector3;
use std::fs;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("looks").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Corners and sides of a tetrahedron with unit edges along the axes.
const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const SIDES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// Six times the volume within closed triangles that are seen from outside.
fn volume(mesh: &Mesh) -> f64 {
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| mesh.points[i as usize]);
        a.dot(&b.cross(&c))
    };
    mesh.triangles.iter().map(six).sum()
}

fn binary_stl() -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for side in SIDES {
        bytes.extend([0_u8; 12]);
        bytes.extend(side.iter().flat_map(|i| CORNERS[*i]).flat_map(f32::to_le_bytes));
        bytes.extend([0, 0]);
    }
    bytes
}

fn text_stl() -> String {
    let corner =
        |i: &usize| format!("vertex {} {} {}\n", CORNERS[*i][0], CORNERS[*i][1], CORNERS[*i][2]);
    let facet = |side: &[usize; 3]| {
        format!(
            "facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n",
            side.iter().map(corner).collect::<String>()
        )
    };
    format!("solid t\n{}endsolid t\n", SIDES.iter().map(facet).collect::<String>())
}

/// The same in centimetres, moved by a node, as polygons with normals beside them.
fn collada() -> String {
    let numbers: Vec<String> = CORNERS.iter().flatten().map(|x| (x * 100.0).to_string()).collect();
    let p: Vec<String> = SIDES.iter().flatten().map(|i| format!("{i} 0")).collect();
    format!(
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\"><asset><unit meter=\"0.01\"/></asset>\
         <library_effects><effect id=\"e\"><profile_COMMON><technique><lambert><diffuse><color>0.2 0.4 0.6 1</color>\
         </diffuse></lambert></technique></profile_COMMON></effect></library_effects>\
         <library_materials><material id=\"m\"><instance_effect url=\"#e\"/></material></library_materials>\
         <library_geometries><geometry id=\"g\"><mesh>\
         <source id=\"s\"><float_array count=\"12\">{}</float_array></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>\
         <polylist count=\"4\" material=\"m\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>\
         <input semantic=\"NORMAL\" source=\"#s\" offset=\"1\"/><vcount>3 3 3 3</vcount><p>{}</p></polylist>\
         </mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"x\">\
         <node><translate>0 0 200</translate><rotate>0 0 1 90</rotate><instance_geometry url=\"#g\"/></node>\
         </visual_scene></library_visual_scenes></COLLADA>",
        numbers.join(" "),
        p.join(" ")
    )
}

#[test]
fn the_same_body_from_every_format() {
    let dir = folder("formats");
    let obj: String = CORNERS
        .iter()
        .map(|[x, y, z]| format!("v {x} {y} {z}\n"))
        .chain(SIDES.iter().map(|[a, b, c]| format!("f {}/1/1 {}//2 -{}\n", a + 1, b + 1, 4 - c)))
        .collect();
    for (name, bytes) in [
        ("binary.stl", binary_stl()),
        ("text.STL", text_stl().into_bytes()),
        ("corners.obj", obj.into_bytes()),
        ("scene.dae", collada().into_bytes()),
    ] {
        let path = dir.join(name);
        fs::write(&path, bytes).unwrap();
        let meshes = read(&path).unwrap();
        assert_eq!(meshes.len(), 1, "{name}");
        assert_eq!((meshes[0].points.len(), meshes[0].triangles.len()), (4, 4), "{name}");
        assert!((volume(&meshes[0]) - 1.0).abs() < 1e-6, "{name}: {}", volume(&meshes[0]));
    }
    let dae = &read(&dir.join("scene.dae")).unwrap()[0];
    assert_eq!(dae.colour, Some([0.2, 0.4, 0.6]));
    // x of the file is y of its node, 2 m up.
    assert!((dae.points[1] - Vector3::new(0.0, 1.0, 2.0)).norm() < 1e-6, "{}", dae.points[1]);
}

#[test]
fn odd_files_are_refused_with_a_reason() {
    let dir = folder("odd");
    for (name, text, why) in [
        ("a.stl", "nothing", "no triangle"),
        ("b.stl", "solid empty\nendsolid", "no triangle"),
        ("c.obj", "v 0 0 0\nf 1 2 3\n", "line 2"),
        ("d.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "NaN"),
        ("e.dae", "<COLLADA", "XML"),
        ("f.dae", "<COLLADA/>", "no triangle"),
        ("g.glb", "glTF", "STL, OBJ, DAE"),
    ] {
        fs::write(dir.join(name), text).unwrap();
        let reason = read(&dir.join(name)).unwrap_err();
        assert!(reason.contains(why), "{name}: {reason}");
    }
}

#[test]
fn thinning_keeps_the_size() {
    // A bumpy sheet of 100 × 100 squares.
    let n = 100;
    let point = |i: u32| {
        let (x, y) = (f64::from(i % (n + 1)) / 100.0, f64::from(i / (n + 1)) / 100.0);
        Vector3::new(x, y, 0.05 * (9.0 * x).sin() * (7.0 * y).cos())
    };
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let square = |k: u32| {
        let (x, y) = (k % n, k / n);
        let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
        [[a, b, c], [a, c, d]]
    };
    let points = (0..(n + 1) * (n + 1)).map(point).collect();
    let mesh = Mesh { points, triangles: (0..n * n).flat_map(square).collect(), colour: None };
    let thin = thinned(&mesh, 2000);
    assert!(thin.triangles.len() <= 2000 && thin.triangles.len() > 500, "{}", thin.triangles.len());
    let reach = |m: &Mesh| m.points.iter().map(|p| p.x).fold(0.0, f64::max);
    // Means of cells lie within half a cell of the edge, and 500 triangles need more than 15 cells.
    assert!((reach(&mesh) - reach(&thin)).abs() < 1.0 / 15.0);
    assert_eq!(thinned(&mesh, 1_000_000), mesh);
}

#[test]
fn files_are_found_beside_and_above_the_description() {
    let dir = folder("places");
    let robot = dir.join("share/arm_description");
    fs::create_dir_all(robot.join("urdf")).unwrap();
    fs::create_dir_all(robot.join("meshes")).unwrap();
    fs::write(robot.join("meshes/a.stl"), "x").unwrap();
    let places = [robot.join("urdf/arm.urdf")];
    for name in [
        "package://arm_description/meshes/a.stl",
        "package://elsewhere/arm_description/meshes/a.stl",
        "../meshes/a.stl",
        "model://arm/meshes/a.stl",
    ] {
        let found = locate(name, &places).unwrap_or_else(|| panic!("{name}"));
        assert!(found.ends_with("a.stl") && found.is_file(), "{name}");
    }
    assert_eq!(locate("package://arm_description/meshes/b.stl", &places), None);
}

#[test]
fn a_scene_with_two_of_a_robot_shows_both() {
    let dir = folder("two");
    fs::write(dir.join("t.stl"), text_stl()).unwrap();
    let link = |name: &str, mesh: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" \
             iyz=\"0\"/></inertial><visual><origin xyz=\"0 0 1\"/><geometry>{mesh}</geometry></visual></link>"
        )
    };
    let urdf = format!(
        "<robot name=\"r\">{}{}<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\
         <axis xyz=\"0 0 1\"/></joint></robot>",
        link("a", "<mesh filename=\"t.stl\" scale=\"2 2 -2\"/>"),
        link("b", "<cylinder radius=\"0.1\" length=\"1\"/>"),
    );
    fs::write(dir.join("r.urdf"), urdf).unwrap();
    let scene = dir.join("two.toml");
    let robots = "[[urdf]]\nfile = \"r.urdf\"\nprefix = \"l_\"\n[[urdf]]\nfile = \"r.urdf\"\nprefix = \"r_\"\n";
    fs::write(&scene, robots).unwrap();
    let looks = Looks::of(&Scene::load(&scene).unwrap(), None).unwrap();
    let names: Vec<&str> = looks.looks.iter().map(|l| l.body.as_str()).collect();
    assert_eq!(names, ["l_a", "l_b", "r_a", "r_b"]);
    assert_eq!(looks.links, ["l_a", "l_b", "r_a", "r_b"]);
    assert_eq!(looks.looks[0].mesh, looks.looks[2].mesh, "a file is kept once");
    assert_eq!(looks.looks[0].pose[2], 1.0);
    assert!(looks.missing.is_empty());
    assert_eq!(looks.meshes[0].points.to_f64().iter().cloned().fold(0.0, f64::min), -2.0);
}

#[test]
fn scenes_without_robots_look_like_themselves() {
    let text = "[body.a]\nmass = 1\nshape = { sphere = 1 }\n";
    assert_eq!(Looks::of(&Scene::parse(text, "a.toml").unwrap(), None), None);
}
