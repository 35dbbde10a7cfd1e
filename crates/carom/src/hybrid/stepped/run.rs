//! Step after step, from the start to the end.

use super::books::QUIET;
use super::land::Toll;
use crate::contact::site_state::SiteState;
use crate::contact::state_of;
use crate::contact::{Mode, Site};
use crate::dynamics::response::ResponseScratch;
use crate::hybrid::bilateral::Bilateral;
use crate::hybrid::flow::Given;
use crate::hybrid::options::Options;
use crate::hybrid::outcome::{Outcome, SimError, Statistics, Stop};
use crate::hybrid::posture::Posture;
use crate::hybrid::sampling::Teller;
use crate::model::{BodyId, Feature, Model};
use crate::numeric::thresholds::PENETRATION;
use crate::record::{Event, Ledger};
use crate::spatial::Force;
use crate::state::State;
use crate::stepping::{Ask, Parts, Pool, Rows, Solve};

/// One site of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch {
    pub(super) site: usize,
    /// Velocity before, tangents first.
    pub(super) u: [f64; 3],
    pub(super) collides: bool,
}

/// A run under way.
pub(crate) struct Stepped<'a> {
    pub(super) model: &'a Model,
    /// M̂ of (2): the mechanism with more inertia.
    pub(super) soft: &'a Model,
    pub(super) options: Options,
    pub(super) given: Given<'a>,
    pub(super) h: f64,
    pub(super) parts: Parts,
    pub(super) pool: Pool,
    pub(super) middle: Posture<'a>,
    pub(super) end: Posture<'a>,
    pub(super) states: Vec<SiteState>,
    pub(super) modes: Vec<Mode>,
    /// Declared sites that are closed for conditions.
    pub(super) attached: Vec<bool>,
    pub(super) guesses: Vec<[f64; 3]>,
    pub(super) forces: Vec<[f64; 3]>,
    pub(super) gaps: Vec<f64>,
    /// Largest extent of a shape of a link, m.
    pub(super) reach: f64,
    pub(super) rows: Rows,
    pub(super) asks: Vec<Ask>,
    pub(super) solve: Solve,
    /// The same for corrections of positions, which have contacts of their own.
    pub(super) landing: Solve,
    pub(super) touches: Vec<Touch>,
    /// One past the last of them that follows no other; ascending by sites from the bilateral ones on.
    pub(super) leaders: usize,
    pub(super) bilaterals: Vec<Bilateral>,
    /// Guesses of bilateral rows.
    pub(super) held: Vec<f64>,
    pub(super) response: ResponseScratch,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) q_middle: Vec<f64>,
    pub(super) v_middle: Vec<f64>,
    /// Corrected positions.
    pub(super) q_next: Vec<f64>,
    /// Sites of a correction in the order of their rows, and those that corrections at q° have put to touch, ascending.
    pub(super) landed: Vec<usize>,
    pub(super) put: Vec<usize>,
    /// What corrections of clusters cost.
    pub(super) tolls: Vec<Toll>,
    pub(super) v_next: Vec<f64>,
    pub(super) dv: Vec<f64>,
    pub(super) user: Vec<f64>,
    pub(super) tau: Vec<f64>,
    /// v̇ without contacts, and that of the last step.
    pub(super) free: Vec<f64>,
    pub(super) vdot: Vec<f64>,
    pub(super) torques: Vec<f64>,
    pub(super) before: Vec<Mode>,
    pub(super) closed: Vec<usize>,
    pub(super) event: Event,
    pub(super) ledger: Ledger,
    /// Work of all contacts in this step, J.
    pub(super) contact_work: f64,
    pub(super) residual: f64,
    /// Those of the last steps.
    pub(super) residuals: [f64; QUIET as usize],
    /// A condition changed in the step at hand.
    pub(super) switched: bool,
    /// Forces in the loops of the mechanism.
    pub(super) loops: Vec<Force>,
    pub(super) quiet: u32,
    pub(super) rests: bool,
    pub(super) steps: u64,
    pub(super) next_output: u64,
    pub(super) start: f64,
}

impl<'a> Stepped<'a> {
    pub fn new(
        (model, soft): (&'a Model, &'a Model),
        state: &State,
        (options, h): (Options, f64),
        given: Given<'a>,
    ) -> Self {
        let (nq, nv) = (model.nq(), model.nv());
        let pool = Pool::new(model);
        let declared = pool.declared;
        Self {
            model,
            soft,
            options,
            given,
            h,
            parts: Parts::new(model),
            pool,
            middle: Posture::new(soft),
            end: Posture::new(soft),
            states: vec![SiteState::default(); declared],
            modes: vec![Mode::Open; declared],
            attached: vec![false; declared],
            guesses: vec![[0.0; 3]; declared],
            forces: vec![[0.0; 3]; declared],
            gaps: vec![0.0; declared],
            reach: reach(model),
            rows: Rows::new(nv),
            asks: Vec::new(),
            solve: Solve::default(),
            landing: Solve::default(),
            touches: Vec::new(),
            leaders: 0,
            bilaterals: Vec::new(),
            held: Vec::new(),
            response: ResponseScratch::new(model),
            q: state.q.as_slice().to_vec(),
            v: state.v.as_slice().to_vec(),
            q_middle: vec![0.0; nq],
            v_middle: vec![0.0; nv],
            q_next: vec![0.0; nq],
            landed: Vec::new(),
            put: Vec::new(),
            tolls: Vec::new(),
            v_next: vec![0.0; nv],
            dv: vec![0.0; nv],
            user: vec![0.0; nv],
            tau: vec![0.0; nv],
            free: vec![0.0; nv],
            vdot: vec![0.0; nv],
            torques: Vec::new(),
            before: Vec::new(),
            closed: Vec::new(),
            event: Event::empty(nq, nv),
            ledger: Ledger::new(declared),
            contact_work: 0.0,
            residual: 0.0,
            residuals: [0.0; QUIET as usize],
            switched: false,
            loops: vec![Force::zero(); model.loops().len()],
            quiet: 0,
            rests: false,
            steps: 0,
            next_output: 1,
            start: state.t,
        }
    }

