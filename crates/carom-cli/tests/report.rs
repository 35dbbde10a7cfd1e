//! `carom report` through the binary.

use carom_testing::{Scratch, scene};
use std::path::Path;
use std::process::{Command, Output};

fn carom(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).current_dir(dir).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The document in a report.
fn document(file: &Path) -> serde_json::Value {
    data(file, "carom-run")
}

/// The data of a page.
fn data(file: &Path, id: &str) -> serde_json::Value {
    let html = std::fs::read_to_string(file).unwrap();
    let tag = format!("<script type=\"application/json\" id=\"{id}\">");
    let start = html.find(&tag).unwrap() + tag.len();
    serde_json::from_str(&html[start..start + html[start..].find("</script>").unwrap()]).unwrap()
}

#[test]
fn of_a_run_and_of_a_scene() {
    let scratch = Scratch::new("both");
    let scene = scene("leg.toml");
    let scene = scene.to_str().unwrap();
    let set = ["--set", "solver.until=0.2"];
    let ran = carom(scratch.folder(), &[&["run", scene, "--out", "leg.run"][..], &set].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    let made = carom(scratch.folder(), &["report", "leg.run"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert!(made.stdout.is_empty());
    assert_eq!(
        stderr(&made).trim_end(),
        Path::new("leg.run").join("report.html").to_str().unwrap()
    );
    let of_run = document(&scratch.path("leg.run/report.html"));
    let made = carom(scratch.folder(), &[&["report", scene][..], &set].concat());
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let mut of_scene = document(&scratch.path("leg.html"));
    // Only the time that the computer took differs.
    assert_eq!(of_run["summary"]["result_hash"], of_scene["summary"]["result_hash"]);
    of_scene["summary"]["wall_time"] = of_run["summary"]["wall_time"].clone();
    assert!(of_run == of_scene);
    assert_eq!(of_run["source"][1]["name"], "leg.urdf");
    let made = carom(scratch.folder(), &["report", "leg.run", "--out", "other.html"]);
    assert_eq!(made.status.code(), Some(0));
    assert_eq!(document(&scratch.path("other.html")), of_run);
    // A run that replaces the run replaces its report too.
    let again = carom(scratch.folder(), &[&["run", scene, "--out", "leg.run"][..], &set].concat());
    assert_eq!(again.status.code(), Some(0));
    assert!(!scratch.path("leg.run/report.html").exists());
}

/// A run that the mechanics stopped has a report, and the same exit code as the run.
#[test]
fn of_a_run_that_stopped() {
    let scratch = Scratch::new("stopped");
    let scene = scene("painleve.toml");
    let made = carom(
        scratch.folder(),
        &[
            "report",
            scene.to_str().unwrap(),
            "--set",
            "body.rod.angular_velocity=5",
            "--set",
            "body.rod.velocity=[-5,1.7101007166283435]",
            "--set",
            "solver.strict=true",
        ],
    );
    assert_eq!(made.status.code(), Some(1), "{}", stderr(&made));
    let document = document(&scratch.path("painleve.html"));
    let warnings = document["warnings"].to_string();
    assert!(warnings.contains("ended early") && warnings.contains("ambiguous"), "{warnings}");
}

#[test]
fn what_has_no_report() {
    let scratch = Scratch::new("none");
    let scene = scene("ball.toml");
    let scene = scene.to_str().unwrap();
    let fails = |args: &[&str], words: &str| {
        let output = carom(scratch.folder(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("hint: "));
    };
    fails(&["report", "no-such.toml"], "cannot read");
    fails(&["report", "."], "is not a finished run");
    fails(&["report", scene, "--set", "contact.0.restitution=2"], "restitution");
    fails(&["report", scene, "--out", "no/such/folder.html"], "cannot write");
    let ran = carom(scratch.folder(), &["run", scene, "--out", "ball.run"]);
    assert_eq!(ran.status.code(), Some(0));
    fails(&["report", "ball.run", "--set", "solver.until=1"], "cannot change a run that is done");
    // The copy of the scene was changed: what would be drawn is not what was run.
    let copy = scratch.path("ball.run/source/ball.toml");
    let text = std::fs::read_to_string(&copy).unwrap();
    std::fs::write(&copy, text.replace("0.05", "0.06").replace("1.05", "1.06")).unwrap();
    fails(&["report", "ball.run"], "does not hold the scene");
    std::fs::write(&copy, "mass = ").unwrap();
    fails(&["report", "ball.run"], "the scene kept in");
}

/// Several runs, and several laws of a scene, are compared on one page.
#[test]
fn several_are_compared() {
    let scratch = Scratch::new("compared");
    let scene = scene("ball.toml");
    let scene = scene.to_str().unwrap();
    let dir = scratch.folder();
    for (name, e) in [("soft.run", "0.2"), ("hard.run", "0.9")] {
        let set = format!("contact.0.restitution={e}");
        let ran = carom(dir, &["run", scene, "--set", &set, "--out", name, "--quiet"]);
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    }
    let made = carom(dir, &["report", "soft.run", "hard.run"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert_eq!(stderr(&made), "compare.html\n");
    let page = data(&scratch.path("compare.html"), "carom-runs");
    let runs = page["runs"].as_array().unwrap();
    assert_eq!(runs.iter().map(|r| &r["label"]).collect::<Vec<_>>(), ["soft", "hard"]);
    for (run, folder) in runs.iter().zip(["soft.run", "hard.run"]) {
        carom(dir, &["report", folder, "--out", "one.html"]);
        assert_eq!(run["document"], document(&scratch.path("one.html")));
    }
    let laws = ["report", scene, "--law", "newton", "--law", "poisson", "--out", "laws.html"];
    let made = carom(dir, &laws);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let page = data(&scratch.path("laws.html"), "carom-runs");
    let law =
        |k: usize| page["runs"][k]["document"]["summary"]["law"]["scene"]["formulation"].clone();
    assert_eq!((law(0), law(1)), ("newton".into(), "poisson".into()));
    // A law belongs to a scene, not to a run that is done; and colours are few.
    let refused = carom(dir, &["report", "soft.run", "--law", "newton"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("`--law newton` cannot change a run that is done"));
    let many = carom(dir, &[&["report"][..], &["soft.run"; 8]].concat());
    assert_eq!(many.status.code(), Some(2));
    assert!(stderr(&many).contains("8 runs are too many for one page"), "{}", stderr(&many));
}
