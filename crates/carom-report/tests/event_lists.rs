//! The first events of every scene, as they were when they were last looked at.
//!
//! A line has time, kind and, for each contact, its modes and normal impulse. Kinds, contacts and modes are compared word
//! by word; numbers to the last digit that is written, 10⁻⁶ of themselves, or of the largest impulse of the run so far.
//! `CAROM_BLESS=1 cargo test -p carom-report --test event_lists` writes the lists anew; the diff is to be explained where
//! it is committed.

mod support;

use carom_report::{Account, EventLine};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use support::scenes::{account, names};

/// Events of a list: enough to see a change, few enough that motions that double errors at every impact still agree.
const EVENTS: usize = 24;
/// Numbers that differ by less than this part are the same.
const SAME: f64 = 1e-6;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"))
}

fn line(event: &EventLine) -> String {
    let mut text = format!("{:.7e} {}", event.t, event.kind);
    for c in &event.contacts {
        let _ = write!(text, " | {} {}>{} ", c.name, c.mode_before, c.mode_after);
        let _ = write!(text, "{:.7e}", c.impulse_normal);
    }
    text
}

fn list(account: &Account) -> Vec<String> {
    let lines = account.events.iter().take(EVENTS).map(line);
    lines.chain([format!("{} events", account.events.len().min(EVENTS))]).collect()
}

/// Whether two lines say the same; `size` is the largest number so far.
fn same(found: &str, known: &str, size: &mut f64) -> bool {
    let (found, known): (Vec<_>, Vec<_>) =
        (found.split_whitespace().collect(), known.split_whitespace().collect());
    found.len() == known.len()
        && found.iter().zip(&known).enumerate().all(|(k, (a, b))| {
            match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(a), Ok(b)) if k == 0 => (a - b).abs() <= SAME * b.abs().max(SAME),
                (Ok(a), Ok(b)) => {
                    *size = size.max(b.abs());
                    (a - b).abs() <= SAME * *size
                }
                _ => a == b,
            }
        })
}

#[test]
fn events_are_those_that_were_looked_at() {
    let mut wrong = String::new();
    for name in names() {
        let found = list(&account(&name, &[]));
        if std::env::var_os("CAROM_BLESS").is_some() {
            std::fs::create_dir_all(file("x").parent().unwrap()).unwrap();
            std::fs::write(file(&name), found.join("\n") + "\n").unwrap();
            continue;
        }
        let known = std::fs::read_to_string(file(&name)).unwrap_or_default();
        let known: Vec<&str> = known.lines().collect();
        let mut size = 0.0;
        let differs = (0..found.len().max(known.len())).find(|&k| {
            let (a, b) = (found.get(k), known.get(k));
            !matches!((a, b), (Some(a), Some(b)) if same(a, b, &mut size))
        });
        if let Some(k) = differs {
            let of = |line: Option<&str>| line.unwrap_or("nothing").to_string();
            let (a, b) = (of(found.get(k).map(String::as_str)), of(known.get(k).copied()));
            let _ = writeln!(wrong, "{name}, line {}:\n  now    {a}\n  before {b}", k + 1);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn lists_are_told_apart() {
    let known = "5.1535289e-1 impact | tip open>slip 2.0000000e0";
    let mut size = 0.0;
    assert!(same("5.1535290e-1 impact | tip open>slip 2.0000001e0", known, &mut size));
    for other in [
        "5.1535489e-1 impact | tip open>slip 2.0000000e0",
        "5.1535289e-1 touch | tip open>slip 2.0000000e0",
        "5.1535289e-1 impact | tip open>stick 2.0000000e0",
        "5.1535289e-1 impact | tip open>slip 2.0000100e0",
        "5.1535289e-1 impact",
    ] {
        assert!(!same(other, known, &mut 0.0), "{other}");
    }
}
