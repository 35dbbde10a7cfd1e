//! `summary.json`: how a run ended, what it took, where the energy went and how well the laws held.

use super::digest::Digest;
use super::disk::FileRecord;
use super::job::{FORMAT, FORMAT_VERSION, Job};
use super::tally::Tally;
use carom::contact::Site;
use carom::hybrid::{Outcome, SimError, Statistics, Stop};
use carom::record::{Ledger, Rescue, SiteWork};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StopRecord {
    /// `reached-end`, `interrupted`, `observer`, `no-solution`, `ambiguous`, `runaway`, `open-ledger` or
    /// `error`.
    pub reason: String,
    /// Time of the last sample, s.
    pub t: f64,
    /// Contacts that took part in the ending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<String>,
    /// How far the energy ledger was open, J, if that ended the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closure: Option<f64>,
    /// Kinetic energy that ended the run, J.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinetic: Option<f64>,
    /// How far the ledger may be open, or how large the kinetic energy may be, J.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The error in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What may be done about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl StopRecord {
    /// What a reader should know of a run that ended early; none if it reached its end or failed.
    pub fn explanation(&self) -> Option<String> {
        let quoted: Vec<String> = self.contacts.iter().map(|c| format!("`{c}`")).collect();
        let at = match quoted.len() {
            0 => String::new(),
            1 => format!(" at contact {}", quoted[0]),
            _ => format!(" at contacts {}", quoted.join(", ")),
        };
        let joules = |x: Option<f64>| x.map_or("unknown".into(), |x| rough(x.abs()));
        match self.reason.as_str() {
            "reached-end" | "error" => None,
            "interrupted" => Some("it was interrupted".into()),
            "observer" => Some("its observer asked for it".into()),
            "no-solution" => Some(format!(
                "no contact forces agree with rigid bodies and Coulomb friction{at} (Painlevé)"
            )),
            "ambiguous" => Some(format!(
                "several motions agree with rigid bodies and Coulomb friction{at}, and none of \
                 them continues the motion before (Painlevé)"
            )),
            "runaway" => Some(format!(
                "its impact law has made energy without bound: {} J move, and beyond {} J what the \
                 scene began with is below the tolerance",
                joules(self.kinetic),
                joules(self.bound)
            )),
            "open-ledger" => Some(format!(
                "the energy ledger is open by {} J, more than its bound {} J",
                joules(self.closure),
                joules(self.bound)
            )),
            other => Some(format!("{}{at}", other.replace('-', " "))),
        }
    }

    /// How the result of a run ended it at time `t`.
    pub fn new(result: &Result<Outcome, SimError>, interrupted: bool, t: f64) -> Self {
        let mut record = Self { t, ..Self::default() };
        match result {
            Ok(outcome) => {
                record.reason = outcome.stop.word().into();
                if interrupted && outcome.stop == Stop::Observer {
                    record.reason = "interrupted".into();
                }
                match &outcome.stop {
                    Stop::NoSolution { contacts, .. } | Stop::Ambiguous { contacts, .. } => {
                        record.contacts = contacts.clone();
                    }
                    Stop::Runaway { kinetic, bound, .. } => {
                        (record.kinetic, record.bound) = (Some(*kinetic), Some(*bound));
                    }
                    Stop::OpenLedger { closure, bound, .. } => {
                        (record.closure, record.bound) = (Some(*closure), Some(*bound));
                    }
                    Stop::ReachedEnd | Stop::Observer => {}
                }
            }
            Err(error) => {
                record.reason = "error".into();
                record.message = Some(error.to_string());
                record.hint = Some(error.hint().into());
            }
        }
        record
    }
}

/// How much there was of everything.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Rows of the trajectory.
    pub samples: u64,
    /// Events of all sorts.
    pub events: u64,
    /// Events in which velocities jumped.
    pub impacts: u64,
    /// Events after which some contact had another mode, impacts included.
    pub mode_changes: u64,
    /// Events by their sort.
    pub by_kind: BTreeMap<String, u64>,
    /// Work of the solver; none if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverCounts>,
}

/// What the solver took.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SolverCounts {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the right-hand side.
    pub rates: u64,
    /// Evaluations of the guards.
    pub guards: u64,
    /// Guard intervals that were decided by their ends alone.
    pub unresolved_guards: u64,
}

