//! Everything that can be plotted against time.

use super::film::Film;
use super::packed::Packed;
use crate::run::Table;
use serde::Serialize;

/// A quantity over the frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// Name of the column.
    pub name: String,
    /// `coordinates`, `speeds`, `energy`, `work`, `force`, `gap`, `torque` or `other`.
    pub group: &'static str,
    /// Unit; empty for a pure number.
    pub unit: String,
    /// Name for people.
    pub label: String,
    /// One number per frame; one alone holds for all.
    pub values: Packed,
}

/// All columns but time and accelerations; where all are the same, one stands for all.
pub(super) fn series(table: &Table, film: &Film) -> Vec<Series> {
    let columns = table.numbers.iter().zip(&film.columns).skip(1);
    columns
        .filter(|(column, _)| !column.name.starts_with("a.") && !film.hidden.contains(&column.name))
        .map(|(column, values)| {
            let (group, label) = names(&column.name, table);
            Series {
                name: column.name.clone(),
                group,
                unit: column.unit.clone(),
                label,
                values: Packed::track(values, 1),
            }
        })
        .collect()
}

/// Group and label of a column.
fn names(name: &str, table: &Table) -> (&'static str, String) {
    let Some((sort, rest)) = name.split_once('.') else { return ("other", name.into()) };
    match sort {
        "q" => ("coordinates", rest.into()),
        // A joint with one degree of freedom has one name for its angle and its rate.
        "v" if table.place(&format!("q.{rest}")).is_some() => ("speeds", format!("{rest} rate")),
        "v" if in_the_body(rest, table) => ("speeds", format!("{rest}, body axes")),
        "v" => ("speeds", rest.into()),
        "w" => (
            "speeds",
            rest.rsplit_once('.').map_or(rest.into(), |(n, a)| format!("{n}.w{a}, world axes")),
        ),
        "energy" if rest == "stored" => ("energy", "total".into()),
        "energy" if rest == "gravity" => ("energy", "potential (gravity)".into()),
        "energy" => ("energy", rest.into()),
        "work" if rest == "applied" => ("work", "applied forces".into()),
        "work" if rest == "damping" => ("work", "dampers".into()),
        "work" if rest == "attenuation" => ("work", "energy control".into()),
        "work" if rest == "carried" => ("work", "time steps".into()),
        "work" => ("work", rest.into()),
        "loss" => ("work", format!("lost at {rest}")),
        "gap" => ("gap", rest.into()),
        "force" => ("force", force(rest, table)),
        "torque" => ("torque", rest.into()),
        _ => ("other", name.into()),
    }
}

/// Whether `NAME.wx` has a column along the axes of the world beside it.
fn in_the_body(rest: &str, table: &Table) -> bool {
    let parts = rest.rsplit_once(".w");
    parts.is_some_and(|(name, axis)| table.place(&format!("w.{name}.{axis}")).is_some())
}

/// `SITE.n` as `SITE normal`, `SITE.t1` as `SITE tangent` where there is no second one.
fn force(rest: &str, table: &Table) -> String {
    let Some((site, axis)) = rest.rsplit_once('.') else { return rest.into() };
    let two = table.place(&format!("force.{site}.t2")).is_some();
    match axis {
        "n" => format!("{site} normal"),
        "t1" if two => format!("{site} tangent 1"),
        "t1" => format!("{site} tangent"),
        "t2" => format!("{site} tangent 2"),
        _ => rest.into(),
    }
}
