//! Everything at every frame: poses, centre of mass, contact frames and columns.

use super::between::{At, Between};
use super::timeline::{Frame, Timeline};
use crate::run::{Account, NumberColumn, Table};
use crate::stage::{Bounds, Posture, Stage};
use carom::dynamics::energy::gravity_energy;
use carom::dynamics::forces::spring_energy;
use carom::dynamics::{Kinematics, posture};
use carom::model::Model;
use carom::spatial::rotation::to_quaternion;
use nalgebra::{Vector3, Vector4};

/// What one contact does in the film.
#[derive(Debug, Clone, Default)]
pub(super) struct Reel {
    pub point: Vec<f32>,
    pub normal: Vec<f32>,
    pub tangents: [Vec<f32>; 2],
}

/// Everything at every frame.
#[derive(Debug, Clone)]
pub(super) struct Film {
    pub timeline: Timeline,
    pub t: Vec<f64>,
    /// x, y, z, qw, qx, qy, qz of each body, body fastest.
    pub poses: Vec<f32>,
    pub com: Vec<f32>,
    /// As the columns of the table; the first, time, is empty.
    pub columns: Vec<Vec<f32>>,
    pub reels: Vec<Reel>,
    pub bounds: Bounds,
}

/// Places of the columns that are computed between samples.
struct Places {
    q: Vec<usize>,
    v: Vec<usize>,
    gaps: Vec<Option<usize>>,
    energies: Option<[usize; 4]>,
}

impl Places {
    /// None if the table lacks coordinates of the model.
    fn new(model: &Model, stage: &Stage, table: &Table) -> Option<Self> {
        let all = |letter: &str, names: Vec<String>| {
            names.iter().map(|name| table.place(&format!("{letter}.{name}"))).collect()
        };
        let q: Option<Vec<usize>> = all("q", model.q_names());
        let v: Option<Vec<usize>> = all("v", model.v_names());
        let energy = |name: &str| table.place(&format!("energy.{name}"));
        let energies = ["kinetic", "gravity", "spring", "stored"].map(energy);
        let gap = |site: &carom::contact::Site| table.place(&format!("gap.{}", site.name));
        Some(Self {
            q: q?,
            v: v?,
            gaps: stage.sites.iter().map(gap).collect(),
            energies: match energies {
                [Some(a), Some(b), Some(c), Some(d)] => Some([a, b, c, d]),
                _ => None,
            },
        })
    }
}

/// A camera over one run.
struct Camera<'a> {
    model: &'a Model,
    stage: &'a Stage,
    table: &'a Table,
    places: Places,
    codes: Vec<Option<&'a [u8]>>,
    posture: Posture<'a>,
    kin: Kinematics,
    between: Between,
    states: [(Vec<f64>, Vec<f64>); 2],
    q: Vec<f64>,
    v: Vec<f64>,
    row: Vec<f64>,
    turns: Vec<Vector4<f64>>,
}

impl Film {
    /// The film of a run; none if its columns are not those of its scene.
    pub fn shoot(account: &Account, stage: &Stage) -> Option<Self> {
        let (model, table) = (&account.scene.model, &account.table);
        let timeline = Timeline::new(table.t());
        let frames = timeline.frames.len();
        let mut camera = Camera::new(model, stage, table)?;
        let mut film = Self {
            t: (0..frames).map(|k| timeline.time(k, table.t())).collect(),
            poses: Vec::with_capacity(7 * frames * stage.bodies.len()),
            com: Vec::with_capacity(3 * frames),
            columns: vec![Vec::with_capacity(frames); table.numbers.len()],
            reels: vec![Reel::default(); stage.sites.len()],
            bounds: Bounds::empty(),
            timeline,
        };
        for frame in film.timeline.frames.clone() {
            camera.aim(frame);
            camera.expose(&mut film);
        }
        Some(film)
    }
}

