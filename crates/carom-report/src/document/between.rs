//! The state between two samples.
//!
//! # Law
//! ```text
//! q(t) = Σ_k q[z₀ … z_k] Π_{j<k} (t − z_j)                                            (1)
//! v(t) from q̇(t), with ω = 2 Im(Q̄ ⊗ Q̇)/‖Q‖² for quaternions                        (2)
//! q̈ = N(q) v̇ + Ṅ v,   Q̈ = ½ (Q ⊗ ω̇ + Q̇ ⊗ ω)                                       (3)
//! ```
//! (1) is Newton's polynomial with confluent divided differences: the nodes z are the two samples and, if they belong
//! to the same smooth stretch and are about as far apart, one or two more; each is taken twice for q and q̇, and three
//! times where the run knows its accelerations (3). Quaternions are made unit afterwards.
//!
//! # Limits
//! Two samples give the fifth degree, with an error of Δ⁶/46080 · max|q⁽⁶⁾|, four the eleventh. A run that was asked to
//! keep samples rarely can be drawn no better than its samples allow.
//!
//! # Tests
//! `eq1_eq2_exact_in_free_flight`, `eq1_order`, `eq3_turns`; `tests/motion.rs` against the engine, and
//! `eq4_rare_samples_are_told`.

use crate::run::{Account, NumberColumn, Table};
use carom::dynamics::integrate::{coordinate_rate, normalize};
use carom::model::Model;
use carom::model::tree::LinkMotion;
use carom::spatial::rotation::multiply;
use carom::state::State;
use nalgebra::Vector4;
use std::ops::Range;

/// Samples of one smooth stretch, the last included.
pub(super) type Stretch = (usize, usize);

/// Stretches of samples without an event between them: times grow and no mode changes.
pub(super) fn stretches(table: &Table) -> Vec<Stretch> {
    let t = table.t();
    let parted = |k: usize| {
        t[k] == t[k - 1] || table.modes.iter().any(|(_, codes)| codes[k] != codes[k - 1])
    };
    let mut found = Vec::new();
    let mut first = 0;
    for k in 1..=t.len() {
        if k == t.len() || parted(k) {
            found.push((first, k - 1));
            first = k;
        }
    }
    found
}

/// Which side of an event is meant where a run has two states at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Just before all events of that time.
    Before,
    /// Just after them.
    After,
}

/// The motion of a run at any time between its first and its last sample, by equations (1) and (2).
pub struct Motion<'a> {
    between: Between<'a>,
    stretches: Vec<Stretch>,
}

impl<'a> Motion<'a> {
    /// The motion of a run; none if it lacks coordinates of its model.
    pub fn new(account: &'a Account) -> Option<Self> {
        let between = Between::new(&account.scene.model, &account.table)?;
        Some(Self { between, stretches: stretches(&account.table) })
    }

    /// The state at a time; none outside of the run.
    pub fn at(&mut self, t: f64, side: Side) -> Option<State> {
        let times = self.between.t;
        if !(*times.first()? <= t && t <= *times.last()?) {
            return None;
        }
        let known = match side {
            Side::Before => times.partition_point(|x| *x < t),
            Side::After => times.partition_point(|x| *x <= t).saturating_sub(1),
        };
        let model = self.between.model;
        let (mut q, mut v) = (vec![0.0; model.nq()], vec![0.0; model.nv()]);
        let place = self.stretches.partition_point(|(_, last)| times[*last] <= t);
        match self.stretches.get(place) {
            Some(&(first, last)) if times[known] != t && times[first] < t => {
                self.between.state((first, last), t, &mut q, &mut v);
            }
            // At a sample, or between two that an event parts at which no sample is.
            _ => self.between.sample(known, &mut q, &mut v),
        }
        Some(State { t, q: q.into(), v: v.into() })
    }
}

/// A state at a time, of a sample or of an event.
pub(super) struct End<'s> {
    pub t: f64,
    pub q: &'s [f64],
    pub v: &'s [f64],
    pub sample: Option<usize>,
}

/// q, q̇ and, where it is known, q̈ at one time.
struct Node {
    t: f64,
    derivatives: [Option<Vec<f64>>; 3],
}

