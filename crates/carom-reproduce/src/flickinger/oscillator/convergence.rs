//! Convergence of all schemes to the closed form.

use super::experiment::{Pair, STEP};
use super::figures::errors;
use super::measure::Motion;
use super::projection::project;
use super::simulated::{Scheme, simulate};
use crate::claim::Claim;
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::Context;
use crate::outcome::Outcome;
use crate::table::Table;

/// Largest errors of one scheme as its steps shrink.
pub(super) struct Ladder {
    pub name: &'static str,
    pub unit: &'static str,
    pub rungs: Vec<[f64; 2]>,
}

impl Ladder {
    /// Slope of log error over log step between first and last rung.
    pub fn order(&self) -> f64 {
        match (self.rungs.first(), self.rungs.last()) {
            (Some([h0, e0]), Some([h1, e1])) => (e0 / e1).ln() / (h0 / h1).ln(),
            _ => f64::NAN,
        }
    }
}

fn ladders(context: &Context, pair: &Pair) -> Result<[Ladder; 3], Trouble> {
    let end = pair.exact.end;
    let error = |m: &Motion| m.error(|t| pair.exact.at(t)[0]);
    let count = context.pick(8, 5);
    let steps: Vec<f64> = (0..count).map(|k| STEP / f64::from(1 << k)).collect();
    let projected =
        steps.iter().map(|&h| [h, error(&project(&pair.system, h, end))]).collect::<Vec<_>>();
    let simulated = |scheme: Scheme| -> Result<f64, Trouble> {
        Ok(error(&simulate(pair.system.forcing, scheme, end, STEP)?.0))
    };
    let fixed = steps.iter().take(6).map(|&step| Ok([step, simulated(Scheme::Fixed { step })?]));
    let fixed = fixed.collect::<Result<Vec<_>, Trouble>>()?;
    let tolerances = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
    let adaptive = tolerances.iter().map(|&rtol| Ok([rtol, simulated(Scheme::Adaptive { rtol })?]));
    let adaptive = adaptive.collect::<Result<Vec<_>, Trouble>>()?;
    Ok([
        Ladder { name: "fixed steps with projection", unit: "step / s", rungs: projected },
        Ladder { name: "carom, fixed steps with events", unit: "step / s", rungs: fixed },
        Ladder { name: "carom, adaptive with events", unit: "rtol", rungs: adaptive },
    ])
}

/// Tells how each scheme comes to the closed form.
pub(super) fn convergence(
    context: &Context,
    pair: &Pair,
    outcome: &mut Outcome,
) -> Result<(), Trouble> {
    let all = ladders(context, pair)?;
    let mut data = Data::new("convergence", &["scheme", "step.s or rtol", "error.m"]);
    let mut table = Table::new(
        format!("Convergence to the closed form, {}", pair.label()),
        &["scheme", "from", "to", "error from / m", "to / m", "observed order"],
    );
    for ladder in &all {
        for rung in &ladder.rungs {
            data.labelled(&[ladder.name], rung);
        }
        if let (Some(first), Some(last)) = (ladder.rungs.first(), ladder.rungs.last()) {
            table.row([
                ladder.name.to_owned(),
                format!("{} {:.3e}", ladder.unit, first[0]),
                format!("{:.3e}", last[0]),
                format!("{:.3e}", first[1]),
                format!("{:.3e}", last[1]),
                format!("{:.2}", ladder.order()),
            ]);
        }
    }
    outcome.claim(converges(&all));
    outcome.figure("convergence", "", errors(&all));
    outcome.table(table);
    outcome.data(data);
    Ok(())
}

fn converges(all: &[Ladder; 3]) -> Claim {
    let [projected, fixed, adaptive] = all;
    let shrinks =
        |l: &Ladder| l.rungs.last().zip(l.rungs.first()).is_some_and(|(a, b)| a[1] < 0.05 * b[1]);
    let orders = all.iter().map(|l| format!("{}: order {:.2}", l.name, l.order()));
    Claim::test(
        "A.5",
        "Both methods model the same system, so that both come to the same motion as their steps shrink.",
        shrinks(projected) && shrinks(fixed) && shrinks(adaptive),
        orders.collect::<Vec<_>>().join("; "),
    )
}
