//! Every figure of every experiment, in its fast form: something is in it and its texts are readable.

mod support;

use carom_figure::Theme;
use carom_reproduce::ALL;
use support::outcome;

#[test]
fn figures_are_filled_and_readable() {
    for experiment in ALL {
        let outcome = outcome(experiment);
        let mut names: Vec<&str> = outcome.figures.iter().map(|p| p.name.as_str()).collect();
        names.extend(outcome.data.iter().map(|d| d.name.as_str()));
        for plate in &outcome.figures {
            let name = format!("{}/{}", experiment.name, plate.name);
            assert!(!plate.figure.is_empty(), "{name}");
            assert!(!plate.figure.heading().is_empty(), "{name}");
            assert!(plate.figure.panels().iter().all(|p| !p.is_empty()), "{name}: an empty panel");
            let layout = plate.figure.layout();
            assert!(layout.clashes().is_empty(), "{name}: {:?}", layout.clashes());
            assert!(layout.left_out.is_empty(), "{name}: {:?}", layout.left_out);
            assert!(plate.figure.svg(Theme::Page).starts_with("<svg"), "{name}");
        }
        for data in &outcome.data {
            assert!(!data.is_empty(), "{}/{}", experiment.name, data.name);
        }
    }
}
