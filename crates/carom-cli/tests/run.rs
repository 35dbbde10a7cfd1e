//! `carom run` and `carom events` through the binary: files, streams, exit codes, interruption.

use carom_report::SavedRun;
use carom_testing::{Scratch, scene};
use std::path::Path;
use std::process::{Command, Output};

fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

fn run(name: &str, out: &Path, more: &[&str]) -> Output {
    carom().arg("run").arg(scene(name)).arg("--out").arg(out).args(more).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_ball_and_its_table() {
    let scratch = Scratch::new("ball");
    let out = scratch.path("ball.run");
    let output = run("ball.toml", &out, &["--until", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout.is_empty(), "the data is in the folder");
    let last = stderr(&output);
    let last = last.lines().last().unwrap();
    for part in ["reached end at t = 3 s", "24 impacts", "0.981 J lost", "worst gap", "closure"] {
        assert!(last.contains(part), "{last}");
    }
    let table = carom().arg("events").arg(&out).args(["--first", "3"]).output().unwrap();
    assert_eq!(
        String::from_utf8(table.stdout).unwrap(),
        "t/s       event   contact      p_n/N·s   lost/J\n\
         0.451524  impact  ball-ground  0.664417  0.735750\n\
         0.903047  impact  ball-ground  0.332209  0.183938\n\
         1.128809  impact  ball-ground  0.166104  0.045984\n"
    );
    assert!(table.stderr.is_empty());
    let all = carom().arg("events").arg(&out).output().unwrap();
    let text = String::from_utf8(all.stdout).unwrap();
    assert!(text.lines().last().unwrap().starts_with("1.354571  rest"), "{text}");
}

#[test]
fn options_in_force_are_in_the_summary() {
    let scratch = Scratch::new("options");
    let out = scratch.path("run");
    let more = [
        "--until",
        "1.5",
        "--rtol",
        "1e-10",
        "--atol",
        "1e-12",
        "--method",
        "dopri5",
        "--output-interval",
        "0.25",
        "--law",
        "newton,rule=sequential",
        "--set",
        "contact.0.restitution=0.25",
        "--csv",
        "--npz",
        "--quiet",
    ];
    let output = run("ball.toml", &out, &more);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "quiet");
    let run = SavedRun::load(&out).unwrap();
    let s = &run.summary;
    assert_eq!(s.job.law.scene.formulation, "newton");
    assert_eq!(s.job.law.scene.options["rule"], "sequential");
    assert_eq!(s.job.surfaces[0].restitution, 0.25);
    assert_eq!(s.job.options.method, "dopri5");
    assert_eq!((s.job.options.rtol, s.job.options.atol), (Some(1e-10), Some(1e-12)));
    assert_eq!(s.job.options.until, 1.5);
    assert_eq!(s.job.scene.hash.len(), 64);
    assert_eq!(s.result_hash.len(), 16);
    for dt in [0.25, 0.5, 1.25, 1.5] {
        assert!(run.t().contains(&dt), "{dt}");
    }
    assert!(out.join("trajectory.csv").is_file() && out.join("trajectory.npz").is_file());
}

#[test]
fn a_run_can_be_repeated_from_its_folder() {
    let scratch = Scratch::new("repeat");
    let out = scratch.path("run");
    let more = ["--until", "0.4", "--set", "contact.0.friction=0.4"];
    let output = run("leg.toml", &out, &more);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let first = SavedRun::load(&out).unwrap().summary;
    assert!(out.join("source/leg.urdf").is_file(), "included files are kept");
    let repeat = first.job.repeat.strip_prefix("carom ").unwrap();
    let line = format!("{} {repeat} --out again", env!("CARGO_BIN_EXE_carom"));
    let status = Command::new("sh").args(["-c", &line]).current_dir(&out).status().unwrap();
    assert!(status.success(), "{line}");
    let second = SavedRun::load(out.join("again")).unwrap().summary;
    assert_eq!(first.result_hash, second.result_hash);
}

#[test]
fn mechanics_may_stop_a_run() {
    let scratch = Scratch::new("painleve");
    let out = scratch.path("run");
    let fast = "body.rod.velocity=[-5,1.7101007166283435]";
    let more = ["--strict", "--set", "body.rod.angular_velocity=5", "--set", fast];
    let output = run("painleve.toml", &out, &more);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("ambiguous at t = 0 s"));
    let why =
        "stopped: several motions agree with rigid bodies and Coulomb friction at contact `end`";
    assert!(stderr(&output).contains(why), "{}", stderr(&output));
    let run = SavedRun::load(&out).unwrap();
    assert_eq!(run.summary.stop.reason, "ambiguous");
    assert_eq!(run.summary.stop.contacts, ["end"]);
    assert!(run.summary.job.options.strict);
    // Nothing moved: what was chosen is told, and not gone on with.
    assert!(run.t().iter().all(|t| *t == 0.0));
}

