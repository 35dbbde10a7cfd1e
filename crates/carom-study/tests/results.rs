//! Results against the closed form of a bouncing ball: impacts at √(2h/g) (1 + 2e + 2e² + …).

use carom_study::sampling::{Parameter, Plan};
use carom_study::{Ask, Study, StudyError};

const BALL: &str = r#"
gravity = [0, 0, -9.81]
[body.ball]
mass = 0.1
shape = { sphere = 0.05 }
position = [0, 0, 1.05]
[body.ground]
shape = "plane"
[[contact]]
between = ["ball", "ground"]
restitution = 0.5
friction = 0.3
[solver]
until = 1
"#;

fn study(vary: &[&str], results: &[(&str, &str)]) -> Result<Study, StudyError> {
    let vary = vary.iter().map(|v| Parameter::read(v)).collect::<Result<_, _>>()?;
    let plan = Plan::new(vary, None, None, 1)?;
    let results = results.iter().map(|(n, e)| (n.to_string(), e.to_string())).collect();
    Study::new(Ask { plan, results, ..Ask::of_scene(BALL, "ball.toml") })
}

/// Results of the ball with e = 0.5, up to t = 1 s.
fn values(results: &[&str]) -> Vec<f64> {
    let named: Vec<(String, &str)> =
        results.iter().enumerate().map(|(k, e)| (format!("r{k}"), *e)).collect();
    let named: Vec<(&str, &str)> = named.iter().map(|(n, e)| (n.as_str(), *e)).collect();
    let row = study(&["contact.0.restitution=0.5"], &named).unwrap();
    let row = row.run(0, &Default::default()).unwrap();
    assert_eq!((row.stop.as_str(), row.stop_time, &row.message), ("reached-end", 1.0, &None));
    row.results
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}");
}

#[test]
fn values_at_events() {
    let (g, e) = (9.81_f64, 0.5);
    let fall = (2.0 / g).sqrt();
    let speed = (2.0 * g).sqrt();
    let found = values(&[
        "time(impact, 1)",
        "time(impact, 2)",
        "time(impact, -1)",
        "at(impact, 1, v.ball.vz)",
        "before(impact, 1, v.ball.vz)",
        "before(impact, -1, event.speed)",
        "at(impact, 1, event.lost) + at(impact, 2, event.lost)",
        "at(impact, ball-ground, 1, event.impulse)",
        "count(impact)",
        "count(events) - count(impact, ball-ground) + count(jump)",
        "rescues()",
        "-before(impact, 2, v.ball.vz) / at(impact, 2, v.ball.vz) * contact.0.restitution",
    ]);
    let energy = 0.5 * 0.1 * speed * speed;
    let lost = energy * (1.0 - e * e) * (1.0 + e * e);
    let expected = [
        fall,
        fall * (1.0 + 2.0 * e),
        fall * (1.0 + 2.0 * e),
        e * speed,
        -speed,
        e * speed,
        lost,
        0.1 * (1.0 + e) * speed,
        2.0,
        2.0,
        0.0,
        1.0,
    ];
    for (found, expected) in found.iter().zip(expected) {
        close(*found, expected);
    }
}

#[test]
fn values_over_samples() {
    let found = values(&[
        "start(q.ball.z)",
        "min(gap.ball-ground)",
        "max(energy.kinetic)",
        "time_of_max(v.ball.vz)",
        "integral(1)",
        "mean(2 * t)",
        "end(t) == t and mode.ball-ground == open",
        "energy.lost + energy.kinetic + energy.gravity",
    ]);
    let (g, fall) = (9.81_f64, (2.0 / 9.81_f64).sqrt());
    let lost = 0.1 * g * (1.0 - 1.0 / 16.0);
    for (found, expected) in found.iter().zip([1.05, 0.0, 0.1 * g, fall, 1.0, 1.0, 1.0]) {
        close(*found, expected);
    }
    assert!(found[7] > lost);
    close(found[7], 0.1 * g * 1.05);
}

#[test]
fn what_does_not_exist_is_nan_and_the_latest_is_last() {
    let found = values(&["time(impact, 3)", "at(close, 1, t)", "time(impact, -3)"]);
    assert!(found.iter().all(|x| x.is_nan()), "{found:?}");
    let three = study(&["contact.0.restitution=0.5"], &[("t", "last(impact, 3, t)")]).unwrap();
    assert_eq!(three.results(), ["t.1", "t.2", "t.3"]);
    let row = three.run(0, &Default::default()).unwrap();
    assert!(row.results[0].is_nan());
    close(row.results[2], 2.0 * (2.0 / 9.81_f64).sqrt());
}