    pub fn run(&mut self, end: f64, teller: &mut Teller<'_>) -> Result<Stop, SimError> {
        let mut t = self.start;
        self.begin()?;
        self.sample(t, teller);
        while t < end && !teller.stopped && teller.broken.is_none() {
            if self.rests {
                self.coast(t, end, teller);
                t = end;
                break;
            }
            let next = (self.start + self.h * (self.steps + 1) as f64).min(end);
            self.step((t, next - t), teller)?;
            self.steps += 1;
            t = next;
            if self.is_due(t, end) {
                self.sample(t, teller);
            }
            teller.step(t);
        }
        self.start = t;
        if let Some((_, t, sites)) = teller.broken.take() {
            let contacts = sites.iter().map(|&s| self.pool.sites[s].name.clone()).collect();
            return Ok(Stop::NoSolution { t, contacts });
        }
        Ok(if teller.stopped { Stop::Observer } else { Stop::ReachedEnd })
    }

    pub fn outcome(self, stop: Stop, mut statistics: Statistics) -> Outcome {
        statistics.steps = self.steps;
        statistics.rates = self.steps;
        statistics.worst_residual = self.residual;
        let state = State { t: self.start, q: self.q.into(), v: self.v.into() };
        Outcome { stop, state, ledger: self.ledger, statistics }
    }

    /// Gaps and energies of the start; bodies may not overlap.
    fn begin(&mut self) -> Result<(), SimError> {
        self.end.place(&self.q, &self.v);
        self.pool.find(self.model, &self.end.kin, 0.0);
        self.make_room();
        let state = (self.q.as_slice(), self.v.as_slice());
        self.given.conditions.judge(self.start, state, (self.model, &self.end.kin));
        let (mut deepest, mut place) = (0.0, None);
        for i in 0..self.pool.candidates.len() {
            let site = self.pool.candidates[i];
            self.observe_end(site);
            if self.is_out_of_play(site) {
                continue;
            }
            let state = &self.states[site];
            let touching = PENETRATION * state.noise;
            let least = -self.options.penetration.unwrap_or(touching).max(touching);
            if state.gap < least && state.gap < deepest {
                (deepest, place) = (state.gap, Some((site, least)));
            }
        }
        if let Some((site, least)) = place {
            let site = site_name(self.model, &self.pool.sites[site]);
            return Err(SimError::Penetration { site, gap: deepest, least });
        }
        self.note_energy();
        self.ledger.initial = self.ledger.stored();
        Ok(())
    }

    /// One step of length h from t.
    fn step(&mut self, (t, h): (f64, f64), teller: &mut Teller<'_>) -> Result<(), SimError> {
        self.drift(h);
        self.accelerate((t, h))?;
        self.clear_way(t + 0.5 * h, h)?;
        self.touch((t, h));
        self.press((t, h), teller);
        self.account(h);
        self.tell_conditions(t + 0.5 * h, teller);
        self.tell(t + 0.5 * h, teller);
        self.land(t + h, h)?;
        self.note_energy();
        // What no force explains was made by the step itself.
        self.ledger.carried += self.ledger.closure();
        self.settle(h, teller, t + h);
        Ok(())
    }

    /// Room for sites that are new.
    pub(super) fn make_room(&mut self) {
        let n = self.pool.sites.len();
        self.states.resize(n, SiteState::default());
        self.modes.resize(n, Mode::Open);
        self.guesses.resize(n, [0.0; 3]);
    }

    /// The state of a site at the end of the step.
    pub(super) fn observe_end(&mut self, site: usize) {
        let known = (&self.end.kin, &self.end.products);
        let state = (self.q.as_slice(), self.v.as_slice());
        self.states[site] = state_of(self.model, (&self.pool.sites, site), known, state);
    }

    /// The state of a site at the middle of the step.
    pub(super) fn observe_middle(&mut self, site: usize) {
        let known = (&self.middle.kin, &self.middle.products);
        let state = (self.q_middle.as_slice(), self.v_middle.as_slice());
        self.states[site] = state_of(self.model, (&self.pool.sites, site), known, state);
    }

    pub(super) fn gravity(&self) -> f64 {
        self.model.gravity().norm()
    }
}

fn site_name(model: &Model, site: &Site) -> String {
    let (a, b) = site.bodies();
    let name =
        |body: Option<BodyId>| body.map_or("world", |b| model.body(b).name.as_str()).to_string();
    if site.name.is_empty() { format!("{}-{}", name(b), name(a)) } else { site.name.clone() }
}

/// How far the features of a body reach from the origin of its link at most, m.
fn reach(model: &Model) -> f64 {
    let tree = model.tree();
    let far = |f: &Feature| {
        let seat = f.body.map(|b| tree.seats[b.index()].pose.r.norm()).unwrap_or(0.0);
        seat + f.placement.r.norm()
    };
    model.features().iter().filter(|f| f.body.is_some()).map(far).fold(0.0, f64::max)
}
