//! Everything that is drawn over time, as polynomials: poses, centre of mass, contact frames and columns.
//!
//! # Rule
//! A stretch is what lies between two events. Its motion is known at every time ([`Between`]); what follows from the
//! state (energies of gravity and springs, gaps, contact frames) is computed from it, the rest is a smooth curve through
//! the samples. It is cut into [`pieces`](super::pieces) whose polynomials err by at most
//! ```text
//! ε · L for places, ε for quaternions, ε · R for coordinates, 10 ε · R for velocities,
//! 100 ε · R for what else is shown,                                   ε = 5·10⁻⁷       (1)
//! ```
//! with L the size of the motion and R the range of all numbers of one unit, but never by less than the absolute
//! tolerance of the run, below which motion is round-off. What is known at samples only is not looked
//! at more closely than a quarter of a step, and where an open contact is nobody sees. If a run would need more than [`MOST`] frames besides those of its
//! events, ε is made ten times larger until it does not; the document says which ε was met.
//!
//! # Tests
//! `tests/motion.rs`: `eq1_pictures_are_the_motion`.

use super::between::{Between, Stretch};
use super::cast::Cast;
use super::limits::Limits;
use super::pieces::{DEGREES, points, weights};
use super::smooth::Smooth;
use crate::run::Table;
use crate::stage::{Bounds, Posture, Stage};
use carom::dynamics::elements::point_spring_energy;
use carom::dynamics::energy::gravity_energy;
use carom::dynamics::forces::spring_energy;
use carom::dynamics::{Kinematics, posture};
use carom::model::Model;
use carom::spatial::Pose;
use carom::spatial::rotation::{from_quaternion, to_quaternion};
use nalgebra::{Vector3, Vector4};

/// ε of rule (1).
pub(super) const ERROR: f64 = 5e-7;
/// The largest ε.
pub(super) const COARSEST: f64 = 5e-3;
/// Frames that a run may have besides those of its events.
pub(super) const MOST: usize = 40_000;
/// A piece begins with so many steps at most: its points are to see all that happens.
pub(super) const STEPS: usize = 32;
/// Halvings at most.
const DEEPEST: usize = 24;

/// What one contact does in the film.
#[derive(Debug, Clone, Default)]
pub(super) struct Reel {
    /// Frames at the beginning at which nobody had seen the contact yet.
    pub unseen: usize,
    pub point: Vec<f32>,
    pub normal: Vec<f32>,
    pub tangents: [Vec<f32>; 2],
}

/// Everything at every frame.
#[derive(Debug, Clone)]
pub(super) struct Film {
    pub t: Vec<f64>,
    /// Degrees of the pieces.
    pub degrees: Vec<u8>,
    /// The sample at or before each frame.
    pub samples: Vec<usize>,
    /// x, y, z, qw, qx, qy, qz of each body, body fastest.
    pub poses: Vec<f32>,
    pub com: Vec<f32>,
    /// As the columns of the table; those of time and accelerations are empty.
    pub columns: Vec<Vec<f32>>,
    pub reels: Vec<Reel>,
    pub bounds: Bounds,
    /// Columns that are not shown: of many contacts, the gaps of those that never close.
    pub hidden: Vec<String>,
    /// What is drawn errs by at most this part of the size of the motion: 2ε of rule (1), or what the samples allow.
    pub error: f64,
    /// The row that the film begins with, of its first frame or just before it, and that of the last frame.
    pub first: Row,
    pub last: Row,
}

/// How a column is known between samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sort {
    Time,
    Q(usize),
    V(usize),
    Acceleration,
    Kinetic,
    Gravity,
    Spring,
    Gap(usize),
    Other,
}

/// Places of the parts of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    pub bodies: usize,
    columns: usize,
    sites: usize,
}

impl Parts {
    pub fn com(self) -> usize {
        7 * self.bodies
    }
    pub fn column(self) -> usize {
        self.com() + 3
    }
    pub fn reel(self) -> usize {
        self.column() + self.columns
    }
    pub fn len(self) -> usize {
        self.reel() + 12 * self.sites
    }
}

/// Everything at one time.
type Row = Vec<f64>;

/// A stretch, and the samples of it between which a piece is looked for first.
pub(super) type Part = (Stretch, usize, usize);

