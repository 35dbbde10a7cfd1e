//! Every bad input ends with exit code 2 and a message with place, value, range and hint.
//!
//! Each file of `crates/carom-scene/tests/bad` has its message beside it. A first line
//! `# args: …` holds further arguments. `CAROM_BLESS=1 cargo test -p carom-cli --test bad_inputs`
//! writes the messages anew; read the difference before you commit it.

use carom_testing::Scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom-scene/tests/bad")
}

fn carom(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary runs")
}

fn transcript(output: &Output) -> String {
    assert!(output.stdout.is_empty(), "an error prints nothing on stdout");
    let code = output.status.code().expect("no signal");
    format!("exit {code}\n{}", String::from_utf8_lossy(&output.stderr))
}

fn inputs() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder of bad inputs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml" || e == "urdf"))
        .filter(|p| p.file_stem().is_some_and(|s| s != "good"))
        .collect();
    files.sort();
    files
}

#[test]
fn messages_are_as_recorded() {
    let bless = std::env::var_os("CAROM_BLESS").is_some();
    let files = inputs();
    assert!(files.len() >= 140, "only {} bad inputs", files.len());
    let mut differing = Vec::new();
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(file).unwrap();
        let first = text.lines().next().unwrap_or("");
        let mut arguments = vec!["check", name];
        arguments.extend(first.strip_prefix("# args: ").unwrap_or("").split_whitespace());
        let found = transcript(&carom(&arguments, &folder()));
        assert!(found.starts_with("exit 2\nerror: "), "{name}:\n{found}");
        assert!(found.contains("\n  --> "), "{name} has no place:\n{found}");
        assert!(found.contains("\nhint: "), "{name} has no hint:\n{found}");
        let golden = file.with_file_name(format!("{name}.txt"));
        if bless {
            std::fs::write(&golden, &found).unwrap();
        } else if std::fs::read_to_string(&golden).ok().as_deref() != Some(&found) {
            differing.push(format!("{name}:\n{found}"));
        }
    }
    assert!(differing.is_empty(), "not as recorded:\n{}", differing.join("\n"));
}

#[test]
fn a_missing_file_is_named() {
    let found = transcript(&carom(&["check", "nowhere.toml"], &folder()));
    let expected = "exit 2\nerror: cannot read `nowhere.toml`: no such file\n  --> nowhere.toml\n\nhint: check the path and the permissions\n";
    assert_eq!(found, expected);
}

#[test]
fn a_folder_is_no_scene() {
    let found = transcript(&carom(&["check", "."], &folder()));
    assert!(found.starts_with("exit 2\nerror: `.` is a folder, not a scene"), "{found}");
}

/// A text that a generator wrote, checked within a time that no machine needs.
fn hostile(name: &str, bytes: &[u8], expected: &str) {
    let scratch = Scratch::new("hostile");
    std::fs::write(scratch.path(name), bytes).unwrap();
    let start = Instant::now();
    let found = transcript(&carom(&["check", name], scratch.folder()));
    let time = start.elapsed();
    assert!(found.starts_with(&format!("exit 2\nerror: {expected}")), "{name}:\n{found}");
    assert!(found.len() < 2000, "{name}: a message of {} bytes", found.len());
    assert!(time < Duration::from_secs(60), "{name}: {time:?}");
}

/// Pseudo-random bytes, always the same.
fn noise(length: usize, alphabet: &[u8]) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..length).map(|_| alphabet[(next() % alphabet.len() as u64) as usize]).collect()
}

#[test]
fn ten_megabytes_of_garbage() {
    const SIZE: usize = 10_000_000;
    let printable: Vec<u8> = (32..127).collect();
    let every: Vec<u8> = (0..=255).collect();
    hostile("printable.toml", &noise(SIZE, &printable), "this is not TOML: ");
    hostile("tokens.toml", &noise(SIZE, b"[]{}=\"'#\n .,a1_-"), "this is not TOML: ");
    hostile("binary.toml", &noise(SIZE, &every), "`binary.toml` is not a text file");
    hostile("printable.urdf", &noise(SIZE, &printable), "this is not XML: ");
    hostile("zeros.toml", &vec![0; SIZE], "this is not TOML: ");
    hostile("large.toml", &vec![b'#'; 40_000_000], "`large.toml` is too large for a scene");
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, n: usize| open.repeat(n).into_bytes();
    let after = |start: &str, open: &str, n: usize| [start.as_bytes(), &deep(open, n)].concat();
    hostile("lists.toml", &after("a = ", "[", 1_000_000), "this is not TOML: ");
    hostile("tables.toml", &after("a = ", "{a=", 1_000_000), "this is not TOML: ");
    hostile("dots.toml", &after("a", ".a", 1_000_000), "this is not TOML: ");
    hostile("headers.toml", &after("[a", ".a", 1_000_000), "this is not TOML: ");
    hostile("tags.urdf", &after("<robot>", "<link>", 1_000_000), "this is not XML: ");
    let closed =
        format!("<robot>{}{}</robot>", "<link>".repeat(500_000), "</link>".repeat(500_000));
    hostile(
        "closed.urdf",
        closed.as_bytes(),
        "this is not URDF: tags stand inside each other more than 400 deep",
    );
}

