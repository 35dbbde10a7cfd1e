//! Sides of contacts: groups, patterns, `self`, exceptions, SRDF.

use carom_scene::{Caution, Scene};

/// Three balls on a chain, a fourth that is free, and a floor.
const CHAIN: &str = "
[body.r1]
mass = 1
shape = { sphere = 0.1 }
joint = { type = \"revolute\", axis = [0, 1, 0], position = [0, 0, 3] }
[body.r2]
mass = 1
shape = { sphere = 0.1 }
joint = { type = \"revolute\", parent = \"r1\", axis = [0, 1, 0], position = [0, 0, -0.5] }
feature.tip = { sphere = 0.05, position = [0.3, 0, 0] }
[body.link]
joint = { type = \"revolute\", parent = \"r2\", axis = [1, 0, 0] }
[body.r3]
mass = 1
shape = { sphere = 0.1 }
joint = { type = \"revolute\", parent = \"link\", axis = [0, 1, 0], position = [0, 0, -0.5] }
[body.ball]
mass = 1
shape = { sphere = 0.1 }
position = [2, 0, 1]
[body.floor]
shape = \"plane\"
";

const VALUES: &str = "\nrestitution = 0.5\nfriction = 0.3\n";

fn parse(contacts: &str) -> Scene {
    let text = format!("{contacts}{CHAIN}");
    Scene::parse(&text, "pairs.toml").unwrap_or_else(|e| panic!("{}", e.report()))
}

fn names(contacts: &str) -> Vec<String> {
    let mut all: Vec<String> =
        parse(contacts).model.pairs().iter().map(|p| p.name.clone()).collect();
    all.sort();
    all
}

fn fault(contacts: &str) -> String {
    Scene::parse(&format!("{contacts}{CHAIN}"), "pairs.toml").unwrap_err().report()
}

/// Members of a pile are named as sides of contacts are.
#[test]
fn piles_are_named_alike() {
    let members = |of: &str| {
        let scene = parse(&format!("group.robot = [\"r1\", \"r*\"]\n[[pile]]\nof = {of}{VALUES}"));
        let features = &scene.model.groups()[0].features;
        let mut names: Vec<String> =
            features.iter().map(|&id| scene.model.feature(id).name.clone()).collect();
        names.sort();
        names
    };
    let all = ["floor", "r1", "r2", "r2.tip", "r3"];
    assert_eq!(members("[\"r1\", \"r2\", \"r3\", \"floor\"]"), all);
    assert_eq!(members("[\"robot\", \"floor\"]"), all);
    assert_eq!(members("[\"r*\", \"floor\", \"r2.tip\"]"), all);
    assert_eq!(members("[\"*.tip\", \"floor\"]"), ["floor", "r2.tip"]);
    let told = fault(&format!("[[pile]]\nof = [\"robt\", \"balll\"]{VALUES}"));
    assert!(told.contains("robt"), "{told}");
    let told = fault(&format!("[[pile]]\nof = [\"balll\", \"floor\"]{VALUES}"));
    assert!(told.contains("did you mean `ball`?"), "{told}");
    // What piles are made of is what touches.
    let boxed = "[body.crate]\nmass = 1\nshape = { box = [1, 1, 1] }\nposition = [5, 0, 2]\n";
    let scene = parse(&format!("[[pile]]\nof = [\"crate\", \"ball\"]{VALUES}{boxed}"));
    assert_eq!(scene.model.groups()[0].features.len(), 2);
    let can = "[body.can]\nmass = 1\nshape = { cylinder = { radius = 0.1, length = 0.3 } }\nposition = [5, 0, 2]\n";
    let scene = parse(&format!("[[pile]]\nof = [\"can\", \"ball\"]{VALUES}{can}"));
    assert_eq!(scene.model.groups()[0].features.len(), 2);
    // A body that nothing can touch has no place in a pile.
    let told = fault(&format!("[[pile]]\nof = [\"link\", \"floor\"]{VALUES}"));
    assert!(told.contains("so that the body can touch"), "{told}");
}

#[test]
fn patterns_and_groups() {
    let by_pattern = names(&format!("[[contact]]\nbetween = [\"r*\", \"floor\"]{VALUES}"));
    assert_eq!(by_pattern, ["r1-floor", "r2-floor", "r2.tip-floor", "r3-floor"]);
    let by_group = names(&format!(
        "group.robot = [\"r1\", \"r2\", \"r3\"]\n[[contact]]\nbetween = [\"robot\", \"floor\"]{VALUES}"
    ));
    assert_eq!(by_group, by_pattern);
    // One line for everything against the floor; the floor does not touch itself.
    let all = names(&format!("[[contact]]\nbetween = [\"*\", \"floor\"]{VALUES}"));
    assert_eq!(all, ["ball-floor", "r1-floor", "r2-floor", "r2.tip-floor", "r3-floor"]);
    let tips = names(&format!("[[contact]]\nbetween = [\"*.tip\", \"ball\"]{VALUES}"));
    assert_eq!(tips, ["r2.tip-ball"]);
}

#[test]
fn self_leaves_neighbours_out() {
    // r2 is carried by r1, r3 by r2 through a body without features.
    let own = names(&format!("[[contact]]\nself = \"r*\"{VALUES}"));
    assert_eq!(own, ["r1-r3"]);
    // The ball is nobody's neighbour; every pair stands once.
    let own = names(&format!("[[contact]]\nself = \"*\"{VALUES}"));
    let expected = [
        "r1-ball",
        "r1-floor",
        "r1-r3",
        "r2-ball",
        "r2-floor",
        "r2.tip-ball",
        "r2.tip-floor",
        "r3-ball",
        "r3-floor",
        "ball-floor",
    ];
    let mut expected: Vec<String> = expected.iter().map(|n| n.to_string()).collect();
    expected.sort();
    assert_eq!(own, expected);
    let except = "except = [[\"r1\", \"r*\"], [\"ball\", \"floor\"]]";
    let own = names(&format!("[[contact]]\nself = \"*\"\n{except}{VALUES}"));
    assert_eq!(own.len(), 8);
    assert!(!own.iter().any(|n| n == "r1-r3" || n == "ball-floor"));
}

#[test]
fn what_is_named_holds_over_patterns() {
    let scene = parse(&format!(
        "[[contact]]\nbetween = [\"*\", \"floor\"]{VALUES}\n\
         [[contact]]\nbetween = [\"ball\", \"floor\"]\nname = \"drop\"\nrestitution = 0.9\nfriction = 0\n"
    ));
    let e = |name: &str| {
        let pair = scene.model.pairs().iter().find(|p| p.name == name).unwrap();
        pair.surface.restitution
    };
    assert_eq!((e("drop"), e("r1-floor"), scene.model.pairs().len()), (0.9, 0.5, 5));
}

#[test]
fn overlaps_of_self_are_left_out_and_told() {
    let near = CHAIN.replace("position = [2, 0, 1]", "position = [0.15, 0, 3]");
    let text = format!("[[contact]]\nself = \"*\"{VALUES}{near}");
    let scene = Scene::parse(&text, "pairs.toml").unwrap();
    assert!(!scene.model.pairs().iter().any(|p| p.name == "r1-ball"));
    let told = scene.warnings.iter().any(
        |w| matches!(&w.caution, Caution::Overlaps { pair, depth } if pair == "r1-ball" && (depth - 0.05).abs() < 1e-12),
    );
    assert!(told, "{:?}", scene.warnings);
    // Named outright, it is a fault.
    let text = format!("[[contact]]\nbetween = [\"r1\", \"ball\"]{VALUES}{near}");
    assert!(Scene::parse(&text, "pairs.toml").is_err());
}

#[test]
fn faults_are_named() {
    let bad = fault(&format!("[[contact]]\nbetween = [\"x*\", \"floor\"]{VALUES}"));
    assert!(
        bad.contains("no body or feature that fits `x*`") && bad.contains("pairs.toml:2"),
        "{bad}"
    );
    let bad = fault(&format!("[[contact]]\nself = \"r\"{VALUES}"));
    assert!(bad.contains("did you mean `r1`?"), "{bad}");
    let bad = fault(&format!("[[contact]]\nself = \"*\"\nbetween = [\"a\", \"b\"]{VALUES}"));
    assert!(bad.contains("both `between` and `self`"), "{bad}");
    let bad = fault(&format!("group.r1 = [\"r2\"]\n[[contact]]\nself = \"*\"{VALUES}"));
    assert!(bad.contains("called `r1`"), "{bad}");
}

/// Ten thousand balls on a floor are ten thousand pairs; all against all is told to be too many.
#[test]
fn many_bodies() {
    let mut text = String::from("[body.floor]\nshape = \"plane\"\n");
    for i in 0..10_000 {
        text.push_str(&format!(
            "[body.b{i}]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [{i}, 0, 1]\n"
        ));
    }
    let floor = format!("{text}[[contact]]\nbetween = [\"b*\", \"floor\"]{VALUES}");
    assert_eq!(Scene::parse(&floor, "many.toml").unwrap().model.pairs().len(), 10_000);
    let all = format!("{text}[[contact]]\nself = \"b*\"{VALUES}");
    let report = Scene::parse(&all, "many.toml").unwrap_err().report();
    assert!(report.contains("at most 100000 pairs"), "{report}");
}

#[test]
fn srdf_is_read() {
    let folder = std::env::temp_dir().join(format!("carom-srdf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let link = |name: &str| {
        format!(
            "<link name='{name}'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' \
             iyz='0' izz='1'/></inertial><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
        )
    };
    let joint = |a: &str, b: &str| {
        format!(
            "<joint name='{a}{b}' type='continuous'><parent link='{a}'/><child link='{b}'/>\
             <origin xyz='0 0 -1'/></joint>"
        )
    };
    let robot = format!(
        "<robot name='r'>{}{}{}{}{}{}{}</robot>",
        link("a"),
        link("b"),
        link("c"),
        link("d"),
        joint("a", "b"),
        joint("b", "c"),
        joint("c", "d")
    );
    std::fs::write(folder.join("r.urdf"), robot).unwrap();
    let srdf = "<robot name='r'><group name='g'/><disable_collisions link1='a' link2='c' reason='Never'/></robot>";
    std::fs::write(folder.join("r.srdf"), srdf).unwrap();
    let text =
        |srdf: &str| format!("[[urdf]]\nfile = 'r.urdf'\n{srdf}[[contact]]\nself = '*'{VALUES}");
    let name = folder.join("s.toml").display().to_string();
    let names = |text: String| -> Vec<String> {
        let scene = Scene::parse(&text, &name).unwrap_or_else(|e| panic!("{}", e.report()));
        scene.model.pairs().iter().map(|p| p.name.clone()).collect()
    };
    assert_eq!(names(text("")), ["a-c", "a-d", "b-d"]);
    assert_eq!(names(text("srdf = 'r.srdf'\n")), ["a-d", "b-d"]);
    std::fs::write(folder.join("r.srdf"), srdf.replace("'a'", "'aa'")).unwrap();
    let report = Scene::parse(&text("srdf = 'r.srdf'\n"), &name).unwrap_err().report();
    assert!(report.contains("no link `aa`") && report.contains("r.srdf:1"), "{report}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Bodies that nothing joins have clocks of their own: each meets the fixed box that it falls on.
#[test]
fn bodies_with_clocks_of_their_own_meet_a_fixed_box() {
    let shapes = [
        "box = [0.1, 0.1, 0.1]",
        "cylinder = { radius = 0.05, length = 0.1 }",
        "sphere = 0.05",
        "ellipsoid = [0.06, 0.07, 0.05]",
    ];
    let mut text = String::from("[body.table]\nshape = { box = [9, 9, 1] }\n");
    for (k, shape) in shapes.iter().enumerate() {
        text += &format!(
            "[body.b{k}]\nmass = 1\ninertia = [1, 1, 1]\nshape = {{ {shape} }}\nposition = [{k}, 0, {}]\n",
            1.0 + 0.1 * k as f64
        );
    }
    for k in 0..4 {
        text += &format!(
            "[[contact]]\nbetween = [\"b{k}\", \"table\"]\nrestitution = 0\nfriction = 0.5\n"
        );
    }
    let scene = Scene::parse(&text, "table.toml").unwrap();
    let run = scene.simulation().unwrap().run_until(1.0).map_err(|e| e.0).unwrap();
    for k in 0..4 {
        let height = run.state.q[7 * k + 2];
        assert!((height - 0.55).abs() < 1e-9, "{k}: {height}");
    }
}
