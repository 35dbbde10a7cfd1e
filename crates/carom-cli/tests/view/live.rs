//! Scenes run anew from the page.

use crate::client::{Answer, Server, carom, settings};
use carom_report::SavedRun;
use carom_testing::{Scratch, scene, scenes};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The summary of the same run from the command line.
fn command_line(name: &Path, set: &[&str], out: &Path) -> carom_report::Summary {
    let mut command = carom();
    command.arg("run").arg(name).arg("--quiet").arg("--out").arg(out);
    for change in set {
        command.arg("--set").arg(change);
    }
    let output = command.output().unwrap();
    assert!(output.status.code().is_some_and(|c| c < 2), "{output:?}");
    SavedRun::load_events(out).unwrap().0
}

#[test]
fn a_run_from_the_page_is_that_of_the_command_line() {
    let scratch = Scratch::new("same");
    for (k, (name, set)) in [
        ("double_pendulum.toml", vec![]),
        ("double_pendulum.toml", vec!["contact.0.restitution=0.8", "contact.0.friction=0.3"]),
        ("double_pendulum.toml", vec!["law={ formulation = \"newton\" }", "solver.until=3"]),
        ("superball.toml", vec!["contact.0.friction=0.2"]),
        ("leg.toml", vec!["initial.motor.femur=0.2", "solver.until=0.2"]),
    ]
    .into_iter()
    .enumerate()
    {
        let server = Server::start(&scene(name));
        let answer = server.run(&set);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let document = answer.json();
        let wanted = command_line(&scene(name), &set, &scratch.path(&k.to_string()));
        assert_eq!(document["summary"]["result_hash"], wanted.result_hash, "{name} {set:?}");
        assert_eq!(document["summary"]["scene"]["hash"], wanted.job.scene.hash);
        assert_eq!(document["summary"]["counts"]["impacts"], wanted.counts.impacts);
        assert_eq!(document["summary"]["energy"]["lost"], wanted.energy.lost);
        assert_eq!(document["format"], "carom page");
    }
}

#[test]
fn faults_are_in_the_words_of_the_command_line() {
    let server = Server::start(&scene("double_pendulum.toml"));
    for change in [
        "contact.0.restitution=2",
        "contact.0.frictoin=1",
        "contact.7.friction=1",
        "body.upper.mass=-1",
        "x",
    ] {
        let answer = server.run(&[change]);
        assert_eq!(answer.status, 422, "{change}: {}", answer.body);
        let error = &answer.json()["error"];
        let output = carom()
            .arg("check")
            .arg(scene("double_pendulum.toml"))
            .arg("--set")
            .arg(change)
            .output()
            .unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            words.lines().next().unwrap(),
            format!("error: {}", error["message"].as_str().unwrap())
        );
        assert!(words.contains(&format!("hint: {}", error["hint"].as_str().unwrap())), "{words}");
        if let Some(place) = error["place"].as_str() {
            assert!(words.contains(&format!("--> {place}")), "{words} {place}");
        }
        assert_eq!(error["report"].as_str().unwrap(), words);
    }
    assert_eq!(server.run(&[]).status, 200, "the last good scene is still there");
}

/// A run folder: its document is ready, and its scene with its overrides can be run again.
#[test]
fn a_run_is_shown_and_run_again() {
    let scratch = Scratch::new("folder");
    let out = scratch.path("swing.run");
    let summary =
        command_line(&scene("double_pendulum.toml"), &["contact.0.restitution=0.9"], &out);
    let server = Server::start(&out);
    assert_eq!(settings(&server.get("/").body)["runs"], serde_json::json!(["swing.run"]));
    let first = server.get("/api/document/0").json();
    assert_eq!(first["summary"]["result_hash"], summary.result_hash);
    let again = server.run(&[]).json();
    assert_eq!(again["summary"]["result_hash"], summary.result_hash);
    let offered = server.get("/api/scene").json();
    assert_eq!(parameter(&offered, "contact.0.restitution")["value"], 0.9);
    assert_eq!(offered["name"], "double_pendulum.toml");
    assert_eq!(server.get("/api/document/1").status, 404);
}

fn parameter<'a>(offered: &'a Value, path: &str) -> &'a Value {
    let all = offered["parameters"].as_array().unwrap();
    all.iter().find(|p| p["path"] == path).unwrap_or_else(|| panic!("{path} in {all:#?}"))
}

