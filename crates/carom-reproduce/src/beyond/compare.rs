//! One scene under every law.

use carom::hybrid::{Run, Stop};
use carom::record::EventKind;
use carom_figure::{Figure, Panel};
use carom_scene::Scene;
use std::time::Instant;

use super::laws::Choice;
use crate::claim::Claim;
use crate::data::Data;
use crate::error::Trouble;
use crate::outcome::Outcome;
use crate::show::{fixed, power};
use crate::table::Table;

/// Gains of an impact below this share of the energy at the start are round-off.
const ROUND_OFF: f64 = 1e-10;

/// What a scene did under one law.
#[derive(Debug, Clone)]
pub struct Row {
    /// The law.
    pub law: Choice,
    /// Restitution of all contacts.
    pub restitution: f64,
    /// How it ended.
    pub ending: String,
    /// Whether it went to the end, or to rest.
    pub complete: bool,
    /// Number of impacts.
    pub impacts: usize,
    /// Impacts that gained energy.
    pub gains: usize,
    /// Their sum, J.
    pub gained: f64,
    /// Stored energy at the start and at the end, J.
    pub energy: [f64; 2],
    /// When it came to rest, s.
    pub rest: Option<f64>,
    /// Wall time, s.
    pub seconds: f64,
    /// Times and stored energies.
    pub history: Vec<[f64; 2]>,
}

/// A scene that is to be compared.
pub struct Comparison<'a> {
    /// Its text.
    pub scene: &'a str,
    /// Its name in messages.
    pub name: &'a str,
    /// Number of contacts.
    pub contacts: usize,
    /// Overrides for all runs.
    pub overrides: Vec<String>,
}

impl Comparison<'_> {
    /// Runs it under a law.
    pub fn run(&self, law: Choice, restitution: f64) -> Result<Row, Trouble> {
        let mut overrides = self.overrides.clone();
        overrides.push(format!("law={{ {} }}", law.table));
        for i in 0..self.contacts {
            overrides.push(format!("contact.{i}.restitution={restitution}"));
        }
        let scene = Scene::parse_with(self.scene, self.name, &overrides)?;
        let simulation = scene.simulation()?;
        let start = Instant::now();
        let result = simulation.run_until(scene.options.solver.until);
        let seconds = start.elapsed().as_secs_f64();
        let mut row = Row {
            law,
            restitution,
            ending: String::new(),
            complete: false,
            impacts: 0,
            gains: 0,
            gained: 0.0,
            energy: [f64::NAN; 2],
            rest: None,
            seconds,
            history: Vec::new(),
        };
        match result {
            Ok(run) => fill(&mut row, &run),
            Err(failure) => row.ending = failure.0.to_string(),
        }
        Ok(row)
    }
}

fn fill(row: &mut Row, run: &Run) {
    let initial = run.ledger.initial;
    row.energy = [initial, run.ledger.stored()];
    row.rest = run.events().iter().find(|e| e.kind == EventKind::Rest).map(|e| e.t);
    row.complete = run.stop == Stop::ReachedEnd;
    row.ending = match (row.rest, &run.stop) {
        (Some(t), _) => format!("rests at {} s", fixed(t, 3)),
        (None, Stop::ReachedEnd) => format!("moves at {} s", fixed(run.state.t, 0)),
        (None, stop) => format!("{} at {} s", stop.word(), fixed(run.state.t, 3)),
    };
    for event in run.events().iter().filter(|e| e.kind.is_jump()) {
        row.impacts += 1;
        let gain = -event.energy_lost();
        if gain > ROUND_OFF * initial.abs() {
            row.gains += 1;
            row.gained += gain;
        }
    }
    let recording = &run.recording;
    row.history = recording.t.iter().zip(&recording.stored).map(|(t, e)| [*t, *e]).collect();
}

/// Adds claims, a table and data of all rows.
pub fn show(outcome: &mut Outcome, rows: &[Row]) {
    let promise: Vec<_> = rows.iter().filter(|r| r.law.conserves).collect();
    let broken: Vec<_> = promise.iter().filter(|r| r.gains > 0).map(|r| r.law.name).collect();
    outcome.claim(
        Claim::test(
            "carom laws",
            "Laws that promise never to gain energy do not gain any in these runs.",
            broken.is_empty(),
            format!("{} runs, {} with a gain: {}", promise.len(), broken.len(), names(&broken)),
        )
        .own(),
    );
    let failed: Vec<_> = rows.iter().filter(|r| !r.complete).map(|r| r.law.name).collect();
    outcome.claim(
        Claim::test(
            "carom laws",
            "Every law carries the motion to its end.",
            failed.is_empty(),
            format!("{} of {} runs do not: {}", failed.len(), rows.len(), names(&failed)),
        )
        .own()
        .open("the runs that stop say why in the table"),
    );
    table(outcome, rows);
    let columns = [
        "law",
        "ending",
        "restitution",
        "energy_start.J",
        "energy_end.J",
        "impacts",
        "gains",
        "gained.J",
        "rest.s",
        "wall.s",
    ];
    let mut data = Data::new("laws", &columns);
    for r in rows {
        let numbers = [
            r.restitution,
            r.energy[0],
            r.energy[1],
            r.impacts as f64,
            r.gains as f64,
            r.gained,
            r.rest.unwrap_or(f64::NAN),
            r.seconds,
        ];
        data.labelled(&[r.law.name, &r.ending], &numbers);
    }
    outcome.data(data);
}

/// Laws that differ from each other in these runs and are drawn.
pub const DRAWN: [&str; 6] = [
    "differential, energetic",
    "differential, kinetic",
    "differential, kinematic",
    "Whittaker",
    "Brach",
    "Poisson",
];

/// Stored energy over time, one panel per restitution.
pub fn energies(rows: &[Row], title: &str) -> Figure {
    let mut figure = Figure::new(title).one_legend().width(760.0).share_x();
    let mut all: Vec<f64> = rows.iter().map(|r| r.restitution).collect();
    all.dedup();
    for e in all {
        let mut panel = Panel::new()
            .title(format!("e = {e}"))
            .x(("t", "s"))
            .y(("kinetic and potential energy", "J"))
            .height(200.0);
        for name in DRAWN {
            if let Some(row) = rows.iter().find(|r| r.restitution == e && r.law.name == name) {
                let (t, energy): (Vec<f64>, Vec<f64>) =
                    row.history.iter().map(|h| (h[0], h[1])).unzip();
                panel = panel.line(name, &t, &energy);
            }
        }
        figure = figure.panel(panel);
    }
    figure
}

fn names(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join("; ") }
}

fn table(outcome: &mut Outcome, rows: &[Row]) {
    let mut table = Table::new(
        "Under every law",
        &[
            "law",
            "e",
            "energy at the end J",
            "impacts",
            "of these gain",
            "gained J",
            "ending",
            "wall ms",
        ],
    );
    for r in rows {
        table.row([
            r.law.name.to_string(),
            format!("{}", r.restitution),
            if r.energy[1].is_finite() { fixed(r.energy[1], 3) } else { "–".into() },
            r.impacts.to_string(),
            r.gains.to_string(),
            if r.gained == 0.0 {
                "0".into()
            } else if r.gained < 1e-3 {
                power(r.gained)
            } else {
                fixed(r.gained, 3)
            },
            r.ending.clone(),
            fixed(1e3 * r.seconds, 1),
        ]);
    }
    outcome.table(table);
}
