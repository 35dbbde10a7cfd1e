//! What is wrong is named, and harms nothing else.

use serde_json::{Value, json};

use crate::command::{carom, rod, rod_with};

/// Bad problems and what is said about them.
fn bad_problems() -> Vec<(String, &'static str)> {
    let contact = "/contacts/0";
    let at = |field: &str| format!("{contact}/{field}");
    let mut without_normal = rod();
    without_normal["contacts"][0].as_object_mut().unwrap().remove("normal");
    let mut without_velocity = rod();
    without_velocity.as_object_mut().unwrap().remove("velocity");
    let mut misspelt = rod();
    misspelt["contacts"][0]["restituton"] = json!(0.5);
    let separated = rod_with(&at("touching"), json!(false));
    let spatial = rod_with(&at("tangents"), json!([[1, 0, 0], [0, 0, 1]]));
    let algebraic = |mut problem: Value| {
        problem["law"] = json!({"formulation": "algebraic", "method": "brach"});
        problem.to_string()
    };
    vec![
        (
            rod_with("/mass_matrix", json!([[1, 0, 0], [0, 1, 0]])).to_string(),
            "mass_matrix has size 2, expected 3",
        ),
        (
            rod_with("/mass_matrix", json!([[1, 0, 0], [0, 1], [0, 0, 1]])).to_string(),
            "mass_matrix[1]: has 2 entries, expected 3",
        ),
        (
            rod_with("/mass_matrix/0/1", json!(0.25)).to_string(),
            "mass_matrix is not symmetric: [0][1] is 0.25, [1][0] is 0",
        ),
        (
            rod_with("/mass_matrix/1/1", json!(-1.0)).to_string(),
            "mass_matrix is not positive definite: pivot 1 is -1",
        ),
        (
            rod_with("/velocity", json!([0.3, -2.0])).to_string(),
            "mass_matrix has size 3, expected 2",
        ),
        (
            rod_with(&at("normal"), json!([0, 1])).to_string(),
            "contact `tip`: normal has size 2, expected 3",
        ),
        (
            rod_with(&at("tangents"), json!([[1, 0]])).to_string(),
            "contact `tip`: tangents has size 2, expected 3",
        ),
        (
            rod_with(&at("tangents"), json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]])).to_string(),
            "contact `tip`: tangents has size 3, expected 2",
        ),
        (
            rod().to_string().replace("-2.0", "NaN"),
            "velocity[1]: expected a number, found `NaN` at column",
        ),
        (
            rod().to_string().replace("-2.0", "1e999"),
            "velocity[1]: expected a number below 1.8e308, found `1e999` at column",
        ),
        (
            rod_with(&at("restitution"), json!(1.5)).to_string(),
            "contact `tip`: restitution is 1.5, expected 0 to 1",
        ),
        (
            rod_with(&at("restitution"), json!(-0.1)).to_string(),
            "contact `tip`: restitution is -0.1, expected 0 to 1",
        ),
        (
            rod_with(&at("friction"), json!(-0.5)).to_string(),
            "contact `tip`: friction is -0.5, expected 0 to inf",
        ),
        (
            rod_with(&at("friction"), json!("rough")).to_string(),
            "contacts[0].friction: expected a number, found `\"rough\"` at column",
        ),
        (
            rod_with("/velocity", json!([0.3, 2.0, 0.0])).to_string(),
            "no contact approaches: the smallest normal velocity is 2",
        ),
        (separated.to_string(), "no contact approaches"),
        (rod_with("/contacts", json!([])).to_string(), "contacts is empty, expected at least one"),
        (
            algebraic(spatial),
            "law `brach` does not apply: contact 0 has 2 tangents, it takes at most 1",
        ),
        (
            rod_with("/law/formulation", json!("magic")).to_string(),
            "law.formulation: is `magic`, expected differential, compliant, algebraic, constraint, matrix, dissipation, newton or poisson",
        ),
        (
            rod_with("/law/restitution", json!("elastic")).to_string(),
            "law.restitution: is `elastic`, expected kinematic, kinetic or energetic",
        ),
        (without_normal.to_string(), "contacts[0]: normal is missing"),
        (without_velocity.to_string(), "velocity is missing"),
        (
            misspelt.to_string(),
            "contacts[0].restituton: unknown field, did you mean `restitution`?",
        ),
        (
            "{\"mass_matrix\": [[1.0]".to_owned(),
            "mass_matrix: expected `,` or `]`, found the end at column",
        ),
        ("[1, 2]".to_owned(), "expected an object, found `[1` at column 1"),
        ("not json".to_owned(), "expected an object, found `not` at column 1"),
        (format!("{} 1", rod()), "expected the end of the text, found `1` at column"),
    ]
}

/// Alone a bad problem has the same answer, exit code 2, and the message with a hint on stderr.
fn alone(bad: &str, found: &str, answer: &str) {
    let run = carom(&["impact", "-"], bad);
    assert_eq!(run.code, 2, "{bad}");
    assert_eq!(run.stdout.trim_end(), answer);
    assert!(run.stderr.starts_with(&format!("error: {found}\nhint: ")), "{}", run.stderr);
}

