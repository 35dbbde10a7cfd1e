//! `carom capability` and `carom optimize` on a quadruped and the jumping leg; faults with exit codes.

use carom_testing::{Scratch, root};
use std::process::{Command, Output};

use serde_json::Value;

fn carom(arguments: &[&str]) -> Output {
    let command =
        Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(root()).output();
    command.expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on stdout")
}

const QUADRUPED: &str = "crates/carom-cli/tests/agility/quadruped.toml";
const LEG: &str = "scenes/jumper.toml";

#[test]
fn a_quadruped_on_four_feet() {
    let feet = "LF_FOOT,RF_FOOT.tip,LH,RH";
    let options = ["-q", "--contacts", feet, "--settle", "--json"];
    let found = json(&carom(&[&["capability", QUADRUPED][..], &options].concat()));
    let a = found["acceleration"].as_f64().unwrap();
    assert!(a > 9.81 && found["gap"].as_f64().unwrap().abs() < 1e-9 * a);
    assert_eq!(found["contacts"].as_array().unwrap().len(), 4);
    assert_eq!(found["torque"].as_object().unwrap().len(), 12);

    let options = ["-q", "--contacts", "all", "--starts", "2", "--json"];
    let best = json(&carom(&[&["optimize", QUADRUPED][..], &options].concat()));
    let optima = best["optima"].as_array().unwrap();
    let first = &optima[0];
    assert!(first["acceleration"].as_f64() > best["start"].as_f64());
    assert!((best["start"].as_f64().unwrap() - a).abs() < 1e-9 * a);
    assert!(optima.iter().all(|o| o["miss"].as_f64().unwrap() < 1e-8));

    // The arguments that are printed start the scene there, on the ground, with the same capability.
    let mut again = vec!["capability", QUADRUPED, "-q", "--json"];
    let set: Vec<&str> =
        first["set"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    set.iter().for_each(|s| again.extend(["--set", s]));
    let there = json(&carom(&again));
    assert_eq!(there["contacts"].as_array().unwrap().len(), 4);
    let (one, two) =
        (there["acceleration"].as_f64().unwrap(), first["acceleration"].as_f64().unwrap());
    assert!((one - two).abs() < 1e-8 * two, "{one} {two}");
}

/// Optima that a conic solver of others found from the matrices of the same questions.
#[test]
fn capabilities_agree_with_a_conic_solver() {
    let reference = include_str!("agility/clarabel.csv");
    let mut seen = 0;
    for line in reference.lines().filter(|l| !l.starts_with('#')) {
        let parts: Vec<&str> = line.split(';').collect();
        let [scene, direction, hold, value] = parts[..] else { panic!("{line}") };
        let task = ["-q", "--json", "--direction", direction, "--hold", hold];
        let start: &[&str] = match scene {
            "leg" => &["capability", LEG],
            _ => &["capability", QUADRUPED, "--contacts", "all", "--settle"],
        };
        let ours = json(&carom(&[start, &task].concat()))["acceleration"].as_f64().unwrap();
        let theirs: f64 = value.parse().unwrap();
        assert!((ours - theirs).abs() < 1e-8 * (1.0 + theirs.abs()), "{line}: {ours}");
        seen += 1;
    }
    assert_eq!(seen, 16);
}

/// Ranges that no one stated are named, with the remedy; stated ones are not.
#[test]
fn assumed_ranges_are_said() {
    let ask = |more: &[&str]| {
        let task = ["optimize", LEG, "-q", "--direction", "-1,1,0", "--starts", "1"];
        text(&carom(&[&task[..], more].concat()).stdout)
    };
    let assumed = ask(&[]);
    assert!(assumed.contains("assumed: half a turn") && assumed.contains("joint.coxa.limits="));
    assert!(assumed.contains("end of the climb: "), "{assumed}");
    let limits = ["coxa", "femur", "tibia"].map(|j| format!("joint.{j}.limits=[-1, 1]"));
    let set: Vec<&str> = limits.iter().flat_map(|l| ["--set", l.as_str()]).collect();
    let stated = ask(&set);
    assert!(stated.contains("the scene") && !stated.contains("assumed"), "{stated}");
}

#[test]
fn the_program_goes_to_a_file() {
    let scratch = Scratch::new("agility-problem");
    let file = scratch.path("problem.json");
    json(&carom(&["capability", LEG, "-q", "--json", "--problem", file.to_str().unwrap()]));
    let problem: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(problem["mass_matrix"].as_array().unwrap().len(), 9);
    assert_eq!(problem["cones"][0]["friction"], 0.5);
    let nowhere = scratch.path("none/problem.json");
    let refused = carom(&["capability", LEG, "-q", "--problem", nowhere.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    let message = text(&refused.stderr);
    assert!(message.contains("none/problem.json`") && message.contains("hint:"), "{message}");
}

#[test]
fn files_of_the_leg() {
    let scratch = Scratch::new("agility");
    let out = &scratch.text("leg");
    let task = ["-q", "--point", "body", "--direction", "-1,1,0", "--out", out];
    let run = |verb: &str, more: &[&str]| {
        let output = carom(&[&[verb, LEG][..], &task, more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "no progress in a pipe");
        text(&output.stdout)
    };
    let table = run("capability", &[]);
    assert!(table.starts_with("the centre of mass of `body` toward [-0.707107, 0.707107, 0]\n"));
    assert!(table.contains("free                       6, with 3 motors"), "{table}");
    let map = run("capability", &["--map", "femur,tibia", "--grid", "5", "--range", "-1:1,-1:0"]);
    assert!(map.starts_with("25 postures"), "{map}");
    let limits = ["coxa", "femur", "tibia"].map(|j| format!("joint.{j}.limits=[-1, 1]"));
    let mut more = vec!["--starts", "3"];
    limits.iter().for_each(|l| more.extend(["--set", l]));
    let optima = run("optimize", &more);
    assert!(optima.contains("best posture") && optima.contains("to start there:"), "{optima}");
    for name in [
        "capability.json",
        "capability.svg",
        "directions.csv",
        "polygon.csv",
        "map.csv",
        "map.svg",
        "map.png",
        "optima.csv",
        "optima.json",
        "optima.svg",
    ] {
        let size = std::fs::metadata(scratch.path("leg").join(name)).map_or(0, |m| m.len());
        assert!(size > 60, "{name} has {size} bytes");
    }
}

/// A block that hangs in the air over a floor, on a motor-driven slider that cannot reach it.
const BLOCK: &str = r#"
[body.block]
mass = 1
shape = { sphere = 0.1 }
joint = { name = "lift", type = "prismatic", axis = [0, 0, 1], position = [0, 0, 1], limits = [-0.5, 0.5], effort = EFFORT }
[body.ground]
shape = "plane"
[[contact]]
name = "touch"
between = ["block", "ground"]
restitution = 0
friction = 0.5
"#;

fn block(scratch: &Scratch, effort: &str) -> String {
    let path = scratch.text(&format!("effort_{effort}.toml"));
    std::fs::write(&path, BLOCK.replace("EFFORT", effort)).unwrap();
    path
}

#[test]
fn faults_name_object_value_and_remedy() {
    let scratch = Scratch::new("agility-faults");
    let (strong, weak) = (block(&scratch, "20"), block(&scratch, "0"));
    let cases: [(&[&str], i32, &[&str]); 11] = [
        (&["capability", &weak], 2, &["no motor", "`lift`", "is 0", "hint: give joints"]),
        (&["optimize", &weak], 2, &["no motor", "`lift`"]),
        (&["capability", &strong, "--direction", "0,0,0"], 2, &["direction [0, 0, 0]", "hint: "]),
        (&["capability", &strong, "--direction", "1,x,0"], 2, &["1,x,0", "hint: "]),
        (&["capability", &strong, "--direction", "1,0,0"], 2, &["no coordinate moves", "hint: "]),
        (&["capability", &strong, "--contacts", "foot"], 2, &["`foot`", "there are touch"]),
        (
            &["capability", &strong, "--contacts", "touch"],
            2,
            &["`touch` is open by 0.9 m", "--settle"],
        ),
        (&["capability", &strong, "--point", "head"], 2, &["`head`", "there are block"]),
        (&["capability", &strong, "--map", "lift"], 2, &["names 1 coordinate", "hint: "]),
        (
            &["optimize", &strong, "--contacts", "touch"],
            1,
            &[
                "no posture found",
                "`touch`",
                "misses by 4.000e-1 m",
                "hint: widen the joint limits",
            ],
        ),
        (&["optimize", &strong, "--fix", "elbow"], 2, &["`elbow`", "there are lift"]),
    ];
    for (arguments, code, parts) in cases {
        let output = carom(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty() && message.starts_with("error: "), "{message}");
        for part in parts {
            assert!(message.contains(part), "{arguments:?} lacks {part:?}: {message}");
        }
    }
}

/// Turning about the vertical does not change how fast the leg can be thrown upward: its best postures are ridges, and no
/// end of a climb is a saddle.
#[test]
fn eq11_a_symmetry_is_a_ridge() {
    let options = ["--direction", "0,1,0", "--starts", "6", "--hops", "4", "-q", "--json"];
    let found = json(&carom(&[&["optimize", LEG][..], &options].concat()));
    let optima = found["optima"].as_array().unwrap();
    let ends: Vec<&str> = optima.iter().map(|o| o["end"].as_str().unwrap()).collect();
    assert_eq!(ends[0], "ridge", "{ends:?}");
    assert!(!ends.contains(&"saddle"), "{ends:?}");
}

/// A start below the ground is what --settle is for: the posture is on the ground, and the capability is that of the start
/// above it.
#[test]
fn settle_lifts_a_start_that_penetrates() {
    let ask = |height: &str| {
        let set = format!("urdf.0.position=[0, 0, {height}]");
        let options = ["--contacts", "all", "--settle", "-q", "--json", "--set", &set];
        json(&carom(&[&["capability", "scenes/leg.toml"][..], &options].concat()))
    };
    let (below, above) = (ask("0.19"), ask("0.3"));
    assert!(
        below["acceleration"].as_f64().unwrap() > 0.0
            && above["acceleration"].as_f64().unwrap() > 0.0
    );
    // What overlaps is kept without being named; where nothing does there is nothing to settle.
    let sunk = "body.body.position=[0, 0.15, 0]";
    let settle = |set: &str| {
        carom(&["capability", "scenes/jumper.toml", "--settle", "-q", "--json", "--set", set])
    };
    let found = json(&settle(sunk));
    let contacts = found["contacts"].as_array().unwrap();
    assert_eq!((contacts.len(), &contacts[0]["name"]), (1, &"foot".into()), "{found}");
    let refused = settle("body.body.position=[0, 0.3, 0]");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--contacts"));
    // Without --settle it is still refused.
    let set = "urdf.0.position=[0, 0, 0.19]";
    let refused = carom(&["capability", "scenes/leg.toml", "--contacts", "all", "--set", set]);
    assert_eq!(refused.status.code(), Some(2));
}

/// Four corners of a box keep six freedoms, however many rows they have.
#[test]
fn freedoms_are_counted_by_rank() {
    let scratch = Scratch::new("redundant");
    let scene = "[body.base]\nmass = 2\nshape = { box = [0.4, 0.3, 0.1] }\nposition = [0, 0, 0.05]\n\
                 [body.arm]\nmass = 0.5\nshape = { box = [0.05, 0.05, 0.4], position = [0, 0, 0.2] }\n\
                 feature.tip = { point = [0, 0, 0.4] }\n\
                 joint = { name = \"shoulder\", type = \"revolute\", axis = [0, 1, 0], parent = \"base\", position = [0, 0, 0.05] }\n\
                 [body.ground]\nshape = \"plane\"\n[actuator]\nshoulder = { limit = 2 }\n\
                 [[contact]]\nbetween = [\"base\", \"ground\"]\nfriction = 0.8\nrestitution = 0\n";
    let file = scratch.path("red.toml");
    std::fs::write(&file, scene).unwrap();
    let file = file.to_str().unwrap();
    let output = carom(&["capability", file, "--point", "arm.tip", "--direction", "1,0,0", "-q"]);
    let words = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(words.contains("12, 6 of them redundant"), "{words}");
    let free = words.lines().find(|l| l.trim_start().starts_with("free")).unwrap();
    assert!(free.contains("1, with 1 motors"), "{free}");
}

/// The best posture stands where the scene starts, for every seed: on flat ground nothing tells where to stand.
#[test]
fn the_best_posture_stands_where_the_scene_starts() {
    for seed in ["1", "2"] {
        let options = ["--direction", "-1,1,0", "--starts", "3", "--seed", seed, "-q", "--json"];
        let found = json(&carom(&[&["optimize", LEG][..], &options].concat()));
        let posture = &found["optima"][0]["posture"];
        let x = |name: &str| posture[name].as_f64().unwrap_or_else(|| panic!("{posture}"));
        assert!(x("body.x").abs() < 1e-9 && x("body.z").abs() < 1e-9, "{posture}");
    }
}

/// A motor that changes nothing is not said to stop anything, slopes are said to be of coordinates alone, and so is what
/// their turns are about.
#[test]
fn what_numbers_mean_is_said() {
    let output = carom(&["capability", LEG, "--direction", "-1,1,0", "-q"]);
    let words = text(&output.stdout);
    let line = |start: &str| words.lines().find(|l| l.trim_start().starts_with(start)).unwrap();
    assert!(line("coxa").ends_with("any would do"), "{words}");
    assert!(!line("femur").contains("any would do"), "{words}");
    let stopped = words.split("\nstopped by\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(!stopped.contains("coxa"), "{stopped}");
    let slope = line("slope of the capability");
    assert!(slope.contains("whether or not the feet would stay down"), "{slope}");
    assert!(slope.contains("turns are about axes of the body"), "{slope}");
}

/// One angle may vary and what the ground asks leaves nothing of it: the start is a corner, without curvature.
#[test]
fn a_posture_that_nothing_can_change() {
    let options = ["--starts", "1", "--hops", "0", "--vary", "coxa", "--direction", "0,0,1"];
    let found = carom(&[&["optimize", LEG, "-q"][..], &options].concat());
    let said = text(&found.stderr);
    assert!(matches!(found.status.code(), Some(0 | 2)) && !said.contains("panicked"), "{said}");
}