impl From<&Statistics> for SolverCounts {
    fn from(s: &Statistics) -> Self {
        Self {
            steps: s.steps,
            rejected: s.rejected,
            rates: s.rates,
            guards: s.guards,
            unresolved_guards: s.unresolved_guards,
        }
    }
}

/// Work done on the mechanism at one contact, J; losses are negative.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ContactEnergy {
    /// The site.
    pub name: String,
    /// Friction while sliding.
    pub sliding: f64,
    /// Normal impulses.
    pub impact_normal: f64,
    /// Friction impulses.
    pub impact_friction: f64,
}

/// The energy ledger at the end, J: stored = initial + applied + damping + attenuation + carried + all
/// contacts + closure.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EnergyRecord {
    /// Stored at the start.
    pub initial: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Energy in the field of gravity.
    pub gravity: f64,
    /// Energy in springs.
    pub spring: f64,
    /// Sum of the three.
    pub stored: f64,
    /// Work of actuators, user forces and prescribed motions.
    pub applied: f64,
    /// Work of dampers.
    pub damping: f64,
    /// Work of energy control by attenuation, which no contact takes up.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attenuation: f64,
    /// Work of time steps that carried clusters over, and of velocities returned to zero at events.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub carried: f64,
    /// Works at the contacts.
    pub contacts: Vec<ContactEnergy>,
    /// Lost in dampers, by attenuation, in time steps and at contacts.
    pub lost: f64,
    /// What the ledger does not explain.
    pub closure: f64,
}

/// Whether a number need not be written.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

impl EnergyRecord {
    /// A ledger with the names of its sites.
    pub fn new(ledger: &Ledger, sites: &[Site]) -> Self {
        let line = |name: &str, work: &SiteWork| ContactEnergy {
            name: name.into(),
            sliding: work.sliding,
            impact_normal: work.impact_normal,
            impact_friction: work.impact_friction,
        };
        // Contacts of large groups have one line together.
        let groups = Some(&ledger.groups).filter(|work| **work != SiteWork::default());
        let contacts = ledger.sites.iter().zip(sites).map(|(work, site)| line(&site.name, work));
        let contacts = contacts.chain(groups.map(|work| line("groups", work)));
        Self {
            initial: ledger.initial,
            kinetic: ledger.kinetic,
            gravity: ledger.gravity,
            spring: ledger.spring,
            stored: ledger.stored(),
            applied: ledger.applied,
            damping: ledger.damping,
            attenuation: ledger.attenuation,
            carried: ledger.carried,
            contacts: contacts.collect(),
            lost: ledger.lost(),
            closure: ledger.closure(),
        }
    }
}

/// How well the laws held.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Worst {
    /// Most negative gap at a sample, m; 0 if none was negative.
    pub gap: f64,
    /// The site of that gap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_contact: Option<String>,
    /// Largest relative residual of contact forces; none if the run failed.
    pub residual: Option<f64>,
    /// Largest closure of the energy ledger at a sample, J.
    pub closure: f64,
    /// Largest gain of kinetic energy in one event, J; 0 if none gained.
    pub energy_gain: f64,
    /// Number of events that gained more than round-off, 1e-12 of the energy before.
    pub energy_gains: u64,
}

/// State at the last sample.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FinalState {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

/// The contents of `summary.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Always `carom run`.
    pub format: String,
    /// Version of the files.
    pub format_version: u32,
    /// Version of carom.
    pub carom: String,
    /// How it ended.
    pub stop: StopRecord,
    /// How much there was.
    pub counts: Counts,
    /// How often each rule of the safety net was needed; empty if none was.
    #[serde(default)]
    pub rescues: BTreeMap<String, u64>,
    /// The energy ledger.
    pub energy: EnergyRecord,
    /// How well the laws held.
    pub worst: Worst,
    /// The last state.
    pub state: FinalState,
    /// Hash of the bits of all samples and events.
    pub result_hash: String,
    /// Sizes and hashes of the files beside this one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, FileRecord>,
    /// Time that the run took, s.
    pub wall_time: f64,
    /// What was asked for.
    #[serde(flatten)]
    pub job: Job,
}

impl Summary {
    /// An empty summary of a job, of this version.
    pub(crate) fn of(job: Job) -> Self {
        Self {
            format: FORMAT.into(),
            format_version: FORMAT_VERSION,
            carom: env!("CARGO_PKG_VERSION").into(),
            stop: StopRecord::default(),
            counts: Counts::default(),
            rescues: BTreeMap::new(),
            energy: EnergyRecord::default(),
            worst: Worst::default(),
            state: FinalState::default(),
            result_hash: String::new(),
            files: BTreeMap::new(),
            wall_time: 0.0,
            job,
        }
    }

