//! Figures A.2 and A.3, and the convergence of all schemes.

use carom_figure::{Axis, Figure, Guide, Line, Marker, Panel};

use super::convergence::Ladder;
use super::experiment::{Pair, STEP};
use super::measure::Motion;

/// The time that is shown, s.
const SHOWN: f64 = 1.5;

fn schemes(pair: &Pair) -> [(&'static str, Motion); 3] {
    let dense = pair.exact.motion(STEP / 10.0);
    [
        ("Fixed steps with projection", pair.fixed.clone()),
        ("Adaptive steps with events", pair.events.clone()),
        ("Closed form", dense),
    ]
}

/// Positions U, Z and dZ under each scheme.
pub fn positions(pair: &Pair) -> Figure {
    let mut figure =
        Figure::new(format!("Positions, {}", pair.label())).share_x().one_legend().width(760.0);
    for (name, motion) in schemes(pair) {
        let support = |t: &f64| 1e3 * pair.system.support(*t);
        let u: Vec<f64> = motion.t.iter().map(support).collect();
        let d: Vec<f64> = motion.x.iter().map(|x| 1e3 * x).collect();
        let z: Vec<f64> = u.iter().zip(&d).map(|(u, d)| u + d).collect();
        let panel = Panel::new()
            .title(name)
            .x(Axis::new("t", "s").range(0.0, SHOWN))
            .y(("position", "mm"))
            .height(130.0)
            .line("U", &motion.t, &u)
            .line("Z", &motion.t, &z)
            .line("dZ", &motion.t, &d);
        figure = figure.panel(panel);
    }
    figure
}

/// Slip velocity under each scheme.
pub fn rates(pair: &Pair) -> Figure {
    let mut figure = Figure::new(format!("Slip velocity of the damper, {}", pair.label()))
        .share_x()
        .width(760.0);
    for (name, motion) in schemes(pair) {
        let v: Vec<f64> = motion.v.iter().map(|v| 1e3 * v).collect();
        let panel = Panel::new()
            .title(name)
            .x(Axis::new("t", "s").range(0.0, SHOWN))
            .y(("dVs", "mm/s"))
            .height(130.0)
            .add(Line::unnamed(&motion.t, &v))
            .add(Guide::horizontal(0.0, ""));
        figure = figure.panel(panel);
    }
    figure
}

/// Error over step, and over tolerance.
pub fn errors(ladders: &[Ladder; 3]) -> Figure {
    let panel = |x: Axis, ladders: &[&Ladder]| {
        let mut panel = Panel::new().x(x.log()).y(Axis::new("largest error of dZ", "m").log());
        for (ladder, marker) in ladders.iter().zip([Marker::Dot, Marker::Diamond]) {
            let (h, e): (Vec<f64>, Vec<f64>) = ladder.rungs.iter().map(|r| (r[0], r[1])).unzip();
            let name = format!("{}, order {:.1}", ladder.name, ladder.order());
            panel = panel.add(Line::new(name, &h, &e).marker(marker));
        }
        panel
    };
    let [projected, fixed, adaptive] = ladders;
    Figure::new("Convergence to the closed form")
        .columns(2)
        .width(960.0)
        .panel(panel(Axis::new("step", "s"), &[projected, fixed]))
        .panel(panel(Axis::new("rtol", ""), &[adaptive]))
}
