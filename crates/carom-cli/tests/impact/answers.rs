//! Answers.

use carom_testing::Scratch;
use serde_json::{Value, json};

use crate::command::{carom, gap, numbers, rod, rod_with, sample};

/// Every sample file through the binary, as JSON lines with ids.
#[test]
fn samples() {
    for (name, tolerance) in [
        ("planar1.jsonl", 1e-10),
        ("planarN.jsonl", 1e-10),
        ("spatial1.jsonl", 1e-9),
        ("constraint.jsonl", 1e-10),
    ] {
        let samples = sample(name);
        assert_eq!(samples.len(), 30);
        let lines: String = samples
            .iter()
            .map(|s| {
                let mut problem = s["problem"].clone();
                problem["id"] = s["id"].clone();
                format!("{problem}\n")
            })
            .collect();
        let run = carom(&["impact", "-"], &lines);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        for (s, got) in samples.iter().zip(run.answers()) {
            let want = &s["answer"];
            assert_eq!(got["id"], s["id"]);
            let size = numbers(&want["velocity"]).iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            let worst = gap(&got["velocity"], &want["velocity"]) / size;
            assert!(worst < tolerance, "{}: {worst:e}", s["id"]);
            compare_contacts(&got, want, tolerance);
            let before = want["energy"]["before"].as_f64().unwrap();
            for key in ["before", "after", "normal_work", "friction_work"] {
                let (a, b) = (&got["energy"][key], &want["energy"][key]);
                let miss = (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() / before;
                assert!(miss < tolerance, "{} {key}: {miss:e}", s["id"]);
            }
        }
    }
}

fn compare_contacts(got: &Value, want: &Value, tolerance: f64) {
    let (got, want) = (got["contacts"].as_array().unwrap(), want["contacts"].as_array().unwrap());
    assert_eq!(got.len(), want.len());
    for (a, b) in got.iter().zip(want) {
        assert_eq!(a["name"], b["name"]);
        assert_eq!(a["outcome"], b["outcome"]);
        for key in ["impulse_tangent", "velocity_tangent"] {
            assert!(gap(&a[key], &b[key]) < 10.0 * tolerance, "{a} {b}");
        }
        for key in ["impulse_normal", "velocity_normal"] {
            let miss = (a[key].as_f64().unwrap() - b[key].as_f64().unwrap()).abs();
            assert!(miss < 10.0 * tolerance, "{a} {b}");
        }
    }
}

/// The whole answer, byte for byte.
#[test]
fn one_object() {
    let ball = json!({
        "id": {"any": ["two words", 1]},
        "mass_matrix": [[4.0]], "velocity": [-4.0],
        "contacts": [{"name": "floor", "tangents": [], "normal": [1.0], "friction": 0.0, "restitution": 0.5}],
        "law": {"formulation": "newton"}
    });
    let expected = concat!(
        r#"{"id":{"any":["two words",1]},"velocity":[2.0],"contacts":[{"name":"floor","impulse_tangent":[],"#,
        r#""impulse_normal":24.0,"velocity_tangent":[],"velocity_normal":2.0,"outcome":"rebound"}],"#,
        r#""energy":{"before":32.0,"after":8.0,"normal_work":-24.0,"friction_work":0.0},"#,
        r#""solved":{"by":"complementarity","residual":0.0,"softness":0.0,"unique":false}}"#,
        "\n"
    );
    for text in [ball.to_string(), serde_json::to_string_pretty(&ball).unwrap()] {
        let run = carom(&["impact", "-"], &text);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, expected, ""));
    }
}

#[test]
fn a_file_and_standard_input_are_alike() {
    let scratch = Scratch::new("impact");
    std::fs::write(scratch.path("rod.json"), rod().to_string()).unwrap();
    let file = carom(&["impact", &scratch.text("rod.json")], "");
    let stdin = carom(&["impact", "-"], rod().to_string());
    assert_eq!(file.code, 0);
    assert_eq!(file.stdout, stdin.stdout);
}