/// Without `--strict` the safety net decides; the event, the summary and the last line say so.
#[test]
fn the_safety_net_is_told() {
    let scratch = Scratch::new("net");
    let out = scratch.path("run");
    let fast = "body.rod.velocity=[-5,1.7101007166283435]";
    let more = ["--set", "body.rod.angular_velocity=5", "--set", fast];
    let output = run("painleve.toml", &out, &more);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let last = stderr(&output);
    assert!(last.contains("worst closure") && last.contains("1 rescue (1 chosen)"), "{last}");
    let run = SavedRun::load(&out).unwrap();
    assert_eq!(run.summary.rescues.get("chosen"), Some(&1), "{:?}", run.summary.rescues);
    let event = run.events.iter().find(|e| e.rescue.is_some()).unwrap();
    assert_eq!(event.rescue.as_deref(), Some("chosen"));
    let solved = event.solved.as_ref().unwrap();
    assert!(!solved.unique && solved.softness == 0.0 && solved.residual < 1e-9, "{solved:?}");
}

/// A fixed step that is too long is not told to loosen a tolerance that is not in force: the hint was tried, and the summary has
/// the same.
#[test]
fn hints_of_failures_are_tried() {
    let scratch = Scratch::new("hints");
    let (scene, out) = (scratch.path("stiff.toml"), scratch.path("run"));
    let text = "gravity = [0, 0, 0]\n[body.ball]\nmass = 1\nshape = { sphere = 0.1 }\nposition = [1, 0, 0]\n[[spring]]\n\
                a = { body = \"ball\" }\nstiffness = 1e5\nrest = 0.2\n[solver]\nmethod = \"rk4\"\nstep = 0.02\nuntil = 20\n";
    std::fs::write(&scene, text).unwrap();
    let go = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.arg("run").arg(&scene).arg("--out").arg(&out).args(more).output().unwrap()
    };
    let output = go(&[]);
    let words = "give --set 'solver.step=0.002': with it the run goes on";
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("\nhint: {words}\n")), "{}", stderr(&output));
    assert_eq!(SavedRun::load(&out).unwrap().summary.stop.hint.as_deref(), Some(words));
    let followed = go(&["--set", "solver.step=0.002"]);
    assert_eq!(followed.status.code(), Some(0), "{}", stderr(&followed));
}

#[test]
fn faults_are_named_before_anything_is_written() {
    let scratch = Scratch::new("faults");
    let out = scratch.path("run");
    for (more, words) in [
        (&["--rtol", "-1"][..], "rtol"),
        (&["--until", "soon"], "until"),
        (&["--until", "-1"], "until"),
        (&["--law", "newtn"], "newton"),
        (&["--law", "newton,restitution=kinetic"], "restitution"),
        (&["--method", "euler"], "method"),
        (&["--output-interval", "0"], "interval"),
        (&["--set", "body.ball.mas=1"], "mass"),
    ] {
        let output = run("ball.toml", &out, more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        let text = stderr(&output);
        assert!(text.starts_with("error: ") && text.contains("hint: "), "{text}");
        assert!(text.contains(words), "{more:?}: {text}");
        assert!(!out.exists(), "{more:?}");
    }
}

/// A rod at 9e18 m/s: its steps lead nowhere. Without the bound it went on for three quarters of an hour.
#[test]
fn a_run_that_makes_no_progress_is_named() {
    let scratch = Scratch::new("nowhere");
    let out = scratch.path("run");
    let fast = "body.rod.velocity=[9223372036854775807,0]";
    let mut child = carom()
        .arg("run")
        .arg(scene("painleve.toml"))
        .args(["-q", "--set", fast, "--out"])
        .arg(&out)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let start = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed().as_secs() > 60 {
            child.kill().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("the run makes no progress"), "{}", stderr(&output));
    let run = SavedRun::load(&out).unwrap();
    assert_eq!(run.summary.stop.reason, "error");
    assert!(run.summary.stop.t < 1e-9, "{}", run.summary.stop.t);
}

#[test]
fn foreign_folders_are_refused() {
    let scratch = Scratch::new("foreign");
    let out = scratch.path("thesis");
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(out.join("chapter.tex"), "long work").unwrap();
    let output = run("ball.toml", &out, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("chapter.tex"));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1);
    let events = carom().arg("events").arg(&out).output().unwrap();
    assert_eq!(events.status.code(), Some(2));
    assert!(stderr(&events).contains("hint: "));
}

