//! An observer that gathers the results of one run.

use super::compile::Measures;
use super::gather::Gathered;
use crate::error::RowFault;
use carom::record::{Directive, Event, Observer, Sample};
use carom_report::{Columns, Digest};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When a run is given up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Computing time, s. Rows near it may end differently on another machine.
    pub time: Option<f64>,
    /// Steps of the integrator: the same everywhere.
    pub steps: Option<u64>,
}

/// Gathers while a run goes on.
pub struct Watch<'a> {
    measures: &'a Measures,
    columns: &'a Columns,
    gathered: Vec<Gathered>,
    /// Parameters, NaN for texts.
    parameters: &'a [f64],
    row: Vec<f64>,
    modes: Vec<u8>,
    digest: Digest,
    last: (f64, Vec<f64>, Vec<f64>),
    limits: Limits,
    steps: u64,
    began: Instant,
    stop: &'a AtomicBool,
    /// Why the run was ended from outside, if it was.
    pub fault: Option<RowFault>,
    /// Whether nobody waits for it any more.
    pub abandoned: bool,
}

impl<'a> Watch<'a> {
    /// A watch over a run that begins now; it ends early when `stop` is set.
    pub fn new(
        (measures, columns): (&'a Measures, &'a Columns),
        parameters: &'a [f64],
        limits: Limits,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            gathered: vec![Gathered::default(); measures.gathers.len()],
            measures,
            columns,
            parameters,
            row: Vec::new(),
            modes: Vec::new(),
            digest: Digest::default(),
            last: Default::default(),
            limits,
            steps: 0,
            began: Instant::now(),
            stop,
            fault: None,
            abandoned: false,
        }
    }

    /// The results so far, NaN where there is none.
    pub fn results(&self) -> Vec<f64> {
        let mut values = self.parameters.to_vec();
        for (gather, gathered) in self.measures.gathers.iter().zip(&self.gathered) {
            gathered.values(&gather.way, &mut values);
        }
        self.measures.formulas.iter().map(|f| f.value(&values)).collect()
    }

    /// The hash of all events and of the last state.
    pub fn hash(&self) -> u64 {
        let mut digest = self.digest;
        digest.numbers(&[self.last.0]);
        digest.numbers(&self.last.1);
        digest.numbers(&self.last.2);
        digest.value()
    }

    /// Time reached, s.
    pub fn time(&self) -> f64 {
        self.last.0
    }

    fn go_on(&mut self, t: f64) -> Directive {
        if self.stop.load(Ordering::Relaxed) {
            self.abandoned = true;
        }
        let time = self.limits.time.filter(|s| self.began.elapsed() > Duration::from_secs_f64(*s));
        if let Some(limit) = time {
            self.fault.get_or_insert(RowFault::Time { t, limit });
        }
        if let Some(limit) = self.limits.steps.filter(|limit| self.steps > *limit) {
            self.fault.get_or_insert(RowFault::Steps { t, limit });
        }
        match self.abandoned || self.fault.is_some() {
            true => Directive::Stop,
            false => Directive::Continue,
        }
    }
}

impl Observer for Watch<'_> {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.columns.fill(sample, &mut self.row, &mut self.modes);
        self.row.extend(self.modes.iter().map(|code| f64::from(*code)));
        self.row.extend([sample.ledger.lost(), sample.ledger.closure()]);
        self.row.extend_from_slice(self.parameters);
        self.row.extend([f64::NAN; 3]);
        let at = self.measures.event_at;
        debug_assert_eq!(self.row.len(), at + 3);
        for (gather, gathered) in self.measures.gathers.iter().zip(&mut self.gathered) {
            gathered.sample(gather, sample.t, &mut self.row, at);
        }
        self.last.0 = sample.t;
        self.last.1.clear();
        self.last.1.extend_from_slice(sample.q);
        self.last.2.clear();
        self.last.2.extend_from_slice(sample.v);
        Directive::Continue
    }

    fn step(&mut self, t: f64) -> Directive {
        self.steps += 1;
        self.go_on(t)
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.digest.event(event);
        let at = self.measures.event_at;
        for (gather, gathered) in self.measures.gathers.iter().zip(&mut self.gathered) {
            gathered.event(gather, event, &mut self.row, at);
        }
        self.go_on(event.t)
    }
}
