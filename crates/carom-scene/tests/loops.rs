//! Loops, springs, forces and frictions of scenes: what is read, and what is refused.

use carom::hybrid::Stop;
use carom::model::{Load, LoopKind};
use carom_scene::{Caution, Fault, Scene};

const CRANK: &str = r#"
space = "planar"
[body.crank]
mass = 1
shape = { rod = 0.1, position = [0.05, 0] }
joint = { name = "main", type = "revolute", initial_rate = 10 }
[body.conrod]
mass = 0.5
shape = { rod = 0.3, position = [0.15, 0] }
joint = { name = "crankpin", type = "revolute", parent = "crank", position = [0.1, 0] }
[body.slider]
mass = 0.5
shape = "point"
joint = { name = "guide", type = "prismatic", initial = 0.4 }
"#;

const PIN: &str = r#"
[[loop]]
type = "point"
a = { body = "conrod", position = [0.3, 0] }
b = { body = "slider" }
"#;

fn scene(text: &str) -> Scene {
    Scene::parse(text, "loops.toml").unwrap_or_else(|e| panic!("{}", e.report()))
}

fn fault(text: &str) -> (Fault, String) {
    let error = Scene::parse(text, "loops.toml").expect_err("refused");
    (error.fault().clone(), error.report())
}

#[test]
fn a_loop_is_read_and_closed() {
    let scene = scene(&format!("{CRANK}{PIN}"));
    let one = &scene.model.loops()[0];
    assert_eq!((one.name.as_str(), one.kind), ("conrod-slider", LoopKind::Point));
    // Crank and rod are in line: the slider stands still while the crank turns.
    assert_eq!(scene.initial.q[2], 0.4);
    assert!((scene.initial.v[1] + 10.0 + 10.0 * 0.1 / 0.3).abs() < 1e-12);
    assert!(scene.initial.v[2].abs() < 1e-12 && scene.warnings.is_empty());
}

