//! Values that are gathered while a run goes on.

use carom::record::{Event, EventKind};
use carom_scene::expression::Formula;
use std::collections::VecDeque;

/// Which events.
#[derive(Debug, Clone, PartialEq)]
pub struct Selector {
    /// Of this sort.
    pub sort: Sort,
    /// Of this contact.
    pub site: Option<usize>,
}

/// Sorts of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// All.
    Any,
    /// Velocities jumped.
    Jump,
    /// A rule of the safety net decided.
    Rescue,
    /// This kind.
    Kind(EventKind),
}

impl Sort {
    /// All kinds of events.
    const KINDS: [EventKind; 12] = [
        EventKind::Impact,
        EventKind::Jam,
        EventKind::Close,
        EventKind::Touch,
        EventKind::LiftOff,
        EventKind::SlipStop,
        EventKind::SlipStart,
        EventKind::SlipReversal,
        EventKind::Saturation,
        EventKind::Switch,
        EventKind::Step,
        EventKind::Rest,
    ];

    /// The sort of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "events" => Some(Self::Any),
            "jump" => Some(Self::Jump),
            _ => Self::KINDS.into_iter().find(|k| k.word() == word).map(Self::Kind),
        }
    }

    /// All words.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Self::KINDS.iter().map(EventKind::word).chain(["events", "jump"])
    }
}

impl Selector {
    fn takes(&self, event: &Event) -> bool {
        let sort = match self.sort {
            Sort::Any => true,
            Sort::Jump => event.kind.is_jump(),
            Sort::Rescue => event.rescue.is_some(),
            Sort::Kind(kind) => event.kind == kind,
        };
        sort && self.site.is_none_or(|site| event.contacts.iter().any(|c| c.site == site))
    }
}

/// What is made of the values.
#[derive(Debug, Clone, PartialEq)]
pub enum Way {
    /// The first.
    Start,
    /// The last.
    End,
    /// The least.
    Min,
    /// The largest.
    Max,
    /// When it was least.
    TimeOfMin,
    /// When it was largest.
    TimeOfMax,
    /// Over time.
    Mean,
    /// Over time.
    Integral,
    /// How many events.
    Count(Selector),
    /// Right after the k-th event, from 1.
    After(Selector, u64),
    /// Right before it.
    Before(Selector, u64),
    /// After the last n events, the oldest first.
    Last(Selector, usize),
    /// Before the last n events.
    LastBefore(Selector, usize),
}

impl Way {
    /// Whether samples between events matter.
    pub fn needs_samples(&self) -> bool {
        matches!(
            self,
            Self::Min | Self::Max | Self::TimeOfMin | Self::TimeOfMax | Self::Mean | Self::Integral
        )
    }

    fn selector(&self) -> Option<&Selector> {
        match self {
            Self::Count(s)
            | Self::After(s, _)
            | Self::Before(s, _)
            | Self::Last(s, _)
            | Self::LastBefore(s, _) => Some(s),
            _ => None,
        }
    }

    /// How many values it gives.
    pub fn width(&self) -> usize {
        match self {
            Self::Last(_, n) | Self::LastBefore(_, n) => *n,
            _ => 1,
        }
    }
}

/// One value that is gathered: a formula over samples and what is made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Gather {
    /// What is made of it.
    pub way: Way,
    /// The formula.
    pub of: Formula,
}

/// What of a sample the last three values are: those of an event.
pub const OF_EVENT: [&str; 3] = ["event.lost", "event.impulse", "event.speed"];

/// Numbers of an event, as [`OF_EVENT`] names them.
pub fn of_event(event: &Event) -> [f64; 3] {
    let impulse = event.contacts.iter().map(|c| c.impulse[2]).sum();
    let speed = event.contacts.iter().map(|c| -c.u_pre[2]).fold(0.0, f64::max);
    [event.energy_lost(), impulse, speed]
}

/// What was gathered so far.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    best: Option<(f64, f64)>,
    previous: Option<(f64, f64)>,
    sum: f64,
    time: f64,
    count: u64,
    /// Events whose sample after is still to come.
    pending: Vec<[f64; 3]>,
    kept: VecDeque<f64>,
}

impl Gathered {
    /// A sample at time `t`; `row` ends with room for the numbers of an event.
    pub fn sample(&mut self, gather: &Gather, t: f64, row: &mut [f64], at: usize) {
        for k in 0..self.pending.len() {
            row[at..at + 3].copy_from_slice(&self.pending[k]);
            let x = gather.of.value(row);
            self.keep(&gather.way, x);
        }
        if !self.pending.is_empty() {
            self.pending.clear();
            row[at..at + 3].fill(f64::NAN);
        }
        match gather.way {
            Way::Start if self.best.is_none() => self.best = Some((gather.of.value(row), t)),
            Way::End => self.best = Some((gather.of.value(row), t)),
            Way::Min | Way::TimeOfMin => self.extreme(gather.of.value(row), t, |a, b| a < b),
            Way::Max | Way::TimeOfMax => self.extreme(gather.of.value(row), t, |a, b| a > b),
            Way::Mean | Way::Integral => self.integrate(gather.of.value(row), t),
            _ => {}
        }
    }

    /// An event after the sample in `row`.
    pub fn event(&mut self, gather: &Gather, event: &Event, row: &mut [f64], at: usize) {
        if !gather.way.selector().is_some_and(|s| s.takes(event)) {
            return;
        }
        self.count += 1;
        match gather.way {
            Way::After(_, k) if k == self.count => self.pending.push(of_event(event)),
            Way::Last(..) => self.pending.push(of_event(event)),
            Way::Before(_, k) if k != self.count => {}
            Way::Before(..) | Way::LastBefore(..) => {
                row[at..at + 3].copy_from_slice(&of_event(event));
                let x = gather.of.value(row);
                row[at..at + 3].fill(f64::NAN);
                self.keep(&gather.way, x);
            }
            _ => {}
        }
    }

    fn keep(&mut self, way: &Way, x: f64) {
        self.kept.push_back(x);
        if self.kept.len() > way.width() {
            self.kept.pop_front();
        }
    }

    fn extreme(&mut self, x: f64, t: f64, better: fn(f64, f64) -> bool) {
        if !x.is_nan() && self.best.is_none_or(|(best, _)| better(x, best)) {
            self.best = Some((x, t));
        }
    }

    fn integrate(&mut self, x: f64, t: f64) {
        if let Some((before, since)) = self.previous {
            self.sum += 0.5 * (before + x) * (t - since);
            self.time += t - since;
        }
        self.previous = Some((x, t));
    }

    /// The values, NaN where there is none.
    pub fn values(&self, way: &Way, out: &mut Vec<f64>) {
        let best = self.best.unwrap_or((f64::NAN, f64::NAN));
        let single = match way {
            Way::Count(_) => self.count as f64,
            Way::TimeOfMin | Way::TimeOfMax => best.1,
            Way::Integral => self.sum,
            Way::Mean if self.time > 0.0 => self.sum / self.time,
            Way::Mean => self.previous.map_or(f64::NAN, |p| p.0),
            Way::Start | Way::End | Way::Min | Way::Max => best.0,
            Way::After(..) | Way::Before(..) => self.kept.front().copied().unwrap_or(f64::NAN),
            Way::Last(_, n) | Way::LastBefore(_, n) => {
                // The latest is always the last: fewer leave the first ones open.
                out.extend((self.kept.len()..*n).map(|_| f64::NAN));
                out.extend(&self.kept);
                return;
            }
        };
        out.push(single);
    }
}
