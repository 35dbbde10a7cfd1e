//! Joints with a prescribed motion that are hit.

use carom::hybrid::Stop;
use carom_scene::Scene;

/// A ball falls on a table that rises steadily. Newton's law for the relative velocity gives the rebound; the table does
/// the work p V in the impact, and the ledger is closed.
#[test]
fn eq3_a_moving_table_works_in_the_impact() {
    let (rate, mass, e) = (0.4, 0.3, 0.6);
    let text = format!(
        r#"
        space = "planar"
        [body.table]
        mass = 2
        inertia = 1
        joint = {{ type = "prismatic", axis = [0, 1], prescribed = {{ rate = {rate} }} }}
        feature.top = {{ plane = {{}} }}
        [body.ball]
        mass = {mass}
        shape = {{ disk = 0.1 }}
        position = [0, 1]
        [[contact]]
        between = ["ball", "table.top"]
        restitution = {e}
        friction = 0
        "#
    );
    let scene = Scene::parse(&text, "table.toml").unwrap();
    let run = scene.simulation().unwrap().run_until(1.0).unwrap();
    assert_eq!(run.stop, Stop::ReachedEnd);
    let first = run.events().iter().find(|event| event.kind.is_jump()).unwrap();
    let before = -9.81 * first.t;
    let after = rate + e * (rate - before);
    let at =
        |v: &[f64]| v.iter().copied().fold(0.0, |m: f64, x| if x.abs() > m.abs() { x } else { m });
    assert!((at(&first.v_post) - after).abs() < 1e-9, "{:?} {after}", first.v_post);
    let impulse: f64 = mass * (after - before);
    assert!((first.contacts[0].impulse[2] - impulse).abs() < 1e-9);
    // Impulses of all impacts, weighed by the rate of the table.
    let given: f64 =
        run.events().iter().flat_map(|e| &e.contacts).map(|c| c.impulse[2] * rate).sum();
    assert!((run.ledger.jolts - given).abs() < 1e-9, "{} {given}", run.ledger.jolts);
    assert!(run.statistics.worst_closure < 1e-9, "{}", run.statistics.worst_closure);
}

/// A motion by an expression is the motion by numbers that says the same, and one that no numbers say is that of its
/// closed form: a pendulum on a cart that speeds up, s = 0.1 log cosh(3 t) (rate 0.3 tanh(3 t)), feels a cart's
/// acceleration, checked against its own equation φ̈ = −(g sin φ + s̈ cos φ)/l by Runge's rule with tiny steps.
#[test]
fn eq1_motions_by_expressions() {
    let text = |motion: &str| {
        format!(
            r#"
            space = "planar"
            [body.cart]
            joint = {{ type = "prismatic", axis = [1, 0], prescribed = {motion} }}
            [body.bob]
            mass = 0.7
            shape = {{ point = [0, -0.5] }}
            joint = {{ type = "revolute", parent = "cart", initial = 0.4 }}
            "#
        )
    };
    let end = |motion: &str| {
        let scene = Scene::parse(&text(motion), "cart.toml").unwrap();
        let run = scene.simulation().unwrap().run_until(1.5).unwrap();
        assert!(run.statistics.worst_closure < 1e-8, "{motion}: {}", run.statistics.worst_closure);
        (run.state.q[0], run.state.q[1], run.state.v[1])
    };
    let numbers = end("{ offset = 0.1, amplitude = 0.2, frequency = 0.5, phase = 0.3 }");
    let same = end(r#"{ expression = "0.1 + 0.2 * sin(pi * t + 0.3)" }"#);
    assert!((numbers.1 - same.1).abs() < 1e-12 && (numbers.2 - same.2).abs() < 1e-11);
    // Parts add up.
    let mixed = end(r#"{ offset = 0.1, expression = "0.2 * sin(pi * t + 0.3)" }"#);
    assert!((numbers.1 - mixed.1).abs() < 1e-12);

    let (s, phi, rate) = end(r#"{ expression = "0.1 * log((exp(3 * t) + exp(-3 * t)) / 2)" }"#);
    assert!((s - 0.1 * 4.5f64.cosh().ln()).abs() < 1e-12);
    let l = 0.5;
    let turn = |t: f64, phi: f64| {
        let sddot = 0.9 / (3.0 * t).cosh().powi(2);
        -(9.81 * phi.sin() + sddot * phi.cos()) / l
    };
    let (steps, mut y) = (30_000, [0.4f64, 0.0]);
    let h = 1.5 / f64::from(steps);
    for k in 0..steps {
        let t = f64::from(k) * h;
        let at = |t: f64, y: [f64; 2]| [y[1], turn(t, y[0])];
        let along = |y: [f64; 2], d: [f64; 2], h: f64| [y[0] + h * d[0], y[1] + h * d[1]];
        let a = at(t, y);
        let b = at(t + 0.5 * h, along(y, a, 0.5 * h));
        let c = at(t + 0.5 * h, along(y, b, 0.5 * h));
        let d = at(t + h, along(y, c, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
    }
    // Ten steps of rtol = 1e-9.
    assert!((phi - y[0]).abs() < 1e-8 && (rate - y[1]).abs() < 1e-7, "{phi} {rate} {y:?}");
}

#[test]
fn expressions_of_motions_are_checked() {
    let fault = |expression: &str| {
        let text = format!(
            r#"
            [body.cart]
            joint = {{ type = "prismatic", prescribed = {{ expression = "{expression}" }} }}
            "#
        );
        Scene::parse(&text, "cart.toml").unwrap_err().report()
    };
    assert!(fault("abs(t)").contains("abs"), "{}", fault("abs(t)"));
    assert!(fault("q.cart").contains("q.cart"), "{}", fault("q.cart"));
    assert!(fault("sqrt(t)").contains("at t = 0 s"), "{}", fault("sqrt(t)"));
}