/// A camera over one run.
pub(super) struct Camera<'a> {
    model: &'a Model,
    stage: &'a Stage,
    pub table: &'a Table,
    pub sorts: Vec<Sort>,
    stored: Option<usize>,
    pub parts: Parts,
    pub posture: Posture<'a>,
    kin: Kinematics,
    pub between: Between<'a>,
    curves: Vec<Option<Smooth<'a>>>,
    stretch: Stretch,
    /// Contacts that are open in the stretch.
    pub open: Vec<bool>,
    pub cast: Cast,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

impl Film {
    pub fn empty(stage: &Stage, table: &Table, error: f64) -> Self {
        Self {
            t: Vec::new(),
            degrees: Vec::new(),
            samples: Vec::new(),
            poses: Vec::new(),
            com: Vec::new(),
            columns: vec![Vec::new(); table.numbers.len()],
            reels: vec![Reel::default(); stage.sites.len()],
            bounds: Bounds::empty(),
            hidden: Vec::new(),
            error,
            first: Vec::new(),
            last: Vec::new(),
        }
    }

    /// Puts a row on the film.
    fn push(&mut self, t: f64, sample: usize, row: &[f64], camera: &Camera<'_>) {
        let parts = camera.parts;
        self.t.push(t);
        self.samples.push(sample);
        put(&mut self.poses, &row[..parts.com()]);
        put(&mut self.com, &row[parts.com()..parts.column()]);
        let shown = self.columns.iter_mut().zip(&camera.sorts).zip(&row[parts.column()..]);
        for ((column, sort), x) in shown {
            if !matches!(sort, Sort::Time | Sort::Acceleration) {
                column.push(*x as f32);
            }
        }
        for (site, (reel, x)) in
            self.reels.iter_mut().zip(row[parts.reel()..].chunks(12)).enumerate()
        {
            if !camera.sees(site, t) {
                reel.hold();
                continue;
            }
            put(&mut reel.point, &x[..3]);
            put(&mut reel.normal, &x[3..6]);
            put(&mut reel.tangents[0], &x[6..9]);
            put(&mut reel.tangents[1], &x[9..12]);
        }
        let pose = |x: &[f64]| {
            let turn = Vector4::new(x[3], x[4], x[5], x[6]);
            Pose::new(from_quaternion(&turn), Vector3::new(x[0], x[1], x[2]))
        };
        let poses: Vec<Pose> = row[..parts.com()].chunks(7).map(pose).collect();
        camera.stage.widen(&poses, &mut self.bounds);
        if self.first.is_empty() {
            self.first = row.to_vec();
        }
        self.last = row.to_vec();
    }
}

impl Reel {
    /// Nobody sees the contact: what was known of it last stands.
    fn hold(&mut self) {
        self.unseen += usize::from(self.point.len() == 3 * self.unseen);
        let [t1, t2] = &mut self.tangents;
        for list in [&mut self.point, &mut self.normal, t1, t2] {
            let last =
                list.len().checked_sub(3).map_or([0.0; 3], |k| [list[k], list[k + 1], list[k + 2]]);
            list.extend(last);
        }
    }
}

fn put(list: &mut Vec<f32>, numbers: &[f64]) {
    list.extend(numbers.iter().map(|x| *x as f32));
}

impl<'a> Camera<'a> {
    pub fn new(model: &'a Model, stage: &'a Stage, table: &'a Table, cast: Cast) -> Option<Self> {
        let parts = Parts {
            bodies: stage.bodies.len(),
            columns: table.numbers.len(),
            sites: stage.sites.len(),
        };
        let find = |names: &[String], name: &str| names.iter().position(|n| n == name);
        let (q_names, v_names) = (model.q_names(), model.v_names());
        let sort = |name: &str| match name.split_once('.') {
            None if name == "t" => Sort::Time,
            Some(("q", rest)) => find(&q_names, rest).map_or(Sort::Other, Sort::Q),
            Some(("v", rest)) => find(&v_names, rest).map_or(Sort::Other, Sort::V),
            Some(("a", _)) => Sort::Acceleration,
            Some(("energy", "kinetic")) => Sort::Kinetic,
            Some(("energy", "gravity")) => Sort::Gravity,
            Some(("energy", "spring")) => Sort::Spring,
            Some(("gap", rest)) => {
                stage.sites.iter().position(|s| s.name == rest).map_or(Sort::Other, Sort::Gap)
            }
            _ => Sort::Other,
        };
        Some(Self {
            model,
            stage,
            table,
            sorts: table.numbers.iter().map(|c| sort(&c.name)).collect(),
            stored: table.place("energy.stored"),
            parts,
            posture: Posture::new(model, stage),
            kin: Kinematics::new(model),
            between: Between::new(model, table)?,
            curves: Vec::new(),
            stretch: (0, 0),
            open: vec![true; stage.sites.len()],
            cast,
            q: vec![0.0; model.nq()],
            v: vec![0.0; model.nv()],
        })
    }