#[test]
fn a_stated_start_that_cannot_be_kept_is_told() {
    let far = CRANK
        .replace("initial = 0.4", "initial = 0.38")
        .replace("initial_rate", "initial = 0.1, initial_rate");
    let far = far.replace("position = [0.1, 0] }", "position = [0.1, 0], initial = -0.2 }");
    let scene = scene(&format!("{far}{PIN}"));
    let told: Vec<&str> = scene
        .warnings
        .iter()
        .filter_map(|w| match &w.caution {
            Caution::Closed { coordinate, .. } => Some(coordinate.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["q.main", "q.crankpin", "q.guide"]);
}

#[test]
fn a_loop_that_cannot_close_says_by_how_much() {
    let (fault, report) = fault(&format!(
        "{CRANK}{}",
        PIN.replace("[0.3, 0]", "[0.3, 2.0]")
            .replace("b = { body = \"slider\" }", "b = { body = \"slider\", position = [0, 9] }")
    ));
    let Fault::OpenLoop { name, residual, unit, reversed } = fault else { panic!("{report}") };
    assert_eq!((name.as_str(), unit, reversed), ("conrod-slider", "m", false));
    assert!(residual > 1.0, "{report}");
    assert!(report.contains("loops.toml:16") && report.contains("initial"), "{report}");
}

#[test]
fn a_second_joint_is_a_loop() {
    let (_, report) = fault(&format!(
        "{CRANK}[joint.wristpin]\ntype = \"revolute\"\nparent = \"conrod\"\nchild = \"slider\"\nposition = [0.3, 0]\n"
    ));
    assert!(report.contains("[[loop]]"), "{report}");
}

#[test]
fn keys_belong_to_their_types() {
    for (wrong, says) in [
        ("[[loop]]\ntype = \"point\"\nlength = 1\na = { body = \"crank\" }", "length"),
        ("[[loop]]\ntype = \"distance\"\na = { body = \"crank\" }", "length"),
        (
            "[[loop]]\ntype = \"gear\"\na = { body = \"crank\" }\njoints = [\"main\", \"guide\"]",
            "`a`",
        ),
        ("[[loop]]\ntype = \"gear\"\njoints = [\"main\", \"nobody\"]", "nobody"),
        ("[[loop]]\ntype = \"point\"\na = { body = \"nobody\" }", "nobody"),
        ("[[loop]]\ntype = \"point\"\na = { body = \"crank\", rotation = 1 }", "rotation"),
        ("[[loop]]\ntype = \"hinge\"\na = { body = \"crank\", axis = [0, 0, 1] }", "axis"),
        ("[[loop]]\ntype = \"point\"", "move against each other"),
        ("[[spring]]\nstiffness = 1", "end with a body"),
        ("[[load]]\nforce = [1, 0]", "body"),
        ("[[load]]\nbody = \"crank\"\nmoment = [1, 0, 0]", "moment"),
    ] {
        let (_, report) = fault(&format!("{CRANK}{wrong}\n"));
        assert!(report.contains(says), "{wrong}\n{report}");
    }
}

#[test]
fn gears_are_couplings() {
    let text = format!(
        "{CRANK}[[loop]]\ntype = \"gear\"\njoints = [\"guide\", \"main\"]\nratio = 0.05\noffset = 0.4\n"
    );
    let scene = scene(&text);
    let tie = scene.model.couplings()[0];
    assert_eq!((tie.follower, tie.leader, tie.ratio, tie.offset), (2, 0, 0.05, 0.4));
    assert!((scene.initial.v[2] - 0.5).abs() < 1e-15);
}

#[test]
fn springs_forces_torques_and_frictions_are_read() {
    let text = format!(
        "{CRANK}[[spring]]\na = {{ body = \"slider\", position = [0, 0.1] }}\nstiffness = 5\nrest = 0.2\ndamping = 0.1\n\
         [[load]]\nbody = \"slider\"\nforce = [3, 0]\nmoment = 2\n"
    )
    .replace("type = \"prismatic\"", "type = \"prismatic\", torque = 1.5, friction = 0.5, static_friction = 0.7");
    let scene = scene(&text);
    let spring = &scene.model.springs()[0];
    assert_eq!((spring.name.as_str(), spring.stiffness, spring.rest), ("slider-world", 5.0, 0.2));
    assert!(matches!(scene.model.loads()[1], Load::Joint { dof: 2, torque } if torque == 1.5));
    let c = scene.model.coordinates()[2];
    assert_eq!((c.friction, c.static_friction), (0.5, 0.7));
    let (_, report) = fault(&text.replace("static_friction = 0.7", "static_friction = 0.3"));
    assert!(report.contains("static_friction"), "{report}");
}

#[test]
fn a_prescribed_table_needs_no_mass() {
    let text = r#"
space = "planar"
[body.table]
shape = "plane"
joint = { name = "shaker", type = "prismatic", axis = [0, 1], prescribed = { amplitude = 0.002, frequency = 25 } }
[body.ball]
mass = 0.01
shape = { disk = 0.005 }
position = [0, 0.008]
[[contact]]
between = ["ball", "table"]
restitution = 0.8
friction = 0.3
[solver]
until = 0.5
"#;
    let scene = scene(text);
    let run = scene.simulation().unwrap().run_until(0.5).unwrap_or_else(|e| panic!("{}", e.0));
    assert!(run.events().len() > 5 && run.statistics.worst_closure < 1e-9);
    // Without a motion it has no inertia.
    let (_, report) =
        fault(&text.replace(", prescribed = { amplitude = 0.002, frequency = 25 }", ""));
    assert!(report.contains("prescribed motion"), "{report}");
}

#[test]
fn rolling_and_spinning_friction_are_read() {
    let text = r#"
[body.ball]
mass = 0.1
shape = { sphere = 0.05 }
position = [0, 0, 0.05]
velocity = [1, 0, 0]
angular_velocity = [0, 20, 3]
[body.ground]
shape = "plane"
[[contact]]
between = ["ball", "ground"]
restitution = 0
friction = 0.4
rolling_friction = 0.002
spinning_friction = 0.001
[solver]
until = 10
"#;
    let scene = scene(text);
    let run = scene.simulation().unwrap().run_until(10.0).unwrap_or_else(|e| panic!("{}", e.0));
    // v²/(2a), a = μr g/(1.4 r).
    let way = 1.4 * 0.05 / (2.0 * 0.002 * 9.81);
    assert!((run.state.q[0] - way).abs() < 1e-6, "{} for {way}", run.state.q[0]);
    assert_eq!(run.state.v.amax(), 0.0);
    let (_, report) = fault(
        &format!("space = \"planar\"\n{text}")
            .replace("[0, 0, 0.05]", "[0, 0.05]")
            .replace("[1, 0, 0]", "[1, 0]")
            .replace("[0, 20, 3]", "-20")
            .replace("sphere", "disk"),
    );
    assert!(report.contains("spinning_friction"), "{report}");
}

/// A crank at rest with next to no energy, and a cart that a force moves to and fro: their ledgers are open by less than what a
/// step may make of the works, though by more than any share of the energies that were turned over.
#[test]
fn books_of_next_to_no_energy_are_closed() {
    let crank = "space = \"planar\"\n[body.crank]\nmass = 1\nshape = { rod = 0.1, position = [0.05, 0] }\n\
        joint = { name = \"main\", type = \"revolute\", initial = \"40deg\", initial_rate = 10 }\n\
        [body.conrod]\nmass = 0.5\nshape = { disk = 0.015 }\n\
        joint = { name = \"crankpin\", type = \"revolute\", parent = \"crank\", position = [0.1, 0] }\n\
        [body.slider]\nmass = 0.5\nshape = \"point\"\njoint = { name = \"guide\", type = \"prismatic\" }\n\
        [[loop]]\nname = \"wristpin\"\ntype = \"point\"\na = { body = \"conrod\", position = [0, 0] }\nb = { body = \"slider\" }\n";
    let cart = "[body.cart]\nmass = 2\ninertia = [1, 1, 1]\njoint = { type = \"prismatic\", axis = [1, 0, 0] }\n\
        [force.drive]\njoint = \"cart\"\nforce = \"3 * sin(20 * t) - 0.45 * v.cart\"\n";
    for text in [crank, cart] {
        let scene = Scene::parse(text, "small.toml").unwrap_or_else(|e| panic!("{}", e.report()));
        let run = scene.simulation().unwrap().run_until(0.3).unwrap_or_else(|e| panic!("{}", e.0));
        assert_eq!(run.stop, Stop::ReachedEnd);
    }
}
