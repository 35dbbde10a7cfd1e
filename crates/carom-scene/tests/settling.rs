//! Free bodies that are set down at the start.

use carom::hybrid::Stop;
use carom_scene::Scene;

fn scene(bodies: &str) -> Scene {
    let text = format!(
        r#"
        [initial]
        settle = true
        [body.ground]
        shape = "plane"
        {bodies}
        [[contact]]
        between = ["*", "ground"]
        restitution = 0.3
        friction = 0.8
        "#
    );
    Scene::parse(&text, "settle.toml").unwrap_or_else(|e| panic!("{}", e.report()))
}

/// A ball stands on its radius, a turned box on its lowest corner, by closed forms; from above and from below the ground.
#[test]
fn eq2_sets_bodies_down() {
    for z in [3.0, 0.05, -0.7] {
        let ball =
            format!("[body.ball]\nmass = 1\nshape = {{ sphere = 0.2 }}\nposition = [1, 2, {z}]");
        let scene = scene(&ball);
        let q = &scene.initial.q;
        assert_eq!((q[0], q[1]), (1.0, 2.0));
        // Sixteen times the round-off of the largest number.
        assert!((q[2] - 0.2).abs() <= 48.0 * f64::EPSILON, "{}", q[2]);
    }
    let (roll, pitch) = (0.4f64, 0.3f64);
    let turned = scene(&format!(
        "[body.box]\nmass = 1\nshape = {{ box = [0.2, 0.4, 0.6] }}\nposition = [0, 0, 2]\nrotation = [{roll}, {pitch}, 0.9]"
    ));
    // The third row of the rotation, by roll and pitch, weighs the half edges.
    let row = [-pitch.sin(), pitch.cos() * roll.sin(), pitch.cos() * roll.cos()];
    let height: f64 = row.iter().zip([0.1, 0.2, 0.3]).map(|(r, h)| r.abs() * h).sum();
    assert!((turned.initial.q[2] - height).abs() < 1e-14, "{} {height}", turned.initial.q[2]);
}

/// A ball between two balls touches both where the closed form says, whatever the order of the file.
#[test]
fn lowest_first() {
    let ball = |name: &str, x: f64, z: f64| {
        format!("[body.{name}]\nmass = 1\nshape = {{ sphere = 0.5 }}\nposition = [{x}, 0, {z}]\n")
    };
    let contacts = |a: &str| {
        format!("[[contact]]\nbetween = [\"top\", \"{a}\"]\nrestitution = 0\nfriction = 0.5\n")
    };
    let (left, right, top) =
        (ball("left", -0.6, 1.3), ball("right", 0.6, 0.9), ball("top", 0.0, 4.0));
    let pairs = contacts("left") + &contacts("right");
    for order in [[&left, &right, &top], [&top, &left, &right], [&right, &top, &left]] {
        let bodies: String = order.iter().map(|b| b.as_str()).collect();
        let scene = scene(&(bodies + &pairs));
        let column = |name: &str| {
            let names = scene.model.q_names();
            scene.initial.q[names.iter().position(|n| n == name).unwrap()]
        };
        assert!((column("left.z") - 0.5).abs() <= 32.0 * f64::EPSILON);
        assert!((column("right.z") - 0.5).abs() <= 32.0 * f64::EPSILON);
        let expected = 0.5 + (1.0f64 - 0.36).sqrt();
        assert!((column("top.z") - expected).abs() < 1e-14, "{} {expected}", column("top.z"));
    }
}

/// What is set down flat rests from the start: a box neither falls nor hits.
#[test]
fn what_is_set_down_rests() {
    let scene =
        scene("[body.box]\nmass = 1\nshape = { box = [0.2, 0.4, 0.6] }\nposition = [0, 0, 2]");
    let run = scene.simulation().unwrap().run_until(1.0).unwrap();
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert!(run.events().iter().all(|event| !event.kind.is_jump()), "{:?}", run.events().len());
    assert!((run.state.q[2] - 0.3).abs() < 1e-14 && run.energy_lost().abs() < 1e-15);
}

#[test]
fn nothing_to_stand_on() {
    let text = |settle: &str, gravity: &str| {
        format!(
            "gravity = {gravity}\n[initial]\nsettle = {settle}\n[body.ground]\nshape = \"plane\"\n[body.ball]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [0, 0, 1]\n[body.other]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [2, 0, 1]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\nrestitution = 0\nfriction = 0\n"
        )
    };
    let fault = |settle: &str, gravity: &str| {
        Scene::parse(&text(settle, gravity), "s.toml").unwrap_err().report()
    };
    let down = "[0, 0, -9.81]";
    assert!(fault("true", down).contains("`other` may touch"), "{}", fault("true", down));
    assert!(fault("[\"bal\"]", down).contains("did you mean `ball`?"));
    assert!(fault("true", "[0, 0, 0]").contains("without gravity"));
    assert!(fault("true", "[0, 0, 9.81]").contains("lies below it"));
    assert!(Scene::parse(&text("[\"ball\"]", down), "s.toml").is_ok());
}
