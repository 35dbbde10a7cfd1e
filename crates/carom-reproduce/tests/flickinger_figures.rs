//! Every experiment of Flickinger has figures that show something and whose texts do not overlap, and data to go with
//! them.

use carom_reproduce::{ALL, Context, Source};

#[test]
fn figures_can_be_read() {
    let own = |s: Source| matches!(s, Source::Flickinger | Source::FlickingerBowling);
    let names = ["pendulum", "bicycle", "oblique", "feasibility", "oscillator"];
    let mut seen = 0;
    for experiment in ALL.iter().filter(|e| own(e.source)) {
        if !names.iter().any(|n| experiment.name.contains(n)) {
            continue;
        }
        let outcome = (experiment.run)(&Context { fast: true }).unwrap();
        assert!(!outcome.figures.is_empty() && !outcome.readings.is_empty(), "{}", experiment.name);
        assert!(outcome.data.iter().all(|d| !d.is_empty()), "{}", experiment.name);
        for plate in &outcome.figures {
            let layout = plate.figure.layout();
            let clashes = layout.clashes();
            assert!(!plate.figure.is_empty(), "{} {}", experiment.name, plate.name);
            assert!(clashes.is_empty(), "{} {}: {clashes:?}", experiment.name, plate.name);
            assert!(layout.left_out.is_empty(), "{} {}", experiment.name, plate.name);
        }
        seen += 1;
    }
    assert_eq!(seen, 8);
}
