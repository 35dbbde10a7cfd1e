//! Every scene of the folder runs to its end, twice with the same bits.

use super::support::{folder, load};
use carom::hybrid::Stop;

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> =
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|n| n.ends_with(".toml"));
    names.sort();
    names
}

#[test]
fn runs_twice_with_the_same_bits() {
    let names = names();
    assert!(names.len() >= 17, "{names:?}");
    for name in names {
        let scene = load(&name, &[]);
        let until = scene.options.solver.until;
        let once = || {
            let run = scene.simulation().unwrap().run_until(until);
            run.unwrap_or_else(|e| panic!("{name}: {}", e.0))
        };
        let (a, b) = (once(), once());
        assert!(a == b, "{name} differs from itself");
        match &a.stop {
            Stop::ReachedEnd => {
                assert_eq!(a.state.t.max(a.recording.t[a.recording.t.len() - 1]), until)
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}
