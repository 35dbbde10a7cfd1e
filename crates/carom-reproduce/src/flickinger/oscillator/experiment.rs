//! The experiment: both schemes under several forcings, and their convergence to the closed form.

use super::convergence::convergence;
use super::exact::Exact;
use super::figures::{positions, rates};
use super::forcing::{FORCINGS, Forcing, System};
use super::measure::Motion;
use super::projection::project;
use super::simulated::{Scheme, simulate};
use super::statements::claims;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::table::Table;

/// The experiment of appendix A.
pub const OSCILLATOR: Experiment = Experiment {
    name: "flickinger-oscillator",
    title: "Mass, spring and dry friction: fixed steps with projection against events",
    source: Source::Flickinger,
    covers: &["figure A.2", "figure A.3"],
    run,
};

/// Step of the fixed-step scheme and output interval, table A.2, s.
pub(super) const STEP: f64 = 0.01;
/// Relative tolerance of the adaptive scheme, table A.2.
const RTOL: f64 = 1e-4;

/// One forcing under both schemes of the source, and in closed form.
pub(super) struct Pair {
    pub system: System,
    pub exact: Exact,
    pub fixed: Motion,
    pub events: Motion,
}

impl Pair {
    /// The schemes with the steps of table A.2; and the wall time of carom, s.
    fn simulated(forcing: Forcing, end: f64) -> Result<(Self, f64), Trouble> {
        let (events, seconds) = simulate(forcing, Scheme::Adaptive { rtol: RTOL }, end, STEP)?;
        Ok((Self { events, ..Self::ideal(forcing, end) }, seconds))
    }

    /// The closed form in the place of the event-driven scheme.
    pub fn ideal(forcing: Forcing, end: f64) -> Self {
        let system = System::new(forcing);
        let exact = Exact::new(system, end);
        let events = exact.motion(STEP);
        Self { system, exact, fixed: project(&system, STEP, end), events }
    }

    pub fn label(&self) -> String {
        self.system.forcing.label()
    }
}

/// Computes it.
pub fn run(context: &Context) -> Result<Outcome, Trouble> {
    let end = context.pick(6.0, 3.0);
    let runs: Vec<(Pair, f64)> =
        FORCINGS.iter().map(|f| Pair::simulated(*f, end)).collect::<Result<_, _>>()?;
    let (pairs, seconds): (Vec<Pair>, Vec<f64>) = runs.into_iter().unzip();
    let mut outcome = Outcome::new(
        "A block on a spring and a dry friction damper whose far end is shaken. The fixed-step scheme predicts zero \
         crossings of the slip velocity from the acceleration and holds the damper for a whole step; carom locates \
         them. Both are compared with the closed form, which is exact between events.",
    );
    readings(&mut outcome);
    let together = claims(context, &pairs, &mut outcome);
    behaviour(&pairs, &mut outcome);
    convergence(context, &pairs[0], &mut outcome)?;
    samples(&pairs[0], &mut outcome);
    outcome.figure("figure_A2", "figure A.2", positions(&pairs[0]));
    outcome.figure("figure_A3", "figure A.3", rates(&pairs[0]));
    // The forcings under which every statement holds may be the published one.
    for (k, forcing) in together.into_iter().enumerate().take(2) {
        let (pair, _) = Pair::simulated(forcing, end)?;
        outcome.figure(format!("all_hold_{}_positions", k + 1), "figure A.2", positions(&pair));
        outcome.figure(format!("all_hold_{}_velocity", k + 1), "figure A.3", rates(&pair));
    }
    for (pair, seconds) in pairs.iter().zip(seconds) {
        outcome.timing(format!("event-driven run of {end} s, {}", pair.label()), seconds);
    }
    Ok(outcome)
}

fn readings(outcome: &mut Outcome) {
    outcome.reading(
        "Appendix A states neither the forcing nor the normal force of the damper. Taken: the weight of the block, 1 lbf, \
         and A sin 2πft. Each statement is tested under four forcings around the natural frequency of 4.42 Hz, and is \
         decided only if all of them give the same answer; a grid of forcings tells how often it holds.",
    );
    outcome.reading(
        "Table A.2 calls 0.01 an integration step (total); it is taken as the fixed step and as the output interval, in \
         seconds. The projection is described in words only; taken: the slip velocity is set to zero for one step when \
         velocity and velocity plus step times acceleration differ in sign.",
    );
}

fn behaviour(pairs: &[Pair], outcome: &mut Outcome) {
    let mut table = Table::new(
        "What the damper does: closed form, events, fixed steps",
        &[
            "forcing",
            "scheme",
            "sticks",
            "time stuck / s",
            "shortest stick / ms",
            "reversals",
            "error / mm",
        ],
    );
    for p in pairs {
        let exact = p.exact.motion(STEP);
        let rows =
            [("closed form", &exact), ("events, rtol 1e-4", &p.events), ("fixed 10 ms", &p.fixed)];
        for (name, motion) in rows {
            table.row([
                p.label(),
                name.to_owned(),
                motion.times_stuck().to_string(),
                format!("{:.4}", motion.time_stuck()),
                format!("{:.3}", motion.shortest_stick() * 1e3),
                (motion.crossings - motion.captures).to_string(),
                format!("{:.2e}", motion.error(|t| p.exact.at(t)[0]) * 1e3),
            ]);
        }
    }
    outcome.table(table);
}

fn samples(p: &Pair, outcome: &mut Outcome) {
    let columns = ["t.s", "U.m", "Z.m", "dZ.m", "dVs.m/s"];
    for (name, motion) in
        [("closed_form", &p.exact.motion(STEP)), ("events", &p.events), ("fixed_step", &p.fixed)]
    {
        let mut data = Data::new(name, &columns);
        for ((t, x), v) in motion.t.iter().zip(&motion.x).zip(&motion.v) {
            let u = p.system.support(*t);
            data.row(&[*t, u, x + u, *x, *v]);
        }
        outcome.data(data);
    }
}