/// Each bad problem stands between two good ones, which must not notice.
#[test]
fn bad_problems_are_named_and_harm_no_others() {
    let cases = bad_problems();
    let good = carom(&["impact", "-"], rod().to_string());
    let lines: String = cases.iter().map(|(bad, _)| format!("{}\n{bad}\n", rod())).collect();
    let run = carom(&["impact", "-"], format!("{lines}{}\n", rod()));
    assert_eq!(run.code, 2);
    let answers: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(answers.len(), 2 * cases.len() + 1);
    for (i, (bad, message)) in cases.iter().enumerate() {
        assert_eq!(answers[2 * i], good.stdout.trim_end());
        let answer: Value = serde_json::from_str(answers[2 * i + 1]).unwrap();
        let found = answer["error"].as_str().unwrap();
        let exact = !message.ends_with("column") && !message.ends_with("approaches");
        assert!(
            if exact { found == *message } else { found.starts_with(message) },
            "{bad}\nfound:    {found}\nexpected: {message}"
        );
        alone(bad, found, answers[2 * i + 1]);
    }
    assert_eq!(*answers.last().unwrap(), good.stdout.trim_end());
    // The first ten are shown with their line, the rest counted.
    assert!(run.stderr.starts_with("error: line 2: mass_matrix has size 2, expected 3\nhint: "));
    let count = cases.len();
    let end = format!(
        "error: … and {} more\nerror: {count} of {} problems failed\n",
        count - 10,
        2 * count + 1
    );
    assert!(run.stderr.ends_with(&end), "{}", run.stderr);
}

#[test]
fn ids_are_echoed_with_errors() {
    let mut problem = rod_with("/contacts/0/restitution", json!(2.0));
    problem["id"] = json!("late");
    let text = format!(
        "{problem}\n{{\"id\": 7, \"velocity\": oops}}\n{{\"velocity\": oops, \"id\": 8}}\n"
    );
    let answers = carom(&["impact", "-"], &text).answers();
    assert_eq!(answers[0]["id"], "late");
    assert_eq!(answers[1]["id"], 7);
    // What comes after a syntax error cannot be read.
    assert_eq!(answers[2].get("id"), None);
}

#[test]
fn text_that_is_not_text() {
    let run =
        carom(&["impact", "-"], [b"{\"id\": \"\xff\"}\n", rod().to_string().as_bytes()].concat());
    assert_eq!(run.code, 2);
    assert!(run.stdout.starts_with("{\"error\":\"not UTF-8 text at byte 9\"}\n{\"velocity\":"));
}

#[test]
fn garbage_never_panics() {
    let deep = "[".repeat(200_000);
    let long = "x".repeat(2_000_000);
    for text in [
        deep.as_str(),
        long.as_str(),
        "\u{feff}{}",
        "{\"contacts\": {}}",
        "\"",
        "{\"a\":\"\\u12\"}",
    ] {
        let run = carom(&["impact", "-"], text);
        assert_eq!(run.code, 2);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        assert_eq!(run.answers().len(), 1);
    }
}

#[test]
fn empty_input_and_missing_file() {
    let run = carom(&["impact", "-"], "\n  \n");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert_eq!(
        run.stderr,
        "error: `-` holds no problem\nhint: give one JSON object, or one per line\n"
    );
    let run = carom(&["impact", "no/such/file.json"], "");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.starts_with("error: cannot process `no/such/file.json`: "),
        "{}",
        run.stderr
    );
    assert_eq!(carom(&["impact"], "").code, 2);
    assert_eq!(carom(&["no-such-command"], "").code, 2);
}

#[test]
fn blank_lines_are_passed_over() {
    let run = carom(&["impact", "-"], format!("\n{}\n\n{}\n   \n", rod(), rod()));
    assert_eq!((run.code, run.answers().len()), (0, 2));
}

/// An algebraic law that has no answer is not told to use an algebraic law; what the hint says helps.
#[test]
fn the_hint_of_a_law_without_an_answer_is_true() {
    let contact = |normal: [f64; 3], tangent: [f64; 3], e: f64, mu: f64| json!({ "normal": normal, "tangents": [tangent], "restitution": e, "friction": mu });
    let problem = json!({
        "mass_matrix": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.02]],
        "velocity": [-2.7, -2.5, 2.0],
        "contacts": [
            contact([0.0, 1.0, 0.9955], [1.0, 0.0, -0.0944], 0.32, 3.0),
            contact([0.8157, 0.5785, 0.9955], [0.5785, -0.8157, -0.0944], 0.71, 8.0),
            contact([0.2013, 0.9795, -0.9955], [0.9795, -0.2013, 0.0944], 0.63, 0.3),
        ],
        "law": { "formulation": "algebraic" },
    });
    let run = carom(&["impact", "-", "--strict"], problem.to_string());
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("no consistent set of contact modes"), "{}", run.stderr);
    assert!(run.stderr.contains("hint: leave out strict"), "{}", run.stderr);
    let followed = carom(&["impact", "-"], problem.to_string());
    assert_eq!((followed.code, followed.stderr.as_str()), (0, ""), "{}", followed.stdout);
}
