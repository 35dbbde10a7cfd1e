//! `carom check` and `carom schema`: exit code, stdout and stderr as recorded.
//!
//! `CAROM_BLESS=1 cargo test -p carom-cli --test check` writes the records anew.

use carom_testing::root;
use std::path::Path;
use std::process::Command;

/// Run in the root of the workspace and compare with the record of that name.
fn recorded(name: &str, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("the binary runs");
    let found = format!(
        "$ carom {}\nexit {}\n--- stdout\n{}--- stderr\n{}",
        arguments.join(" "),
        output.status.code().expect("no signal"),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(path, found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == expected, "not as recorded:\n{found}");
}

#[test]
fn scenes() {
    for name in ["ball", "double_pendulum", "incline", "pendulum", "leg"] {
        recorded(&format!("check_{name}"), &["check", &format!("scenes/{name}.toml")]);
    }
}

#[test]
fn overrides() {
    recorded(
        "check_override",
        &[
            "check",
            "scenes/ball.toml",
            "--set",
            "body.ball.mass=0.2",
            "--set",
            "law.formulation=newton",
        ],
    );
}

#[test]
fn robots() {
    recorded("check_urdf", &["check", "scenes/leg.urdf", "--set", "urdf.0.floating_base=true"]);
    recorded("check_robots", &["check", "crates/carom-scene/tests/good/robots.toml"]);
}

#[test]
fn rules() {
    recorded("check_rules", &["check", "crates/carom-scene/tests/good/cradle.toml"]);
}

#[test]
fn schema_is_json() {
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).arg("schema").output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema, carom_scene::schema());
}

/// The first line is the one of the README.
#[test]
fn the_summary_comes_first() {
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["check", "scenes/ball.toml"])
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().next(), Some("1 moving body, 6 degrees of freedom, 1 contact pair"));
}