/// The slip reversal of the rod, with the printed digits of the three definitions.
#[test]
fn slip_reversal_of_the_rod() {
    for (restitution, tip) in [
        ("energetic", [-0.4723, 1.6604]),
        ("kinetic", [-0.4712, 1.6527]),
        ("kinematic", [-0.4922, 1.8]),
    ] {
        let run =
            carom(&["impact", "-"], rod_with("/law/restitution", json!(restitution)).to_string());
        let contact = &run.answers()[0]["contacts"][0];
        assert!((contact["velocity_tangent"][0].as_f64().unwrap() - tip[0]).abs() < 5e-5);
        assert!((contact["velocity_normal"].as_f64().unwrap() - tip[1]).abs() < 5e-5);
        assert_eq!(contact["outcome"], "rebound");
    }
}

/// Finite forces where they are asked for: their work is the change of energy, and one frictionless contact has them in
/// closed form, F = p/ε over an impact of duration ε. The printed way depends on the origin: with q = 0 no push works.
#[test]
fn finite_forces() {
    let mut problem = rod_with("/contacts/0/friction", json!(0.0));
    problem["contacts"][0]["restitution"] = json!(0.5);
    problem["impact_duration"] = json!(1e-3);
    let run = carom(&["impact", "-"], problem.to_string());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let answer = &run.answers()[0];
    let force = &answer["impact_force"];
    let change =
        answer["energy"]["after"].as_f64().unwrap() - answer["energy"]["before"].as_f64().unwrap();
    assert!((force["work"].as_f64().unwrap() - change).abs() < 1e-9 * change.abs());
    assert_eq!(force["contacts"][0]["name"], "tip");
    problem["contacts"][0]["tangents"] = json!([]);
    let run = carom(&["impact", "-"], problem.to_string());
    let answer = &run.answers()[0];
    let p = answer["contacts"][0]["impulse_normal"].as_f64().unwrap();
    let f = answer["impact_force"]["contacts"][0]["force_normal"].as_f64().unwrap();
    assert!((f / (p / 1e-3) - 1.0).abs() < 1e-9, "{f} {p}");
    let object = problem.as_object_mut().unwrap();
    object.remove("impact_duration");
    object.insert("configuration".into(), json!([0.0, 0.0, 0.0]));
    let run = carom(&["impact", "-"], problem.to_string());
    assert_eq!(run.answers()[0]["impact_force"], Value::Null);
    // Neither a duration of nothing nor both ways at once.
    for (field, value) in [("configuration", json!([0.0])), ("impact_duration", json!(0.0))] {
        let mut wrong = problem.clone();
        wrong.as_object_mut().unwrap().remove("configuration");
        wrong[field] = value;
        let run = carom(&["impact", "-"], wrong.to_string());
        assert_eq!(run.code, 2, "{field}: {}", run.stdout);
    }
    problem["impact_duration"] = json!(1e-3);
    let run = carom(&["impact", "-"], problem.to_string());
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("one of impact_duration and configuration"), "{}", run.stdout);
}

/// Rotational restitution: a disc that lands with spin keeps the share that the coefficient says, unless the arm of the
/// contact bounds the moment by that of the normal impulse.
#[test]
fn rotational_restitution() {
    let spin = |rotation: Value| {
        let problem = json!({
            "mass_matrix": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.1]],
            "velocity": [0.0, -1.0, 2.0],
            "contacts": [{ "normal": [0.0, 1.0, 0.0], "restitution": 0.5, "friction": 0.5 }],
            "law": { "formulation": "matrix", "rotations": [rotation] },
        });
        let run = carom(&["impact", "-", "--strict"], problem.to_string());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        numbers(&run.answers()[0]["velocity"])
    };
    let row = json!([0.0, 0.0, 1.0]);
    let after = spin(json!({ "contact": 0, "row": row, "coefficient": 0.25 }));
    assert!((after[1] - 0.5).abs() < 1e-12 && (after[2] - 0.5).abs() < 1e-12, "{after:?}");
    // p = 1.5 N·s: with an arm of 1 cm the moment is at most μ a p = 0.0075 N·m·s, and the spin falls by 0.075 rad/s.
    let bounded = spin(json!({ "contact": 0, "row": row, "coefficient": 0.25, "arm": 0.01 }));
    assert!((bounded[2] - 1.925).abs() < 1e-9, "{bounded:?}");
}