impl<'a> Camera<'a> {
    fn new(model: &'a Model, stage: &'a Stage, table: &'a Table) -> Option<Self> {
        let state = (vec![0.0; model.nq()], vec![0.0; model.nv()]);
        Some(Self {
            model,
            stage,
            table,
            places: Places::new(model, stage, table)?,
            codes: stage.sites.iter().map(|site| table.codes(&site.name)).collect(),
            posture: Posture::new(model, stage),
            kin: Kinematics::new(model),
            between: Between::new(model),
            q: state.0.clone(),
            v: state.1.clone(),
            states: [state.clone(), state],
            row: vec![0.0; table.numbers.len()],
            turns: vec![Vector4::new(1.0, 0.0, 0.0, 0.0); stage.bodies.len()],
        })
    }

    /// Coordinates and velocities of a sample.
    fn gather(&mut self, sample: usize, which: usize) {
        let (q, v) = &mut self.states[which];
        for (to, places) in [(q, &self.places.q), (v, &self.places.v)] {
            for (x, place) in to.iter_mut().zip(places) {
                *x = self.table.numbers[*place].values[sample];
            }
        }
    }

    /// The state and the row of a frame.
    fn aim(&mut self, Frame { left, s }: Frame) {
        self.gather(left, 0);
        let at = |sample: usize| move |c: &NumberColumn| c.values[sample];
        if s == 0.0 {
            self.q.copy_from_slice(&self.states[0].0);
            self.v.copy_from_slice(&self.states[0].1);
            self.row.clear();
            self.row.extend(self.table.numbers.iter().map(at(left)));
            self.posture.place(&self.q, &self.v);
            return;
        }
        self.gather(left + 1, 1);
        let t = self.table.t();
        let [a, b] =
            [0, 1].map(|k| At { t: t[left + k], q: &self.states[k].0, v: &self.states[k].1 });
        self.between.state(self.model, (a, b, s), (&mut self.q, &mut self.v));
        self.row.clear();
        for column in &self.table.numbers {
            let (a, b) = (at(left)(column), at(left + 1)(column));
            self.row.push(a + s * (b - a));
        }
        self.posture.place(&self.q, &self.v);
        self.correct(left);
    }

    /// What follows from the state between samples is computed from it; the rest is linear.
    fn correct(&mut self, left: usize) {
        for (places, x) in [(&self.places.q, &self.q), (&self.places.v, &self.v)] {
            for (place, x) in places.iter().zip(x) {
                self.row[*place] = *x;
            }
        }
        if let Some([kinetic, gravity, spring, stored]) = self.places.energies {
            posture(self.model, &self.q, &mut self.kin);
            self.row[gravity] = gravity_energy(self.model, &self.kin);
            self.row[spring] = spring_energy(self.model, &self.q);
            // The sum is what the run has; the interpolated speed would make it ripple.
            self.row[kinetic] = (self.row[stored] - self.row[gravity] - self.row[spring]).max(0.0);
        }
        for (site, place) in self.places.gaps.iter().enumerate() {
            // A closed gap is closed; the interpolated state meets it to its error only.
            let open = self.codes[site].is_none_or(|codes| codes[left] == 0);
            if let (Some(place), true) = (place, open) {
                self.row[*place] = self.posture.contact(site).gap;
            }
        }
    }

    /// Puts the present state on the film.
    fn expose(&mut self, film: &mut Film) {
        for (column, x) in film.columns.iter_mut().zip(&self.row).skip(1) {
            column.push(*x as f32);
        }
        for (pose, last) in self.posture.poses().iter().zip(&mut self.turns) {
            let Q = to_quaternion(&pose.R);
            // Of the two quaternions of a turn, the one nearer to that of the frame before.
            *last = if Q.dot(last) < 0.0 { -Q } else { Q };
            push(&mut film.poses, &pose.r);
            film.poses.extend(last.iter().map(|x| *x as f32));
        }
        push(&mut film.com, &self.posture.com());
        for (site, reel) in film.reels.iter_mut().enumerate() {
            let frame = self.posture.contact(site);
            push(&mut reel.point, &frame.point);
            push(&mut reel.normal, &frame.normal);
            for k in 0..2 {
                push(&mut reel.tangents[k], &frame.tangents[k]);
            }
        }
        self.stage.widen(self.posture.poses(), &mut film.bounds);
    }
}

fn push(list: &mut Vec<f32>, x: &Vector3<f64>) {
    list.extend(x.iter().map(|x| *x as f32));
}
