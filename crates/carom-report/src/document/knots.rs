//! Rows at events, for runs of many bodies.
//!
//! Where a scene has many bodies a run keeps rows at intervals, and its events tell the coordinates q and the velocities
//! u⁻, u⁺ of the bodies that took part alone. Here every event becomes two rows, before and after it.
//!
//! # Law
//! A body that took part is where the event says. Any other is on the curve between the rows and events of its own
//! around that time, with the accelerations of rows and without those of events, which nobody told:
//! ```text
//! q(t) = Σ_k q[z₀ … z_k] Π_{j<k} (t − z_j)                                                        (1)
//! error ≤ Δ²/32 · |q̈(t_row) − q̈_row|,   q the cubic of two ends with q and q̇                     (2)
//! ```
//! (1) is that of [`between`](super::between). A cubic errs by Δ⁴/384 · q⁗ in its middle and by Δ²/12 · q⁗ in its second
//! derivative at an end: (2) is their ratio, and a bound for (1), which knows more. Gaps and energies of these rows follow
//! from their states; works, losses and forces are curves through the rows of the run.
//!
//! # Limits
//! Events of more numbers than [`MOST`] are left out, and the document says what a picture without them may err by: how
//! far bodies were, at their events, from the line between two rows,
//! ```text
//! error = max |q_event − q_line(t)|                                                               (3)
//! ```
//!
//! # Tests
//! `tests/motion.rs`: `eq1_pictures_of_many_bodies_are_the_motion`; `eq3_what_is_left_out_is_told`.

use super::between::{Between, End};
use super::smooth::Smooth;
use crate::run::{Account, EventLine, NumberColumn, Table};
use crate::stage::{Posture, Stage};
use carom::dynamics::elements::point_spring_energy;
use carom::dynamics::energy::{gravity_energy, kinetic_energy};
use carom::dynamics::forces::spring_energy;
use carom::dynamics::{Kinematics, kinematics};
use carom::model::{BodyId, Model};
use std::collections::HashMap;

/// Numbers of the rows with those of events, at most.
pub(super) const MOST: usize = 20_000_000;

/// What the events of a run of many bodies add to its rows.
pub(super) struct Knots {
    /// The rows, with those of the events; none if they were too many.
    pub table: Option<Table>,
    /// What the motion may err by, as a part of the range of its coordinate.
    pub doubt: f64,
}

/// One row: of the run, or before or after an event.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Item {
    Row(usize),
    Before(usize),
    After(usize),
}

/// The state of all bodies in one row, as far as it is told.
#[derive(Debug, Clone)]
struct State {
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Knots {
    /// What events add, if rows and events have at most `most` numbers; none if each event tells the whole.
    pub fn new(account: &Account, stage: &Stage, most: usize) -> Option<Self> {
        let (model, table) = (&account.scene.model, &account.table);
        let (first, last) = (*table.t().first()?, *table.t().last()?);
        let within = |e: &&EventLine| !e.bodies.is_empty() && (first..=last).contains(&e.t);
        let events: Vec<&EventLine> = account.events.iter().filter(within).collect();
        let between = Between::new(model, table)?;
        if events.is_empty() {
            return None;
        }
        let weave = Weave::new(model, table, between, events);
        if weave.items.len() * table.numbers.len() > most {
            return Some(Self { table: None, doubt: weave.missed() });
        }
        let (states, doubt) = weave.states();
        Some(Self { table: Some(weave.table(stage, &states)), doubt })
    }
}

/// Rows and events in order.
struct Weave<'a> {
    model: &'a Model,
    rows: &'a Table,
    between: Between<'a>,
    events: Vec<&'a EventLine>,
    items: Vec<Item>,
    bodies: HashMap<&'a str, BodyId>,
    ranges: Vec<f64>,
}