/// Every law answers, keeps the momentum balance and explains its energy.
#[test]
fn every_formulation() {
    let laws = [
        json!({"formulation": "differential", "restitution": "kinematic"}),
        json!({"formulation": "differential", "restitution": "kinetic"}),
        json!({"formulation": "differential", "restitution": "energetic"}),
        json!({"formulation": "differential", "rule": "sequential"}),
        json!({"formulation": "algebraic", "method": "whittaker"}),
        json!({"formulation": "algebraic", "method": "brach"}),
        json!({"formulation": "constraint"}),
        json!({"formulation": "constraint", "complementarity": true}),
        json!({"formulation": "constraint", "constrain_tangents": true}),
        json!({"formulation": "matrix"}),
        json!({"formulation": "matrix", "tangential": [[0.1]]}),
        json!({"formulation": "dissipation"}),
        json!({"formulation": "dissipation", "slip_speed": 1e-5, "energy_limit": 1.0}),
        json!({"formulation": "newton"}),
        json!({"formulation": "poisson"}),
        json!({"formulation": "newton", "attenuation": 0.5}),
        json!({}),
    ];
    let lines: String =
        laws.iter().map(|law| format!("{}\n", rod_with("/law", law.clone()))).collect();
    let run = carom(&["impact", "-"], &lines);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let answers = run.answers();
    assert_eq!(answers.len(), laws.len());
    for (law, answer) in laws.iter().zip(&answers) {
        let energy = |key: &str| answer["energy"][key].as_f64().unwrap_or(0.0);
        let explained =
            energy("normal_work") + energy("friction_work") + energy("attenuation_work");
        assert!((energy("after") - energy("before") - explained).abs() < 1e-12, "{law}");
        if law.get("attenuation").is_some() {
            assert!((energy("after") - 0.5 * energy("before")).abs() < 1e-12);
            continue;
        }
        let c = &answer["contacts"][0];
        let (p_t, p_n) =
            (c["impulse_tangent"][0].as_f64().unwrap(), c["impulse_normal"].as_f64().unwrap());
        let v = numbers(&answer["velocity"]);
        let arm = 0.35355339059327373;
        assert!((v[0] - 0.3 - p_t).abs() < 1e-12 && (v[1] + 2.0 - p_n).abs() < 1e-12, "{law}");
        assert!((v[2] - 12.0 * arm * (p_t - p_n)).abs() < 1e-11, "{law}");
    }
    // Without a law: the differential one with energetic restitution.
    assert_eq!(answers[2], answers[16]);
}