/// A neighbour is used if its step is at most this many times longer or shorter: the differences of unlike steps
/// lose digits.
const ALIKE: f64 = 5.0;

/// The motion of a run at any time.
#[derive(Debug, Clone)]
pub(super) struct Between<'a> {
    model: &'a Model,
    t: &'a [f64],
    q: Vec<&'a [f64]>,
    v: Vec<&'a [f64]>,
    a: Option<Vec<&'a [f64]>>,
    /// The interval whose polynomial is held.
    held: Option<(usize, Stretch)>,
    nodes: Vec<f64>,
    /// Divided differences, one row per coordinate.
    differences: Vec<Vec<f64>>,
    rate: Vec<f64>,
}

impl<'a> Between<'a> {
    /// The motion of a table; none if it lacks coordinates of the model.
    pub fn new(model: &'a Model, table: &'a Table) -> Option<Self> {
        let columns = |letter: &str, names: &[String]| -> Option<Vec<&'a [f64]>> {
            names.iter().map(|name| table.column(&format!("{letter}.{name}"))).collect()
        };
        Some(Self {
            model,
            t: table.t(),
            q: columns("q", &model.q_names())?,
            v: columns("v", &model.v_names())?,
            a: columns("a", &model.v_names()),
            held: None,
            nodes: Vec::new(),
            differences: vec![Vec::new(); model.nq()],
            rate: vec![0.0; model.nq()],
        })
    }

    /// Coordinates and velocities of a sample.
    pub fn sample(&self, k: usize, q: &mut [f64], v: &mut [f64]) {
        q.iter_mut().zip(&self.q).for_each(|(x, column)| *x = column[k]);
        v.iter_mut().zip(&self.v).for_each(|(x, column)| *x = column[k]);
    }

    /// The sample at or before a time, so that another of the stretch follows.
    pub fn left(&self, (first, last): Stretch, t: f64) -> usize {
        let after = first + self.t[first..=last].partition_point(|x| *x <= t);
        after.clamp(first + 1, last.max(first + 1)) - 1
    }

    /// The state at a time within a stretch of at least two samples, equations (1) and (2).
    pub fn state(&mut self, stretch: Stretch, t: f64, q: &mut [f64], v: &mut [f64]) {
        let left = self.left(stretch, t);
        if self.held != Some((left, stretch)) {
            self.prepare(left, stretch);
            self.held = Some((left, stretch));
        }
        let start = self.t[left];
        self.along((start, self.t[left + 1]), t, q, v);
    }

    /// Divided differences about an interval, in its own time from 0 to 1.
    fn prepare(&mut self, left: usize, (first, last): Stretch) {
        let step = self.t[left + 1] - self.t[left];
        let mut samples = vec![left, left + 1];
        let alike = |k: usize, near: usize| {
            let ratio = (self.t[k] - self.t[near]).abs() / step;
            (1.0 / ALIKE..=ALIKE).contains(&ratio)
        };
        if left > first && alike(left - 1, left) {
            samples.push(left - 1);
        }
        if left + 2 <= last && alike(left + 2, left + 1) {
            samples.push(left + 2);
        }
        self.differences_of(&samples);
    }

    /// What the motion between samples may err by, as a part of the range of each coordinate: some samples are computed
    /// from three others beside them, and what that errs by is scaled to the first or last interval of a stretch, which
    /// has three samples as well and is met least,
    /// ```text
    /// error ≈ δ (3/16)^m if δ ≤ 10⁻², else δ,   δ = |q(t_k) − q_k|,   m = 2, or 3 with accelerations   (4)
    /// ```
    /// with the ratio of the products |Π (t − z_j)| of (1), ½ · ½ · 3⁄2 to 1 · 1 · 2, for equal steps. Where δ is large the
    /// samples do not resolve the motion, and nothing can be scaled.
    pub fn doubt(&mut self, stretches: &[Stretch], ranges: &[f64]) -> f64 {
        let all: usize = stretches.iter().map(|(a, b)| (b - a).saturating_sub(2)).sum();
        let every = (all / 400).max(1);
        let (mut worst, mut count) = (0.0_f64, 0);
        for (first, last) in stretches.iter().filter(|(a, b)| b - a >= 3) {
            for k in first + 1..=last - 2 {
                count += 1;
                let steps = [k, k + 1, k + 2].map(|i| self.t[i] - self.t[i - 1]);
                let low = steps.iter().copied().fold(f64::INFINITY, f64::min);
                let high = steps.iter().copied().fold(0.0, f64::max);
                // Unlike steps tell nothing of their interpolation.
                if count % every != 0 || high > 1.5 * low {
                    continue;
                }
                self.differences_of(&[k - 1, k + 1, k + 2]);
                let scale = (3.0_f64 / 16.0).powi(self.nodes.len() as i32 / 3);
                let x = (self.t[k] - self.t[k - 1]) / (self.t[k + 1] - self.t[k - 1]);
                for (i, c) in self.differences.iter().enumerate() {
                    if ranges[i] > 0.0 {
                        let p = c.iter().zip(&self.nodes).rev();
                        let p = p.fold(0.0, |p, (c, z)| p * (x - z) + c);
                        let delta = (p - self.q[i][k]).abs() / ranges[i];
                        worst = worst.max(if delta <= 1e-2 { delta * scale } else { delta });
                    }
                }
            }
        }
        self.held = None;
        worst
    }

    /// Divided differences over samples, in the time from the first to the second of them.
    fn differences_of(&mut self, samples: &[usize]) {
        let nodes: Vec<Node> = samples.iter().map(|k| self.node(*k)).collect();
        self.differences_over(&nodes, 0..self.model.nq());
    }

    /// What a sample knows.
    fn node(&self, k: usize) -> Node {
        let (mut q, mut v) = (vec![0.0; self.model.nq()], vec![0.0; self.model.nv()]);
        self.sample(k, &mut q, &mut v);
        self.node_of(self.t[k], (&q, &v), Some(k))
    }

    /// What a state knows, with the accelerations of a sample if it has them.
    fn node_of(&self, t: f64, (q, v): (&[f64], &[f64]), sample: Option<usize>) -> Node {
        let mut rate = vec![0.0; q.len()];
        coordinate_rate(self.model, q, v, &mut rate);
        let known = self.a.as_ref().zip(sample);
        let a = known.map(|(columns, k)| columns.iter().map(|c| c[k]).collect::<Vec<_>>());
        let second = a.filter(|a| a.iter().all(|x| x.is_finite())).map(|a| {
            let mut second = vec![0.0; q.len()];
            self.second(q, &rate, (v, &a), &mut second);
            second
        });
        Node { t, derivatives: [Some(q.to_vec()), Some(rate), second] }
    }

    /// Divided differences of some coordinates, in the time from the first node to the second.
    fn differences_over(&mut self, from: &[Node], coordinates: Range<usize>) {
        let (left, step) = (from[0].t, from[1].t - from[0].t);
        let mut owner = Vec::new();
        self.nodes.clear();
        for node in from {
            let times = node.derivatives.iter().flatten().count();
            self.nodes.extend([(node.t - left) / step].repeat(times));
            owner.extend([node].repeat(times));
        }
        let n = self.nodes.len();
        let scale = [1.0, step, 0.5 * step * step];
        let value = |node: &Node, order: usize, i: usize| {
            node.derivatives[order].as_ref().map_or(0.0, |d| d[i] * scale[order])
        };
        for i in coordinates {
            let mut column: Vec<f64> = owner.iter().map(|node| value(node, 0, i)).collect();
            let row = &mut self.differences[i];
            row.clear();
            row.push(column[0]);
            for order in 1..n {
                for k in 0..n - order {
                    let gap = self.nodes[k + order] - self.nodes[k];
                    column[k] = if gap == 0.0 {
                        value(owner[k], order, i)
                    } else {
                        (column[k + 1] - column[k]) / gap
                    };
                }
                row.push(column[0]);
            }
        }
    }

    /// The curve of some coordinates between two states, those of samples with their accelerations; what it may err by,
    /// equation (2) of `knots`, as a part of the range of each coordinate.
    pub fn span(&mut self, ends: [End<'_>; 2], (own, ranges): (Range<usize>, &[f64])) -> f64 {
        let nodes = ends.map(|End { t, q, v, sample }| self.node_of(t, (q, v), sample));
        self.held = None;
        self.differences_over(&nodes, own.clone());
        let h = nodes[1].t - nodes[0].t;
        let [Some(q0), Some(r0), a0] = &nodes[0].derivatives else { return 0.0 };
        let [Some(q1), Some(r1), a1] = &nodes[1].derivatives else { return 0.0 };
        let mut worst = 0.0_f64;
        for i in own.filter(|i| ranges[*i] > 0.0) {
            let chord = 6.0 * (q1[i] - q0[i]) / h;
            let left = (chord - 4.0 * r0[i] - 2.0 * r1[i]) / h;
            let right = (-chord + 2.0 * r0[i] + 4.0 * r1[i]) / h;
            for (found, known) in [(left, a0), (right, a1)] {
                let off = known.as_ref().map_or(0.0, |a| (found - a[i]).abs());
                worst = worst.max(h * h / 32.0 * off / ranges[i]);
            }
        }
        worst
    }

    /// The state of the coordinates of [`span`](Self::span) at a time between its ends.
    pub fn along(&mut self, (from, to): (f64, f64), t: f64, q: &mut [f64], v: &mut [f64]) {
        self.evaluate((from, to - from), t, q);
        self.velocities(q, v);
        normalize(self.model, q);
    }

    /// The polynomials and their rates at a time, from the start of the interval and its length.
    fn evaluate(&mut self, (start, step): (f64, f64), t: f64, q: &mut [f64]) {
        let x = (t - start) / step;
        for ((q, rate), c) in q.iter_mut().zip(&mut self.rate).zip(&self.differences) {
            let (mut p, mut d) = (0.0, 0.0);
            for (c, z) in c.iter().zip(&self.nodes).rev() {
                d = d * (x - z) + p;
                p = p * (x - z) + c;
            }
            (*q, *rate) = (p, d / step);
        }
    }

    /// How far each coordinate goes: the largest range of those with its unit.
    pub fn ranges(&self, table: &Table) -> Vec<f64> {
        let columns: Vec<_> = table.numbers.iter().filter(|c| c.name.starts_with("q.")).collect();
        let spread = |values: &[f64]| {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (high - low).max(0.0)
        };
        let spreads: Vec<f64> = columns.iter().map(|c| spread(&c.values)).collect();
        let of = |name: &String| {
            let own = columns.iter().find(|c| c.name[2..] == **name);
            let same = |c: &NumberColumn| own.is_some_and(|own| own.unit == c.unit);
            let all = columns.iter().zip(&spreads).filter(|(c, _)| same(c));
            all.map(|(_, spread)| *spread).fold(0.0, f64::max)
        };
        self.model.q_names().iter().map(of).collect()
    }

    /// q̈, equation (3).
    fn second(&self, q: &[f64], rate: &[f64], (v, a): (&[f64], &[f64]), out: &mut [f64]) {
        coordinate_rate(self.model, q, a, out);
        let mut turning = vec![0.0; q.len()];
        coordinate_rate(self.model, rate, v, &mut turning);
        for (at, _) in self.quaternions() {
            (at..at + 4).for_each(|i| out[i] += turning[i]);
        }
    }

    /// Places of quaternions in q and of their angular velocities in v.
    fn quaternions(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let model = self.model;
        model.tree().links.iter().filter_map(|link| match link.motion {
            LinkMotion::Ball => Some((link.q, link.v)),
            LinkMotion::Free => Some((link.q + 3, link.v + 3)),
            _ => None,
        })
    }

    /// v from q and q̇, equation (2).
    fn velocities(&self, q: &[f64], v: &mut [f64]) {
        for (v, place) in v.iter_mut().zip(self.model.q_of_v()) {
            if let Some(place) = place {
                *v = self.rate[*place];
            }
        }
        for (at, turn) in self.quaternions() {
            let Q = Vector4::from_column_slice(&q[at..at + 4]);
            let rate = Vector4::from_column_slice(&self.rate[at..at + 4]);
            let back = Vector4::new(Q[0], -Q[1], -Q[2], -Q[3]);
            let w = multiply(&back, &rate) * (2.0 / Q.norm_squared());
            v[turn..turn + 3].copy_from_slice(&w.as_slice()[1..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::spatial::rotation::{quaternion_exp, quaternion_log};
    use carom_scene::Scene;
    use nalgebra::Vector3;

    fn ball() -> Scene {
        let text = "[body.ball]\nmass = 1\nshape = { sphere = 0.1 }\nposition = [0, 0, 1]\n";
        Scene::parse(text, "ball.toml").unwrap()
    }

    /// A ball in flight that turns about one axis, faster and faster: φ = t + t²/2.
    fn flight(t: f64) -> [Vec<f64>; 3] {
        let axis = Vector3::new(0.3, -0.5, 0.8);
        let Q = quaternion_exp(&(axis * (t + 0.5 * t * t)));
        let w = axis * (1.0 + t);
        let q = vec![t, 0.5 * t, 1.0 + 2.0 * t - 4.905 * t * t, Q[0], Q[1], Q[2], Q[3]];
        let v = vec![1.0, 0.5, 2.0 - 9.81 * t, w.x, w.y, w.z];
        [q, v, vec![0.0, 0.0, -9.81, axis.x, axis.y, axis.z]]
    }

    fn table(model: &Model, times: &[f64], accelerations: bool) -> Table {
        let mut table = Table::default();
        let mut add = |name: String, values: Vec<f64>| {
            let values = values.into();
            table.numbers.push(NumberColumn { name, unit: String::new(), values });
        };
        add("t".into(), times.to_vec());
        let sorts = [("q", model.q_names()), ("v", model.v_names()), ("a", model.v_names())];
        for (k, (letter, names)) in
            sorts.into_iter().enumerate().take(2 + usize::from(accelerations))
        {
            for (i, name) in names.iter().enumerate() {
                add(format!("{letter}.{name}"), times.iter().map(|t| flight(*t)[k][i]).collect());
            }
        }
        table
    }

    /// Errors of position, turn and spin in the middle of the second interval.
    fn errors(step: f64, samples: usize, accelerations: bool) -> [f64; 3] {
        let scene = ball();
        let times: Vec<f64> = (0..samples).map(|k| 0.1 + step * k as f64).collect();
        let table = table(&scene.model, &times, accelerations);
        let mut between = Between::new(&scene.model, &table).unwrap();
        let (mut q, mut v) = (vec![0.0; 7], vec![0.0; 6]);
        let t = times[samples / 2 - 1] + 0.3 * step;
        between.state((0, samples - 1), t, &mut q, &mut v);
        let [wanted, rates, _] = flight(t);
        let mut back = Vector4::from_column_slice(&wanted[3..]);
        back = Vector4::new(back[0], -back[1], -back[2], -back[3]);
        let turn = quaternion_log(&multiply(&back, &Vector4::from_column_slice(&q[3..])));
        let worst =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        [worst(&q[..3], &wanted[..3]), turn.norm(), worst(&v[3..], &rates[3..])]
    }

    #[test]
    fn eq1_eq2_exact_in_free_flight() {
        for (samples, accelerations) in [(2, false), (2, true), (4, false), (4, true)] {
            assert!(errors(0.2, samples, accelerations)[0] < 1e-14);
        }
    }

    /// Half the step: 2⁴ and 2⁶ times smaller errors of the turn for two samples, 2⁸ for four.
    #[test]
    fn eq1_order() {
        for (samples, accelerations, order) in [(2, false, 4.0), (2, true, 6.0), (4, false, 8.0)] {
            let (coarse, fine) =
                (errors(0.16, samples, accelerations), errors(0.08, samples, accelerations));
            let rates = [1, 2].map(|k| (coarse[k] / fine[k]).log2());
            assert!(rates[0] > order - 0.4 && rates[1] > order - 1.4, "{samples} {rates:?}");
        }
    }

    /// With accelerations the turn of two samples is better by three digits.
    #[test]
    fn eq3_turns() {
        let (without, with) = (errors(0.2, 2, false), errors(0.2, 2, true));
        assert!(with[1] < 0.02 * without[1], "{without:?} {with:?}");
    }
}