impl<'a> Weave<'a> {
    fn new(
        model: &'a Model,
        rows: &'a Table,
        between: Between<'a>,
        events: Vec<&'a EventLine>,
    ) -> Self {
        let mut items = Vec::with_capacity(rows.len() + 2 * events.len());
        let mut row = 0;
        for (e, event) in events.iter().enumerate() {
            // A row at the time of an event was told after it, but for the first.
            while row < rows.len() && (row == 0 || rows.t()[row] < event.t) {
                items.push(Item::Row(row));
                row += 1;
            }
            items.extend([Item::Before(e), Item::After(e)]);
        }
        items.extend((row..rows.len()).map(Item::Row));
        let bodies = model.body_ids().map(|b| (model.body(b).name.as_str(), b)).collect();
        let ranges = between.ranges(rows);
        Self { model, rows, between, events, items, bodies, ranges }
    }

    fn time(&self, item: Item) -> f64 {
        match item {
            Item::Row(k) => self.rows.t()[k],
            Item::Before(e) | Item::After(e) => self.events[e].t,
        }
    }

    /// The bodies of an event, with the places of their coordinates and velocities in it.
    fn members(&self, e: usize) -> impl Iterator<Item = (BodyId, usize, usize)> {
        let (mut q, mut v) = (0, 0);
        self.events[e].bodies.iter().filter_map(move |name| {
            let body = *self.bodies.get(name.as_str())?;
            let own = (body, q, v);
            q += self.model.q_range(body).len();
            v += self.model.v_range(body).len();
            Some(own)
        })
    }

    /// What an item tells, with zeros for what it does not.
    fn told(&self, item: Item) -> State {
        let mut state = State { q: vec![0.0; self.model.nq()], v: vec![0.0; self.model.nv()] };
        let e = match item {
            Item::Row(k) => {
                self.between.sample(k, &mut state.q, &mut state.v);
                return state;
            }
            Item::Before(e) | Item::After(e) => e,
        };
        let event = self.events[e];
        let v = match item {
            Item::Before(_) => &event.velocity_before,
            _ => &event.velocity_after,
        };
        for (body, at, turn) in self.members(e) {
            let (qs, vs) = (self.model.q_range(body), self.model.v_range(body));
            state.q[qs.clone()].copy_from_slice(&event.q[at..at + qs.len()]);
            state.v[vs.clone()].copy_from_slice(&v[turn..turn + vs.len()]);
        }
        state
    }

    /// The state of all bodies in every row, and what it may err by (2).
    fn states(&self) -> (Vec<State>, f64) {
        let mut states: Vec<State> = self.items.iter().map(|item| self.told(*item)).collect();
        let mut between = self.between.clone();
        let mut doubt = 0.0_f64;
        for body in self.model.body_ids().filter(|b| !self.model.q_range(*b).is_empty()) {
            let mut last = 0;
            for at in 1..self.items.len() {
                let known = match self.items[at] {
                    Item::Row(_) => true,
                    Item::Before(e) | Item::After(e) => self.members(e).any(|m| m.0 == body),
                };
                if known {
                    doubt = doubt.max(self.fill(body, (last, at), &mut between, &mut states));
                    last = at;
                }
            }
        }
        (states, doubt)
    }

    /// A body between two items that tell of it (1); what it may err by (2).
    fn fill(
        &self,
        body: BodyId,
        (from, to): (usize, usize),
        between: &mut Between<'_>,
        states: &mut [State],
    ) -> f64 {
        let (t0, t1) = (self.time(self.items[from]), self.time(self.items[to]));
        let (qs, vs) = (self.model.q_range(body), self.model.v_range(body));
        let rows = matches!([self.items[from], self.items[to]], [Item::Row(_), Item::Row(_)]);
        if rows && to == from + 1 {
            return 0.0;
        }
        if t1 <= t0 {
            let (before, after) = states.split_at_mut(from + 1);
            for state in &mut after[..to - from - 1] {
                state.q[qs.clone()].copy_from_slice(&before[from].q[qs.clone()]);
                state.v[vs.clone()].copy_from_slice(&before[from].v[vs.clone()]);
            }
            return 0.0;
        }
        let ends = [from, to].map(|at| End {
            t: self.time(self.items[at]),
            q: &states[at].q,
            v: &states[at].v,
            sample: match self.items[at] {
                Item::Row(k) => Some(k),
                _ => None,
            },
        });
        let doubt = between.span(ends, (qs.clone(), &self.ranges));
        let (mut q, mut v) = (vec![0.0; self.model.nq()], vec![0.0; self.model.nv()]);
        for at in from + 1..to {
            between.along((t0, t1), self.time(self.items[at]), &mut q, &mut v);
            states[at].q[qs.clone()].copy_from_slice(&q[qs.clone()]);
            states[at].v[vs.clone()].copy_from_slice(&v[vs.clone()]);
        }
        doubt
    }