    /// Filled with what was counted, however the run ended and however long it took.
    pub(crate) fn close(
        mut self,
        (mut tally, digest): (Tally, &Digest),
        sites: &[Site],
        result: &Result<Outcome, SimError>,
        (interrupted, wall_time): (bool, Duration),
    ) -> Self {
        self.energy = tally.close(sites);
        self.stop = StopRecord::new(result, interrupted, tally.state.t);
        self.counts = tally.counts;
        self.rescues = tally.rescues;
        self.worst = tally.worst;
        self.state = tally.state;
        if let Ok(outcome) = result {
            self.counts.solver = Some((&outcome.statistics).into());
            self.worst.residual = Some(outcome.statistics.worst_residual);
            // Contacts of large piles are no columns and make no events, but they count.
            self.worst.gap = self.worst.gap.min(outcome.statistics.worst_gap);
            self.counts.impacts = self.counts.impacts.max(outcome.statistics.impacts);
        }
        self.result_hash = digest.hex();
        self.wall_time = wall_time.as_secs_f64();
        self
    }

    /// What would be known if the process were killed now.
    pub(crate) fn so_far(
        job: Job,
        (mut tally, digest): (Tally, &Digest),
        sites: &[Site],
        wall_time: Duration,
    ) -> Self {
        let stop = StopRecord {
            reason: "interrupted".into(),
            t: tally.state.t,
            message: Some("the process ended before the run did".into()),
            hint: Some("it was killed, or the power failed; run the scene again to go on".into()),
            ..StopRecord::default()
        };
        Self {
            stop,
            energy: tally.close(sites),
            counts: tally.counts,
            rescues: tally.rescues,
            worst: tally.worst,
            state: tally.state,
            result_hash: digest.hex(),
            wall_time: wall_time.as_secs_f64(),
            ..Self::of(job)
        }
    }

    /// The rules of the safety net that were needed, such as `3 rescues (2 compliant, 1 step)`; none if
    /// none was.
    pub fn rescue_words(&self) -> Option<String> {
        let count = |rescue: &Rescue| self.rescues.get(rescue.word()).copied().unwrap_or(0);
        let needed = Rescue::ALL.iter().filter(|rescue| count(rescue) > 0);
        let parts: Vec<String> =
            needed.map(|rescue| format!("{} {}", count(rescue), rescue.word())).collect();
        let all = Rescue::ALL.iter().map(count).sum();
        (all > 0).then(|| format!("{} ({})", plural(all, "rescue"), parts.join(", ")))
    }

    /// The one line that ends a run: impacts, mode changes, energy lost, worst gap, worst residual,
    /// worst closure of the energy ledger, and rescues if there were any.
    pub fn line(&self) -> String {
        let residual = self.worst.residual.map_or("unknown".into(), rough);
        let rescues = self.rescue_words().map_or(String::new(), |words| format!(", {words}"));
        format!(
            "{} at t = {} s: {}, {}, {} J lost, worst gap {} m, worst residual {residual}, \
             worst closure {} J{rescues}",
            self.stop.reason.replace('-', " "),
            significant(self.stop.t),
            plural(self.counts.impacts, "impact"),
            plural(self.counts.mode_changes, "mode change"),
            significant(self.energy.lost),
            rough(self.worst.gap),
            rough(self.worst.closure),
        )
    }
}

/// Two significant digits of a number that matters by its size only.
pub fn rough(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}

fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Six significant digits, without zeros at the end.
pub fn significant(x: f64) -> String {
    // Adding zero turns −0 into 0.
    let x = x + 0.0;
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if rounded != 0.0 && rounded.abs() < 1e-4 {
        format!("{rounded:e}")
    } else {
        format!("{rounded}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(significant(0.98100000000012), "0.981");
        assert_eq!(significant(-0.0), "0");
        assert_eq!(significant(1.23456789e-7), "1.23457e-7");
        assert_eq!((rough(0.0), rough(-4.44e-16)), ("0".into(), "-4.4e-16".into()));
        assert_eq!(plural(1, "impact"), "1 impact");
        assert_eq!(plural(0, "impact"), "0 impacts");
    }
}