#[test]
fn trace() {
    let run = carom(&["impact", "--trace", "-"], rod().to_string());
    let answer = &run.answers()[0];
    let stages = answer["trace"].as_array().unwrap();
    let events: Vec<&str> = stages.iter().map(|s| s["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["start", "reversal", "end of compression", "end"]);
    let last = stages.last().unwrap();
    assert_eq!(last["normal_impulse"], answer["contacts"][0]["impulse_normal"]);
    assert_eq!(last["contacts"][0]["velocity_normal"], answer["contacts"][0]["velocity_normal"]);
    let work = |stage: &Value| {
        stage["normal_work"].as_f64().unwrap() + stage["friction_work"].as_f64().unwrap()
    };
    let before = answer["energy"]["before"].as_f64().unwrap();
    for stage in stages {
        assert!((stage["energy"].as_f64().unwrap() - before - work(stage)).abs() < 1e-12);
        assert_eq!(stage["contact"], "tip");
    }
    // Without the option there is none.
    assert!(carom(&["impact", "-"], rod().to_string()).answers()[0].get("trace").is_none());
}

/// Several contacts: the rule is the user's choice and the answer names it.
#[test]
fn rule_is_named() {
    // Newton's cradle of three balls, the first one in at 1 m/s.
    let cradle = |rule: &str| {
        json!({
            "mass_matrix": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            "velocity": [1.0, 0.0, 0.0],
            "contacts": [
                {"name": "a", "tangents": [], "normal": [-1.0, 1.0, 0.0], "restitution": 1.0},
                {"name": "b", "tangents": [], "normal": [0.0, -1.0, 1.0], "restitution": 1.0}],
            "law": {"formulation": "differential", "rule": rule}
        })
    };
    let sequential = carom(&["impact", "-"], cradle("sequential").to_string());
    let answer = &sequential.answers()[0];
    assert_eq!(answer["rule"], "sequential");
    assert!(gap(&answer["velocity"], &json!([0.0, 0.0, 1.0])) < 1e-14);
    let together = carom(&["impact", "-"], cradle("together").to_string());
    assert_eq!(together.answers()[0]["rule"], "together");
    assert!(carom(&["impact", "-"], rod().to_string()).answers()[0].get("rule").is_none());
}

/// Many lines over several threads: order kept, same bytes as with one thread.
#[test]
fn order_is_kept() {
    let lines: String = (0..3000)
        .map(|i| {
            let mut problem = rod_with("/velocity/0", json!(0.001 * f64::from(i)));
            problem["id"] = json!(i);
            if i % 7 == 3 { format!("{{\"id\": {i}, oops\n") } else { format!("{problem}\n") }
        })
        .collect();
    let one = carom(&["impact", "--threads", "1", "-"], &lines);
    let many = carom(&["impact", "--threads", "5", "-"], &lines);
    assert_eq!((one.code, many.code), (2, 2));
    assert_eq!(one.stdout, many.stdout);
    assert_eq!(one.stderr, many.stderr);
    let answers = many.answers();
    assert_eq!(answers.len(), 3000);
    for (i, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], json!(i));
        assert_eq!(answer.get("error").is_some(), i % 7 == 3);
    }
}

/// Numbers come back as they went in: with zero restitution and nothing to do but stop, bits are kept.
#[test]
fn numbers_keep_their_bits() {
    for x in [0.1_f64, 1.0 / 3.0, 2.2250738585072014e-308, 1.7976931348623157e308, 5e-324] {
        let problem = json!({
            "mass_matrix": [[1.0, 0.0], [0.0, 1.0]], "velocity": [x, -1.0],
            "contacts": [{"name": "n", "tangents": [], "normal": [0.0, 1.0], "restitution": 0.0}],
            "law": {"formulation": "newton"}
        });
        let run = carom(&["impact", "-"], problem.to_string());
        if x < 1e300 {
            let back = run.answers()[0]["velocity"][0].as_f64().unwrap();
            assert_eq!(back.to_bits(), x.to_bits());
        } else {
            // The energy overflows, which is said and not printed.
            assert_eq!(run.answers()[0]["error"], "the answer is not finite");
        }
    }
}

#[test]
fn laws_are_listed() {
    let run = carom(&["laws"], "");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for name in
        ["differential", "algebraic", "constraint", "matrix", "dissipation", "newton", "poisson"]
    {
        assert!(run.stdout.lines().any(|line| line.starts_with(&format!("{name}: "))), "{name}");
    }
    for word in
        ["scope: ", "source: ", "energy: ", "attenuation", "kinematic | kinetic | energetic"]
    {
        assert!(run.stdout.contains(word), "{word}");
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 130));
    let one = carom(&["laws", "dissipation"], "");
    assert!(one.stdout.starts_with("dissipation: ") && !one.stdout.contains("newton: "));
    let none = carom(&["laws", "magic"], "");
    assert_eq!(none.code, 2);
    assert!(
        none.stderr
            .starts_with("error: there is no law `magic`\nhint: the laws are differential, ")
    );
}