/// A pendulum that swings for an hour and a half of computing is interrupted after a moment.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_everything_up_to_then() {
    for signal in ["-INT", "-TERM"] {
        let scratch = Scratch::new(signal);
        let out = scratch.path("run");
        let mut child = carom()
            .arg("run")
            .arg(scene("pendulum.toml"))
            .args(["--until", "1e9", "--output-interval", "5", "--csv", "--npz", "--out"])
            .arg(&out)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        wait_for(&out.join("trajectory.csv"));
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(1));
        let run = SavedRun::load(&out).unwrap();
        assert_eq!(run.summary.stop.reason, "interrupted");
        assert!(run.len() > 10);
        assert_eq!(run.t().last(), Some(&run.summary.stop.t));
        assert!(run.summary.stop.t < 1e9);
        assert_eq!(run.len() as u64, run.summary.counts.samples);
        let csv = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
        assert_eq!(csv.lines().count(), run.len() + 1);
        assert!(out.join("trajectory.npz").is_file());
    }
}

/// Waits until a file has grown beyond its header.
#[cfg(unix)]
fn wait_for(file: &Path) {
    for _ in 0..600 {
        if std::fs::metadata(file).is_ok_and(|m| m.len() > 8192) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("{} does not grow", file.display());
}

/// A run that goes on is the run that was not stopped: scenes with bounces that accumulate, with friction, with many
/// contacts, with a prescribed motion; the end of the first lies within a step of the longer one.
#[test]
fn a_run_goes_on_to_the_last_bit() {
    for name in ["ball.toml", "double_pendulum.toml", "rimless_wheel.toml", "vibrating_table.toml"]
    {
        let scratch = Scratch::new("goes_on");
        let path = |file: &str| scratch.path(file);
        for (file, until) in [("short", "0.93"), ("whole", "1.2")] {
            assert_eq!(run(name, &path(file), &["--until", until]).status.code(), Some(0));
        }
        let mut more = carom();
        more.arg("run").arg(path("short")).args(["--until", "1.2", "--out"]);
        let more = more.arg(path("longer")).output().unwrap();
        assert_eq!(more.status.code(), Some(0), "{}", stderr(&more));
        assert!(stderr(&more).contains("to the last bit"), "{}", stderr(&more));
        let events = |file: &str| std::fs::read(path(file).join("events.jsonl")).unwrap();
        assert_eq!(events("longer"), events("whole"), "{name}");
        let hash = |file: &str| SavedRun::load(path(file)).unwrap().summary.result_hash;
        assert_eq!(hash("longer"), hash("whole"), "{name}");
        assert_ne!(hash("longer"), hash("short"), "{name}");
        // One that ends sooner is compared as far as it goes.
        let mut less = carom();
        less.arg("run").arg(path("whole")).args(["--until", "0.93", "--out"]);
        let less = less.arg(path("shorter")).output().unwrap();
        assert!(stderr(&less).contains("to the last bit"), "{}", stderr(&less));
    }
}

/// A start from an event, or from the last state, has its bits, and what follows agrees.
#[test]
fn a_run_starts_from_a_state_of_another() {
    let scratch = Scratch::new("from");
    let (first, from) = (scratch.path("first"), scratch.path("from"));
    assert_eq!(run("ball.toml", &first, &["--until", "1"]).status.code(), Some(0));
    let first_run = SavedRun::load(&first).unwrap();
    let text = first.display().to_string();
    for (more, t) in [(vec!["--event", "2"], first_run.events[1].t), (vec![], 1.0)] {
        let more: Vec<&str> = ["--from", &text, "--until", "1.3"].into_iter().chain(more).collect();
        let output = run("ball.toml", &from, &more);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let run = SavedRun::load(&from).unwrap();
        assert_eq!(run.t()[0], t);
        let z = first_run.column("q.ball.z").unwrap();
        let there = first_run.t().iter().rposition(|x| *x == t).unwrap();
        assert_eq!(run.column("q.ball.z").unwrap()[0], z[there]);
        // Ball of 1 m with e = 0.5: the third impact.
        let fall = (2.0f64 / 9.81).sqrt();
        assert!((run.events[0].t - 2.5 * fall).abs() < 1e-9, "{}", run.events[0].t);
    }
    let refused = |more: &[&str]| {
        let output = run("ball.toml", &from, more);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    assert!(refused(&["--from", &text, "--event", "7"]).contains("count from 1 to 2"));
    let other = run("pendulum.toml", &from, &["--from", &text]);
    assert!(stderr(&other).contains("ball.x"), "{}", stderr(&other));
    let again = |more: &[&str]| {
        stderr(&carom().arg("run").arg(&first).args(["--until", "2"]).args(more).output().unwrap())
    };
    assert!(again(&["--rtol", "1e-6"]).contains("goes on as it is"));
    assert!(again(&["--out", &text]).contains("does not replace"));
}