    /// How far bodies are at their events from the line between two rows (3).
    fn missed(&self) -> f64 {
        let t = self.rows.t();
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let (mut a, mut b, mut v) = (vec![0.0; nq], vec![0.0; nq], vec![0.0; nv]);
        let mut worst = 0.0_f64;
        for (e, event) in self.events.iter().enumerate() {
            let right = t.partition_point(|x| *x <= event.t).clamp(1, t.len().max(2) - 1);
            self.between.sample(right - 1, &mut a, &mut v);
            self.between.sample(right, &mut b, &mut v);
            let x = (event.t - t[right - 1]) / (t[right] - t[right - 1]).max(f64::MIN_POSITIVE);
            for (body, at, _) in self.members(e) {
                for (i, q) in self.model.q_range(body).zip(&event.q[at..]) {
                    let off = (a[i] + x * (b[i] - a[i]) - q).abs();
                    worst =
                        worst.max(if self.ranges[i] > 0.0 { off / self.ranges[i] } else { 0.0 });
                }
            }
        }
        worst
    }

    /// All rows as columns.
    fn table(&self, stage: &Stage, states: &[State]) -> Table {
        let times: Vec<f64> = self.items.iter().map(|item| self.time(*item)).collect();
        let derived = self.derived(stage, states);
        let q_names = self.model.q_names();
        let v_names = self.model.v_names();
        let place = |names: &[String], name: &str| names.iter().position(|n| n == name);
        // Times of a curve grow.
        let t = self.rows.t();
        let apart: Vec<usize> = (0..t.len()).filter(|k| *k == 0 || t[*k] > t[*k - 1]).collect();
        let pick = |values: &[f64]| apart.iter().map(|k| values[*k]).collect::<Vec<f64>>();
        let t = pick(t);
        let number = |column: &NumberColumn| {
            let known = match column.name.split_once('.') {
                None => Some(times.clone()),
                Some(("q", rest)) => {
                    place(&q_names, rest).map(|i| states.iter().map(|s| s.q[i]).collect())
                }
                Some(("v", rest)) => {
                    place(&v_names, rest).map(|i| states.iter().map(|s| s.v[i]).collect())
                }
                // Nobody told them at events.
                Some(("a", _)) => Some(self.rows_or(&column.values, |_| f64::NAN)),
                Some(("energy" | "gap", _)) => derived.get(&column.name).cloned(),
                _ => None,
            };
            let values = known.unwrap_or_else(|| {
                let y = pick(&column.values);
                let curve = Smooth::new(&t, &y);
                self.rows_or(&column.values, |t| curve.at(t))
            });
            let (name, unit) = (column.name.clone(), column.unit.clone());
            NumberColumn { name, unit, values: values.into() }
        };
        let modes =
            self.rows.modes.iter().map(|(site, codes)| (site.clone(), self.modes(site, codes)));
        Table { numbers: self.rows.numbers.iter().map(number).collect(), modes: modes.collect() }
    }

    /// A column: what rows have, and something else at events.
    fn rows_or(&self, values: &[f64], at_event: impl Fn(f64) -> f64) -> Vec<f64> {
        let value = |item: &Item| match *item {
            Item::Row(k) => values[k],
            Item::Before(e) | Item::After(e) => at_event(self.events[e].t),
        };
        self.items.iter().map(value).collect()
    }