/// Large files that are no garbage: time must grow with their size, not with its square.
#[test]
fn many_parts() {
    let mut text = String::from("[body.ground]\nshape = \"plane\"\n");
    for i in 0..60_000 {
        text.push_str(&format!("[body.b{i}]\nmass = 1\nshape = {{ sphere = 1 }}\n"));
    }
    text.push_str("[[contact]]\nbetween = [\"b0\", \"nobody\"]\nrestitution = 0\nfriction = 0\n");
    hostile("bodies.toml", text.as_bytes(), "contact 1: there is no body or feature `nobody`");
    let mut text = String::from("<robot name=\"chain\">\n<link name=\"l0\"/>\n");
    for i in 1..40_000 {
        text.push_str(&format!(
            "<link name=\"l{i}\"/><joint name=\"j{i}\" type=\"continuous\"><parent link=\"l{}\"/><child link=\"l{i}\"/></joint>\n",
            i - 1
        ));
    }
    text.push_str("</robot>");
    hostile("chain.urdf", text.as_bytes(), "joint `j1` moves nothing that has mass");
}

/// Spheres side by side.
fn many_bodies(count: usize) -> String {
    let body =
        |i| format!("[body.b{i}]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [{i}, 0, 1]\n");
    "[body.ground]\nshape = \"plane\"\n".to_string() + &(0..count).map(body).collect::<String>()
}

/// A robot whose links hang on each other.
fn long_chain(count: usize) -> String {
    let link = |i: usize| {
        format!(
            "<link name=\"l{i}\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" \
             ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
        )
    };
    let joint = |i: usize| {
        format!(
            "<joint name=\"j{i}\" type=\"continuous\"><parent link=\"l{i}\"/><child \
             link=\"l{}\"/><axis xyz=\"0 1 0\"/><limit effort=\"1\" velocity=\"1\"/></joint>",
            i + 1
        )
    };
    let links: String = (0..count).map(link).collect();
    let joints: String = (0..count - 1).map(joint).collect();
    format!("<robot name=\"r\">{links}{joints}</robot>")
}

fn many_attributes(count: usize) -> String {
    let attributes: String = (0..count).map(|i| format!(" x{i}=\"1\"")).collect();
    format!("<robot name=\"r\"><link name=\"a\"{attributes}/></robot>")
}

/// The time that a command computes, s, as the shell that waits for it tells it, and its exit code.
#[cfg(unix)]
fn computing(command: &str, file: &str, folder: &Path) -> (f64, Option<i32>) {
    let line = format!(
        "'{}' {command} {file} >/dev/null 2>&1; code=$?; times; exit $code",
        env!("CARGO_BIN_EXE_carom")
    );
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The second line is that of the children: 0m1.25s of their own, then of the system.
    let own = text.lines().nth(1).and_then(|l| l.split_whitespace().next()).unwrap();
    let (minutes, seconds) = own.trim_end_matches('s').split_once('m').unwrap();
    let number = |t: &str| t.parse::<f64>().unwrap();
    (60.0 * number(minutes) + number(seconds), output.status.code())
}

/// Times grow with the size of an input, not with its square: each of these took minutes, or would not end. Four times
/// the size may take eight times as long, where a square would take sixteen.
#[cfg(unix)]
#[test]
fn large_inputs_take_no_longer_than_they_must() {
    /// What is too short to be compared, s.
    const SHORT: f64 = 0.5;
    type Make = fn(usize) -> String;
    let scratch = Scratch::new("large");
    let cases: [(&str, &str, Make, usize, i32); 5] = [
        ("check", "bodies.toml", many_bodies, 2500, 0),
        ("check", "chain.urdf", long_chain, 2000, 0),
        ("check", "attributes.urdf", many_attributes, 10_000, 2),
        ("impact", "blanks.jsonl", |n| " ".repeat(n), 8 << 20, 2),
        ("impact", "brackets.jsonl", |n| "[".repeat(n), 8 << 20, 2),
    ];
    for (command, name, make, size, code) in cases {
        let [small, large] = [size, 4 * size].map(|size| {
            std::fs::write(scratch.path(name), make(size)).unwrap();
            let (time, found) = computing(command, name, scratch.folder());
            assert_eq!(found, Some(code), "{name} of size {size}");
            time
        });
        println!("{name}: {small} s, {large} s");
        assert!(large <= 8.0 * small + SHORT, "{name}: {small} s, four times as much {large} s");
    }
}
