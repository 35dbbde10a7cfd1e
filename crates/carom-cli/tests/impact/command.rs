//! The command, and problems to give it.

use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn answers(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub fn carom(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.as_ref().to_vec();
    let feed = std::thread::spawn(move || {
        // A command that fails early closes its input; that is its right.
        let _ = stdin.write_all(&bytes);
    });
    let output = child.wait_with_output().unwrap();
    feed.join().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A rod that hits the floor with its end, sliding: planar, one contact.
pub fn rod() -> Value {
    json!({
        "mass_matrix": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.08333333333333333]],
        "velocity": [0.3, -2.0, 0.0],
        "contacts": [{
            "name": "tip",
            "tangents": [[1.0, 0.0, 0.35355339059327373]],
            "normal": [0.0, 1.0, -0.35355339059327373],
            "friction": 0.5, "restitution": 0.9, "touching": true
        }],
        "law": {"formulation": "differential", "restitution": "energetic"}
    })
}

/// The rod with one value replaced, by JSON pointer.
pub fn rod_with(pointer: &str, value: Value) -> Value {
    let mut problem = rod();
    *problem.pointer_mut(pointer).unwrap() = value;
    problem
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

pub fn gap(a: &Value, b: &Value) -> f64 {
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

pub fn sample(name: &str) -> Vec<Value> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../carom/tests/samples");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