/// Every value that is offered, in every scene, can be set: to itself without another result, and
/// to another value in its range with another scene.
#[test]
fn every_slider_of_every_scene_moves() {
    let mut count = 0;
    for entry in std::fs::read_dir(scenes()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let server = Server::start(&path);
        let offered = server.get("/api/scene").json();
        let short = "solver.until=0.02";
        let plain = server.run(&[short]).json();
        for p in offered["parameters"].as_array().unwrap() {
            let name = p["path"].as_str().unwrap();
            if name == "solver.until" {
                continue;
            }
            let value = p["value"].as_f64().unwrap();
            let (min, max) = (p["min"].as_f64().unwrap(), p["max"].as_f64().unwrap());
            assert!(min <= value && value <= max && min < max, "{path:?} {p}");
            assert!(p["step"].as_f64().unwrap() > 0.0);
            let same = server.run(&[short, &format!("{name}={value:?}")]);
            // A place written as angles and read back has round-off.
            let turned = name.contains("rotation") || name.contains("slope");
            assert!(same.status == 200 || turned, "{path:?} {name}: {}", same.body);
            if !turned {
                let q = |d: &Value| -> Vec<f64> {
                    let q = d["summary"]["state"]["q"].as_array().unwrap();
                    q.iter().map(|x| x.as_f64().unwrap()).collect()
                };
                for (a, b) in q(&plain).iter().zip(q(&same.json())) {
                    assert!((a - b).abs() < 1e-9, "{path:?} {name}: {a} {b}");
                }
            }
            // Another value is understood; it may be impossible, but its path is not.
            let other = server.run(&[short, &format!("{name}={:?}", 0.7 * value + 0.3 * max)]);
            let text = &other.body;
            assert!(
                other.status == 200
                    || text.contains("penetrat")
                    || text.contains("μs")
                    || text.contains("static"),
                "{path:?} {name}: {text}"
            );
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn what_is_offered() {
    let server = Server::start(&scene("double_pendulum.toml"));
    let offered = server.get("/api/scene").json();
    let of = |path: &str| {
        let p = parameter(&offered, path);
        (p["label"].as_str().unwrap(), p["value"].as_f64().unwrap(), p["group"].as_str().unwrap())
    };
    assert_eq!(of("contact.0.restitution"), ("tip: restitution", 0.5, "contact"));
    assert_eq!(of("contact.0.friction"), ("tip: friction", 0.57, "contact"));
    assert_eq!(of("gravity.1"), ("gravity y", -9.81, "gravity"));
    assert_eq!(of("body.floor.shape.plane.slope"), ("floor: slope", 0.0, "plane"));
    assert_eq!(of("body.upper.joint.initial"), ("shoulder: angle", 0.0, "initial"));
    assert_eq!(of("body.lower.joint.initial_rate"), ("elbow: rate", 0.0, "initial"));
    assert_eq!(of("body.upper.mass"), ("upper: mass", 4.04, "body"));
    assert_eq!(of("solver.until"), ("end time", 10.0, "solver"));
    let laws: Vec<&str> =
        offered["laws"].as_array().unwrap().iter().map(|l| l["label"].as_str().unwrap()).collect();
    assert_eq!(laws[offered["law"].as_u64().unwrap() as usize], "differential, energetic");
    for law in ["differential, kinematic", "algebraic, brach", "constraint", "newton", "poisson"] {
        assert!(laws.contains(&law), "{laws:?}");
    }
    // One contact: there is nothing to put in a sequence.
    assert!(!laws.iter().any(|l| l.contains("sequential")));
    // Every law can be run, or says why not in the words of the run.
    for law in offered["laws"].as_array().unwrap() {
        let answer = server.run(&["solver.until=1", law["set"][0].as_str().unwrap()]);
        assert_eq!(answer.status, 200, "{law}: {}", answer.body);
    }
    // Gravity is not stated in this scene; one component of it can be changed all the same.
    let answer = server.run(&["gravity.0=1.5", "solver.until=0.1"]).json();
    assert_eq!(answer["gravity"], serde_json::json!([1.5, -9.81, 0.0]));
    let cradle = Server::start(&scene("cradle.toml"));
    let offered = cradle.get("/api/scene").json();
    let own = &offered["laws"][offered["law"].as_u64().unwrap() as usize];
    assert_eq!(own["label"], "differential, energetic, sequential");
}

/// A scene that takes very long is given up when nobody waits for it.
#[test]
fn a_run_is_cancelled_when_the_client_goes() {
    let server = Server::start(&scene("pendulum.toml"));
    let body = r#"{"set": ["solver.until=1e9", "output.interval=1e8"]}"#;
    let text = server.text("POST", "/api/run", &[], body);
    // Two runs take all turns; if they were not given up, the third would wait for ever.
    for _ in 0..2 {
        let mut stream = server.connect();
        stream.write_all(text.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    let start = Instant::now();
    assert_eq!(server.run(&["solver.until=1"]).status, 200);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// A run that was given a name tells how far it has come, as long as it goes.
#[test]
fn a_run_tells_how_far_it_has_come() {
    let server = Server::start(&scene("pendulum.toml"));
    let progress = || server.get("/api/progress/long-1").json();
    assert_eq!(progress()["stage"], "none");
    let body = r#"{"set": ["solver.until=1e9", "output.interval=1e8"], "name": "long-1"}"#;
    let start = Instant::now();
    let mut stream = server.connect();
    stream.write_all(server.text("POST", "/api/run", &[], body).as_bytes()).unwrap();
    let mut times = Vec::new();
    while times.len() < 3 {
        assert!(start.elapsed() < Duration::from_secs(20), "{times:?}");
        std::thread::sleep(Duration::from_millis(50));
        let seen = progress();
        if seen["stage"] == "simulating" {
            assert_eq!((&seen["start"], &seen["end"]), (&0.0.into(), &1e9.into()));
            assert!(seen["wall"].as_f64().unwrap() <= start.elapsed().as_secs_f64());
            times.push(seen["t"].as_f64().unwrap());
        }
    }
    assert!(times[0] < times[2] && times[2] < 1e9, "{times:?}");
    drop(stream);
    while progress()["stage"] != "none" {
        assert!(start.elapsed() < Duration::from_secs(40), "it is not given up");
        std::thread::sleep(Duration::from_millis(50));
    }
    let odd = server.get("/api/progress/a%2Fb");
    assert_eq!(odd.status, 404);
}

#[test]
fn requests_go_side_by_side() {
    let server = Server::start(&scene("double_pendulum.toml"));
    let hashes: Vec<String> = std::thread::scope(|scope| {
        let one = |_| scope.spawn(|| server.run(&["contact.0.restitution=0.7"]).json());
        let threads: Vec<_> = (0..8).map(one).collect();
        let hash = |d: Value| d["summary"]["result_hash"].as_str().unwrap().to_string();
        threads.into_iter().map(|t| hash(t.join().unwrap())).collect()
    });
    assert!(hashes.windows(2).all(|w| w[0] == w[1]), "{hashes:?}");
}

/// Ctrl-C stops the server, also while a run is under way.
#[cfg(unix)]
#[test]
fn it_stops_when_told() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&scene("pendulum.toml"));
        let body = r#"{"set": ["solver.until=1e9", "output.interval=1e8"]}"#;
        let mut stream = server.connect();
        stream.write_all(server.text("POST", "/api/run", &[], body).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        let start = Instant::now();
        let id = server.child.id().to_string();
        let kill = std::process::Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(kill.success());
        assert_eq!(server.wait(), Some(0));
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert_eq!(Answer::read(&mut stream).status, 0, "the connection is closed");
        assert!(std::net::TcpStream::connect(&server.host).is_err(), "nobody listens");
    }
}

#[test]
fn what_cannot_be_shown() {
    let scratch = Scratch::new("wrong");
    let run = |args: &[&str]| carom().arg("view").args(args).output().unwrap();
    let missing = run(&["no-such-scene.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    let empty = scratch.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let output = run(&[empty.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("is not a finished run"));
    // A port that is taken.
    let server = Server::start(&scene("ball.toml"));
    let port = server.host.rsplit(':').next().unwrap();
    let output = run(&[scene("ball.toml").to_str().unwrap(), "--port", port]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot listen on 127.0.0.1"));
}

/// A text instead of the file: its run, what can be changed in it, and where a fault is.
#[test]
fn a_text_is_run_in_place_of_the_file() {
    let server = Server::start(&scene("ball.toml"));
    let text = std::fs::read_to_string(scene("ball.toml")).unwrap();
    let post = |path: &str, text: &str| {
        let body = serde_json::json!({ "text": text }).to_string();
        server.raw(server.text("POST", path, &[], &body).as_bytes())
    };
    let soft = text.replace("restitution = 0.5", "restitution = 0.25");
    let offer: serde_json::Value = serde_json::from_str(&post("/api/scene", &soft).body).unwrap();
    let parameters = offer["parameters"].as_array().unwrap();
    assert_eq!(parameters[0]["value"], 0.25, "{}", parameters[0]);
    let height = parameters.iter().find(|p| p["path"] == "body.ball.position.2").unwrap();
    assert_eq!(height["grip"], serde_json::json!({ "body": "ball", "way": "z", "gain": 1.0 }));
    let run = post("/api/run", &soft);
    let by_value = server.run(&["contact.0.restitution=0.25"]);
    let lost = |body: &str| {
        let document: serde_json::Value = serde_json::from_str(body).unwrap();
        document["summary"]["energy"]["lost"].clone()
    };
    assert_eq!(lost(&run.body), lost(&by_value.body));
    let wrong = post("/api/scene", &text.replace("mass = 0.1", "mass = -0.1"));
    assert_eq!(wrong.status, 422);
    let fault: serde_json::Value = serde_json::from_str(&wrong.body).unwrap();
    assert_eq!(fault["error"]["at"]["line"], 3, "{fault}");
}