    /// Turns to a stretch.
    fn enter(&mut self, stretch: Stretch) {
        self.stretch = stretch;
        let (first, last) = stretch;
        let t = &self.table.t()[first..=last];
        self.curves.clear();
        for (column, sort) in self.table.numbers.iter().zip(&self.sorts) {
            let known = matches!(sort, Sort::Other | Sort::Kinetic | Sort::Gap(_));
            self.curves.push(known.then(|| Smooth::new(t, &column.values[first..=last])));
        }
        for (site, open) in self.stage.sites.iter().zip(&mut self.open) {
            *open = self.table.codes(&site.name).is_none_or(|codes| codes[first] == 0);
        }
    }

    /// Whether it is seen where a contact is: at the start, while it is closed, and where something happens to it.
    fn sees(&self, site: usize, t: f64) -> bool {
        !self.open[site] || t == self.table.t()[0] || self.cast.acts_at(site, t)
    }

    /// Everything at a time of the stretch; at its ends, the samples themselves.
    fn shot(&mut self, t: f64) -> Row {
        let (first, last) = self.stretch;
        let times = self.table.t();
        let sample = match t {
            t if t <= times[first] => Some(first),
            t if t >= times[last] => Some(last),
            _ => None,
        };
        match sample {
            Some(k) => self.between.sample(k, &mut self.q, &mut self.v),
            None => self.between.state(self.stretch, t, &mut self.q, &mut self.v),
        }
        self.posture.place(&self.q, &self.v);
        let mut row = Vec::with_capacity(self.parts.len());
        for pose in self.posture.poses() {
            row.extend(pose.r.iter());
            row.extend(to_quaternion(&pose.R).iter());
        }
        row.extend(self.posture.com().iter());
        match sample {
            Some(k) => row.extend(self.table.numbers.iter().map(|c| c.values[k])),
            None => self.columns(t, &mut row),
        }
        for site in 0..self.parts.sites {
            if !self.sees(site, t) {
                row.extend([0.0; 12]);
                continue;
            }
            let frame = self.posture.contact(site);
            for vector in [&frame.point, &frame.normal, &frame.tangents[0], &frame.tangents[1]] {
                row.extend(vector.iter());
            }
        }
        row
    }

    /// Columns between samples: what follows from the state is computed from it.
    fn columns(&mut self, t: f64, row: &mut Row) {
        let start = row.len();
        posture(self.model, &self.q, &mut self.kin);
        let (gravity, spring) = (
            gravity_energy(self.model, &self.kin),
            spring_energy(self.model, &self.q) + point_spring_energy(self.model, &self.kin),
        );
        for (k, sort) in self.sorts.iter().enumerate() {
            let curve = || self.curves[k].as_ref().map_or(0.0, |curve| curve.at(t));
            row.push(match *sort {
                Sort::Time | Sort::Acceleration => 0.0,
                Sort::Q(i) => self.q[i],
                Sort::V(i) => self.v[i],
                Sort::Gravity => gravity,
                Sort::Spring => spring,
                // A closed gap is closed; the state between samples meets it to its error only.
                Sort::Gap(site) if !self.cast.gaps[site] => 0.0,
                Sort::Gap(site) if self.open[site] => self.posture.contact(site).gap,
                Sort::Gap(_) | Sort::Kinetic | Sort::Other => curve(),
            });
        }
        // The sum is what the run has; the speed between samples would make it ripple.
        let kinetic = self.sorts.iter().position(|sort| *sort == Sort::Kinetic);
        if let (Some(kinetic), Some(stored)) = (kinetic, self.stored) {
            row[start + kinetic] = (row[start + stored] - gravity - spring).max(0.0);
        }
    }