    /// Gaps and energies, which follow from the states; those of rows are as they are.
    fn derived(&self, stage: &Stage, states: &[State]) -> HashMap<String, Vec<f64>> {
        let mut kin = Kinematics::new(self.model);
        let mut posture = Posture::new(self.model, stage);
        let energies = ["kinetic", "gravity", "spring", "stored"].map(|e| format!("energy.{e}"));
        let gaps: Vec<String> = stage.sites.iter().map(|s| format!("gap.{}", s.name)).collect();
        let names = || energies.iter().chain(&gaps);
        let known: Vec<Option<&[f64]>> = names().map(|name| self.rows.column(name)).collect();
        let mut columns: Vec<Vec<f64>> = vec![Vec::with_capacity(states.len()); known.len()];
        for (item, state) in self.items.iter().zip(states) {
            if let Item::Row(k) = *item {
                for (column, values) in columns.iter_mut().zip(&known) {
                    column.push(values.map_or(0.0, |values| values[k]));
                }
                continue;
            }
            kinematics(self.model, &state.q, &state.v, &mut kin);
            let kinetic = kinetic_energy(self.model, &kin, &state.v);
            let gravity = gravity_energy(self.model, &kin);
            let spring =
                spring_energy(self.model, &state.q) + point_spring_energy(self.model, &kin);
            posture.place(&state.q, &state.v);
            let gaps = (0..stage.sites.len()).map(|site| posture.contact(site).gap);
            let all =
                [kinetic, gravity, spring, kinetic + gravity + spring].into_iter().chain(gaps);
            columns.iter_mut().zip(all).for_each(|(column, x)| column.push(x));
        }
        names().cloned().zip(columns).collect()
    }

    /// Modes of a site: events tell how they change.
    fn modes(&self, site: &str, codes: &[u8]) -> Vec<u8> {
        let code = |mode: &str| match mode {
            "open" => 0,
            "stick" => 1,
            _ => 2,
        };
        let mut now = codes.first().copied().unwrap_or(0);
        let mut next = |item: &Item| {
            let change = |e: usize| self.events[e].contacts.iter().find(|c| c.name == site);
            now = match *item {
                Item::Row(k) => codes[k],
                Item::Before(e) => change(e).map_or(now, |c| code(&c.mode_before)),
                Item::After(e) => change(e).map_or(now, |c| code(&c.mode_after)),
            };
            now
        };
        self.items.iter().map(&mut next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::LiveRun;
    use carom_scene::Scene;
    use std::time::Duration;

    /// Balls that bounce without loss for a second: a line between two rows, h apart, that leaves out an impact in
    /// between is off by up to |Δv| h/4 = v h/2.
    #[test]
    fn eq3_what_is_left_out_is_told() {
        let mut text = String::from("space = \"planar\"\n[body.floor]\nshape = \"plane\"\n");
        for k in 0..17 {
            let (x, y) = (f64::from(k), 0.3 + 0.01 * f64::from(k));
            text.push_str(&format!(
                "[body.b{k}]\nmass = 1\nshape = {{ disk = 0.1 }}\nposition = [{x}, {y}]\n\
                 [[contact]]\nbetween = [\"b{k}\", \"floor\"]\nrestitution = 1\nfriction = 0\n"
            ));
        }
        text.push_str("[solver]\nuntil = 1\n");
        let scene = Scene::parse(&text, "balls.toml").unwrap();
        let stage = Stage::of(&scene);
        let mut live = LiveRun::new(&scene.model, Default::default(), Vec::new());
        let result = scene.simulation().unwrap().run_with(1.0, &mut live);
        let account = live.finish(scene, &result, false, Duration::ZERO);
        let knots = Knots::new(&account, &stage, 0).unwrap();
        assert!(knots.table.is_none());
        let row = |k: usize| account.table.t()[k];
        let (h, drop) = (row(11) - row(10), 0.36_f64);
        // The largest range is that of the ball that falls farthest.
        let most = 0.5 * (2.0 * 9.81 * drop).sqrt() * h / drop;
        assert!(knots.doubt < 1.01 * most && knots.doubt > 0.7 * most, "{} {most}", knots.doubt);
        let known = Knots::new(&account, &stage, MOST).unwrap();
        assert!(known.doubt < 1e-9, "{}", known.doubt);
        let rows = account.table.len()
            + 2 * account.events.iter().filter(|e| !e.bodies.is_empty()).count();
        assert_eq!(known.table.unwrap().len(), rows);
    }
}
