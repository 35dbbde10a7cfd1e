//! Runs as tables and files.

use carom::record::Event;
use nalgebra::DVector;

use super::case::Case;
use super::estimate::{bounded_estimate, impact_force_estimate};
use crate::data::Data;
use crate::error::Trouble;
use crate::table::Table;

/// Samples of a run: time, coordinates, velocities, energies, forces of every contact.
pub fn samples(name: &str, case: &Case) -> Data {
    let model = &case.scene.model;
    let mut columns = vec!["t.s".to_owned()];
    columns.extend(model.q_names().iter().map(|n| format!("q.{n}")));
    columns.extend(model.v_names().iter().map(|n| format!("v.{n}")));
    columns.extend(["kinetic.J", "potential.J", "total.J"].map(String::from));
    for pair in model.pairs() {
        columns.extend([format!("{}.tangent.N", pair.name), format!("{}.normal.N", pair.name)]);
    }
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut data = Data::new(name, &names);
    for row in &case.rows {
        let mut numbers = vec![row.t];
        numbers.extend(&row.q);
        numbers.extend(&row.v);
        numbers.extend([row.kinetic, row.gravity, Case::total(row)]);
        numbers.extend(row.forces.iter().flat_map(|f| [f[0], f[2]]));
        data.row(&numbers);
    }
    data
}

/// Impacts of a run, one line per contact that took part, with the source's estimate of the force, without and with its
/// bound.
pub fn impacts(name: &str, case: &Case) -> Result<Data, Trouble> {
    let columns = [
        "contact",
        "t.s",
        "u_t.before.m/s",
        "u_n.before.m/s",
        "u_t.after.m/s",
        "u_n.after.m/s",
        "p_t.N s",
        "p_n.N s",
        "kinetic.before.J",
        "kinetic.after.J",
        "estimate.tangent.N",
        "estimate.normal.N",
        "bounded.tangent.N",
        "bounded.normal.N",
        "e_t",
    ];
    let mut data = Data::new(name, &columns);
    let model = &case.scene.model;
    for event in case.impacts() {
        let force = impact_force_estimate(model, event)?;
        let bounded = bounded_estimate(model, event)?;
        for (k, c) in event.contacts.iter().enumerate() {
            let of =
                |f: &Option<DVector<f64>>, i: usize| f.as_ref().map_or(f64::NAN, |f| f[2 * k + i]);
            let numbers = [
                event.t,
                c.u_pre[0],
                c.u_pre[2],
                c.u_post[0],
                c.u_post[2],
                c.impulse[0],
                c.impulse[2],
                event.energy_before,
                event.energy_after,
                of(&force, 0),
                of(&force, 1),
                of(&bounded, 0),
                of(&bounded, 1),
                // (4.11), the tangential coefficient after the fact.
                if c.u_pre[0] == 0.0 { f64::NAN } else { c.u_post[0] / c.u_pre[0] },
            ];
            data.labelled(&[&model.pairs()[c.site].name], &numbers);
        }
    }
    Ok(data)
}

/// One row per run: what it did.
pub fn overview<'a>(title: &str, cases: impl Iterator<Item = (String, &'a Case)>) -> Table {
    let header = [
        "run",
        "impacts",
        "impacts that gain",
        "largest gain / J",
        "lost in all / J",
        "at rest from / s",
        "time / ms",
    ];
    let mut table = Table::new(title, &header);
    for (name, case) in cases {
        let largest = case.gains().map(|e| -e.energy_lost()).fold(0.0, f64::max);
        let (first, last) = (case.rows.first(), case.rows.last());
        let lost = first.zip(last).map_or(f64::NAN, |(a, b)| Case::total(a) - Case::total(b));
        table.row([
            name,
            case.impacts().count().to_string(),
            case.gains().count().to_string(),
            format!("{largest:.3}"),
            format!("{lost:.3}"),
            case.rest().map_or("–".into(), |t| format!("{t:.4}")),
            format!("{:.2}", case.seconds * 1e3),
        ]);
    }
    table
}

/// Impacts as words: time and what they gained, J; the first few, and how many more.
pub fn gains_in_words<'a>(gains: impl Iterator<Item = &'a Event>) -> String {
    const SHOWN: usize = 5;
    let all: Vec<_> =
        gains.map(|e| format!("{:+.3} J at {:.4} s", -e.energy_lost(), e.t)).collect();
    match all.len() {
        0 => "none".into(),
        n if n <= SHOWN => all.join(", "),
        n => format!("{}, and {} more", all[..SHOWN].join(", "), n - SHOWN),
    }
}