    /// Puts a part of a stretch on the film: what is between two of its samples.
    pub fn expose(&mut self, (stretch, from, to): Part, limits: &Limits, film: &mut Film) {
        if self.stretch != stretch || self.curves.is_empty() {
            self.enter(stretch);
        }
        let t = self.table.t();
        if from == stretch.0 {
            let mut row = self.shot(t[from]);
            if let Some(before) = film.t.last() {
                film.degrees.push(joint(*before, t[from]));
            }
            if !film.last.is_empty() {
                near(&film.last, &mut row, self.parts.bodies);
            }
            film.push(t[from], from, &row, self);
        } else if film.last.is_empty() {
            film.first = self.shot(t[from]);
            film.last.clone_from(&film.first);
        }
        if to > from {
            self.piece((t[from], t[to]), 0, limits, film);
        }
    }

    /// Puts the polynomials from the last frame, at `a`, to `b` on the film.
    fn piece(&mut self, (a, b): (f64, f64), depth: usize, limits: &Limits, film: &mut Film) {
        let finest = 2 * DEGREES[DEGREES.len() - 1];
        let mut rows: Vec<Option<Row>> = vec![None; finest + 1];
        let middle = self.between.left(self.stretch, 0.5 * (a + b));
        let step = self.table.t()[middle + 1] - self.table.t()[middle];
        let fine = b - a < 0.25 * step;
        let last =
            depth >= DEEPEST || b - a <= 1e-12 * (a.abs() + b.abs()) || film.t.len() > limits.room;
        let time = |x: f64| if x >= 1.0 { b } else { a + (b - a) * x };
        rows[0] = Some(film.last.clone());
        for p in DEGREES {
            let twice = points(2 * p);
            let stride = finest / (2 * p);
            for (j, x) in twice.iter().enumerate().skip(1) {
                if rows[j * stride].is_none() {
                    rows[j * stride] = Some(self.shot(time(*x)));
                }
            }
            // Of the two quaternions of a turn, the one nearer to that before.
            let mut before: Row = film.last.clone();
            for j in 1..=2 * p {
                if let Some(row) = &mut rows[j * stride] {
                    near(&before, row, self.parts.bodies);
                    before.clone_from(row);
                }
            }
            let at = |j: usize| rows[j * stride].as_deref().unwrap_or(&[]);
            let met = last
                || (0..p).all(|k| {
                    let w = weights(p, twice[2 * k + 1]);
                    let truth = at(2 * k + 1);
                    (0..truth.len()).all(|i| {
                        let limit = limits.of(i, fine, self);
                        if limit.is_infinite() {
                            return true;
                        }
                        let drawn: f64 = w.iter().enumerate().map(|(j, w)| w * at(2 * j)[i]).sum();
                        (drawn - truth[i]).abs() <= limit
                    })
                });
            // One point in the middle would take a wave for a line.
            if met && (p > 1 || last || self.is_line(&rows[0], at(1), at(2), time, limits, fine)) {
                film.degrees.push(p as u8);
                for j in 1..=p {
                    let t = time(twice[2 * j]);
                    let sample = self.between.left(self.stretch, t);
                    let sample =
                        if t >= self.table.t()[self.stretch.1] { self.stretch.1 } else { sample };
                    let row = rows[2 * j * stride].take().unwrap_or_default();
                    film.push(t, sample, &row, self);
                }
                return;
            }
        }
        let half = 0.5 * (a + b);
        self.piece((a, half), depth + 1, limits, film);
        self.piece((half, b), depth + 1, limits, film);
    }

    /// Whether the motion is on the line also at a point off the middle.
    fn is_line(
        &mut self,
        start: &Option<Row>,
        middle: &[f64],
        end: &[f64],
        time: impl Fn(f64) -> f64,
        limits: &Limits,
        fine: bool,
    ) -> bool {
        let Some(start) = start else { return false };
        let x = 0.3;
        let mut off = self.shot(time(x));
        near(middle, &mut off, self.parts.bodies);
        (0..off.len()).all(|i| {
            let limit = limits.of(i, fine, self);
            limit.is_infinite() || (start[i] + x * (end[i] - start[i]) - off[i]).abs() <= limit
        })
    }
}

/// Degree of what joins two stretches, an event: a jump, or a change of modes between two samples.
pub(super) fn joint(before: f64, after: f64) -> u8 {
    u8::from(before != after)
}

/// Turns the quaternions of a row to those nearer to another row's.
fn near(before: &[f64], row: &mut [f64], bodies: usize) {
    for body in 0..bodies {
        let own = 7 * body + 3..7 * body + 7;
        let dot: f64 = before[own.clone()].iter().zip(&row[own.clone()]).map(|(a, b)| a * b).sum();
        if dot < 0.0 {
            row[own].iter_mut().for_each(|x| *x = -*x);
        }
    }
}
