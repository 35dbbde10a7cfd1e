//! Rotational restitution of scenes: contacts that take moments in an impact.

use carom::hybrid::{Run, Stop};
use carom_scene::Scene;

fn run(text: &str) -> Run {
    let scene = Scene::parse(text, "rotational.toml").unwrap();
    scene.simulation().unwrap().run_until(0.5).unwrap()
}

fn disk(law: &str, friction: f64) -> String {
    format!(
        r#"
        space = "planar"
        [body.disk]
        mass = 0.3
        shape = {{ disk = 0.1 }}
        position = [0, 1]
        velocity = [0.4, 0]
        angular_velocity = 12
        [body.ground]
        shape = "plane"
        [[contact]]
        between = ["disk", "ground"]
        restitution = 0.5
        friction = {friction}
        [law]
        formulation = "matrix"
        {law}
        "#
    )
}

/// Without a bound on the moment the disk keeps e_r of its spin, and its centre follows because the contact sticks:
/// ω⁺ = e_r ω⁻, v_x⁺ = −R ω⁺ (e_t = 0), whatever its inertia.
#[test]
fn eq1_a_disk_keeps_a_share_of_its_spin() {
    for e_r in [0.0, 0.3, -0.5, 1.0] {
        let run = run(&disk(&format!("rotational = {e_r}"), 100.0));
        let event = run.events().iter().find(|e| e.kind.is_jump()).unwrap();
        let [before, after] = [&event.v_pre, &event.v_post];
        assert!((before[2] - 12.0).abs() < 1e-12);
        assert!((after[2] - e_r * before[2]).abs() < 1e-10, "{e_r} {after:?}");
        // The disk rolls on its lowest point: v_x + R ω = 0 with the plane below.
        assert!((after[0] + 0.1 * after[2]).abs() < 1e-10, "{after:?}");
        assert!((after[1] + 0.5 * before[1]).abs() < 1e-10);
    }
}

/// A ball that spins about the vertical loses μ a pₙ/I of its spin, and keeps e_r of it where that is enough to.
#[test]
fn eq1_a_spinning_ball_saturates() {
    let (mass, radius, spin, mu, arm) = (0.5, 0.1, 30.0, 0.4, 0.004);
    let inertia = 0.4 * mass * radius * radius;
    for (arm, e_r) in [(arm, 0.5), (100.0 * arm, 0.5), (0.0, 0.5)] {
        let text = format!(
            r#"
            [body.ball]
            mass = {mass}
            shape = {{ sphere = {radius} }}
            position = [0, 0, 1]
            angular_velocity = [0, 0, {spin}]
            [body.ground]
            shape = "plane"
            [[contact]]
            between = ["ball", "ground"]
            restitution = 0.5
            friction = {mu}
            [law]
            formulation = "matrix"
            rotational = {e_r}
            arm = {arm}
            "#
        );
        let run = run(&text);
        let event = run.events().iter().find(|e| e.kind.is_jump()).unwrap();
        let p = event.contacts[0].impulse[2];
        let most = mu * arm * p / inertia;
        let expected = if most > (1.0 - e_r) * spin { e_r * spin } else { spin - most };
        let found =
            event.v_post.iter().fold(0.0_f64, |m, v| if v.abs() > m.abs() { *v } else { m });
        assert!((found - expected).abs() < 1e-9, "{arm}: {found} {expected}");
    }
}

/// The moments' work is in the ledger, which stays closed, also with a tie between two bodies.
#[test]
fn eq2_the_ledger_closes() {
    let run = run(&disk("rotational = 0.25\narm = 0.003\ntangential = 0.2", 0.6));
    assert_eq!(run.stop, Stop::ReachedEnd);
    let turned = run.ledger.turnover();
    assert!(run.ledger.closure().abs() < 1e-9 * turned, "{}", run.ledger.closure());
    assert!(run.ledger.sites[0].impact_friction < -1e-3);
}

/// Rolling friction is a site of its own that takes no part in impacts: the impact is the one without it.
#[test]
fn what_takes_no_part_in_impacts_is_left_out() {
    let law = "rotational = 0.25\narm = 0.003";
    let rolling =
        disk(law, 0.6).replace("friction = 0.6", "friction = 0.6\nrolling_friction = 0.002");
    let [without, with] = [disk(law, 0.6), rolling].map(|text| {
        let run = run(&text);
        let event = run.events().iter().find(|e| e.kind.is_jump()).unwrap().clone();
        (event.v_pre, event.v_post)
    });
    assert_eq!(without, with);
}

#[test]
fn what_has_no_meaning_is_refused() {
    let error = |law: &str| Scene::parse(&disk(law, 0.6), "r.toml").unwrap_err().report();
    assert!(error("arm = 0.1").contains("rotational"));
    assert!(error("rotational = 0.1\nrule = \"sequential\"").contains("moments"));
    assert!(error("rotational = 0.1\narm = -1").contains("arm"));
}