#[test]
fn results_that_do_not_exist() {
    let fault = |name: &str, text: &str| {
        study(&["contact.0.restitution=0.5"], &[(name, text)]).unwrap_err().to_string()
    };
    let unknown = fault("a", "q.bal.z");
    assert_eq!(unknown, "result `a`: `q.bal.z` is not known; did you mean `q.ball.z`?");
    assert!(fault("a", "count(bounce)").contains("the kind of event must be one of impact, jam"));
    assert!(fault("a", "count(impact, foot)").contains("the contact must be one of ball-ground"));
    assert!(fault("a", "at(impact, 0, t)").contains("a whole number from 1, or from −1 down"));
    assert!(fault("a", "at(impact, 1.5, t)").contains("a whole number"));
    assert!(fault("a", "1 + last(impact, 2, t)").contains("a whole result"));
    assert!(fault("a", "event.lost").contains("inside at(…), before(…) or last(…)"));
    assert!(fault("a", "max(t, t, t)").contains("`max` takes two arguments, not 3"));
    assert!(fault("row", "1").contains("`row` cannot be the name of a result"));
    assert!(fault("contact.0.restitution", "1").contains("cannot be the name"));
    let twice = study(&["contact.0.restitution=0.5"], &[("a", "1"), ("a", "2")]).unwrap_err();
    assert_eq!(twice.to_string(), "result `a` is given twice");
}

#[test]
fn values_of_the_scene_that_do_not_exist() {
    let fault = |vary: &str| {
        let error = study(&[vary], &[]).unwrap_err();
        format!("{error}\n{}", error.hint())
    };
    assert!(fault("contact.3.restitution=0:1:3").contains("contact.3.restitution=0"));
    assert!(fault("contact.0.restitutoin=0:1:3").contains("`restitution`"));
    // Both ends of a range are looked at.
    assert!(fault("contact.0.restitution=0:1.5:4").contains("contact.0.restitution=1.5"));
    assert!(fault("solver.rtol=[1e-6, 1]").contains("solver.rtol=1"));
    assert!(fault("law.formulation=[newton, neuton]").contains("neuton"));
}

#[test]
fn any_law_and_solver_setting_is_a_value() {
    let results = [("t", "time(impact, 2)")];
    for vary in [
        "law.formulation=[newton, poisson, compliant]",
        "solver.method=[dopri5, dop853]",
        "solver.rtol=log(1e-10, 1e-6, 3)",
        "law=[{ formulation = \"differential\", restitution = \"kinetic\" }, { formulation = \"newton\" }]",
        "gravity.2=[-9.81]",
        "body.ball.mass=[0.1, 1]",
    ] {
        let study = study(&[vary], &results).unwrap();
        for row in 0..study.plan().rows() {
            let row = study.run(row, &Default::default()).unwrap();
            assert_eq!(row.message, None, "{vary}");
            let second = 2.0 * (2.0 / 9.81_f64).sqrt();
            assert!((row.results[0] - second).abs() < 1e-5, "{vary}: {row:?}");
        }
    }
}

#[test]
fn a_row_that_fails_says_why() {
    let vary = vec![Parameter::read("body.ball.position.2=[1.05, 0.02]").unwrap()];
    let plan = Plan::new(vary, None, None, 1).unwrap();
    let mut ask = Ask { plan, ..Ask::of_scene(BALL, "ball.toml") };
    ask.limits.steps = Some(3);
    let study = Study::new(ask.clone()).unwrap();
    let row = study.run(0, &Default::default()).unwrap();
    assert_eq!(row.stop, "step-limit");
    assert!(row.message.unwrap().ends_with("after 3 steps"));
    ask.limits.steps = None;
    ask.limits.time = Some(1e-9);
    let row = Study::new(ask.clone()).unwrap().run(0, &Default::default()).unwrap();
    assert_eq!(row.stop, "time-limit");
    let interrupted = std::sync::atomic::AtomicBool::new(true);
    ask.limits.time = None;
    assert_eq!(Study::new(ask).unwrap().run(0, &interrupted), None);
}
