//! A gas of hard discs or spheres in a box: events per second, conservation, pressure.
//!
//! ```console
//! $ cargo run --release -p carom --example gas -- discs 1000 20
//! ```
//! runs 1000 discs for about 20 collisions of each, after a start half as long in which they mix, and tells a row for each
//! collision of a body, so that the work of rows is the same for each event whatever the number of bodies. Times are those
//! of the processor where the system tells them, from the first row to the last event. Bodies fill a share of 0.3 of the box.
//! The pressure is that on the inner half of each wall, the density that of the inner half of the box, where edges and walls do
//! not order the gas; mechanical equilibrium makes both those of one state. (Whole walls press harder: along edges the
//! gas is denser. With them Z of 1 000 spheres is 12 % too large, of 10 000 4 %.)
//! ```text
//! Z = P / (n kT),   P = Σ pₙ / (inner halves of the walls × time),   kT = 2 E / (d N)          (1)
//! ```
//! beside Z = (1 + η²/8)/(1 − η)² of discs (Henderson 1975) and Z = (1 + η + η² − η³)/(1 − η)³ of spheres (Carnahan &
//! Starling 1969), η = n × the size of a body. What momentum is lost, the walls have got:
//! ```text
//! |Σ m v(end) − Σ m v(start) − Σ n pₙ of the walls| / Σ m |v| = 0                              (2)
//! ```

use carom::contact::{Site, SiteGeometry};
use carom::hybrid::{Options, Output, Simulation};
use carom::impact::Newton;
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::record::{Directive, Event, Observer, Sample};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use carom_testing::splitmix64;
use nalgebra::{Matrix3, Unit, Vector3};
use std::time::Instant;

const SHARE: f64 = 0.3;
const MASS: f64 = 0.1;
const RADIUS: f64 = 0.01;

/// A gas in a box of side `length`, as a group.
struct Gas {
    model: Model,
    state: State,
    length: f64,
    dimension: usize,
    count: usize,
}

/// Area or volume of a body.
fn size(dimension: usize) -> f64 {
    match dimension {
        2 => std::f64::consts::PI * RADIUS * RADIUS,
        _ => 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3),
    }
}

fn gas(dimension: usize, count: usize) -> Result<Gas, Box<dyn std::error::Error>> {
    let side = (count as f64).powf(1.0 / dimension as f64).ceil() as usize;
    let length = (count as f64 * size(dimension) / SHARE).powf(1.0 / dimension as f64);
    let spacing = length / side as f64;
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::zeros())?;
    let moment = 0.4 * MASS * RADIUS * RADIUS;
    let inertia = Inertia::new(MASS, Vector3::zeros(), Matrix3::identity() * moment)?;
    let (kind, shape) = match dimension {
        2 => (JointKind::Planar, Shape::Disk { radius: RADIUS }),
        _ => (JointKind::Free, Shape::Sphere { radius: RADIUS }),
    };
    let mut features = Vec::new();
    for i in 0..count {
        let joint = Joint::new(format!("b{i}.joint"), kind, Pose::identity());
        let body = builder.add_body(format!("b{i}"), None, joint, inertia)?;
        let feature = Feature {
            name: format!("b{i}.shape"),
            body: Some(body),
            placement: Pose::identity(),
            shape: shape.clone(),
        };
        features.push(builder.add_feature(feature)?);
    }
    for axis in 0..dimension {
        for sign in [1.0, -1.0] {
            let mut normal = Vector3::zeros();
            normal[axis] = sign;
            let at = if sign > 0.0 { Vector3::zeros() } else { -normal * length };
            let feature = Feature {
                name: format!("wall{axis}{sign}"),
                body: None,
                placement: Pose::translation(at),
                shape: Shape::HalfSpace { normal: Unit::new_normalize(normal) },
            };
            features.push(builder.add_feature(feature)?);
        }
    }
    let surface = Surface { restitution: 1.0, static_friction: 0.0, friction: 0.0 };
    builder.add_group("gas", features, surface)?;
    let model = builder.build()?;
    let mut state = State::neutral(&model);
    let mut seed = 1;
    let mut random = || 2.0 * (splitmix64(&mut seed) >> 11) as f64 / (1_u64 << 53) as f64 - 1.0;
    for body in model.body_ids() {
        let (q, v) = (model.q_range(body).start, model.v_range(body).start);
        let mut place = body.index();
        for axis in 0..dimension {
            state.q[q + axis] = spacing * ((place % side) as f64 + 0.5);
            state.v[v + axis] = random();
            place /= side;
        }
    }
    Ok(Gas { model, state, length, dimension, count })
}

/// Counts collisions, sums the impulses of the walls, and looks how dense the middle is.
#[derive(Default)]
struct Tally {
    walls: Vec<Option<Vector3<f64>>>,
    pairs: u64,
    hits: u64,
    /// Magnitudes in the middle of walls, and vectors of all, N s.
    impulse: f64,
    given: Vector3<f64>,
    most: u64,
    /// Side of the box, and how many coordinates a body has.
    length: f64,
    stride: (usize, usize),
    /// Rows, and centres in the inner half of the box in all of them.
    rows: u64,
    inner: u64,
    /// Clocks at the first row and at the last event.
    began: Option<Clocks>,
    ended: Option<Clocks>,
}

/// Times of the wall, and of the processor where the system tells it, s.
#[derive(Clone, Copy)]
struct Clocks {
    wall: Instant,
    cpu: Option<f64>,
}

impl Clocks {
    fn now() -> Self {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok();
        let first = text.as_ref().and_then(|text| text.split_whitespace().next());
        let nanoseconds: Option<f64> = first.and_then(|number| number.parse().ok());
        Self { wall: Instant::now(), cpu: nanoseconds.map(|ns| 1e-9 * ns) }
    }

    fn since(&self, before: &Self) -> f64 {
        let wall = self.wall.duration_since(before.wall).as_secs_f64();
        self.cpu.zip(before.cpu).map_or(wall, |(after, before)| after - before)
    }
}

impl Tally {
    fn new(gas: &Gas, most: u64) -> Self {
        let stride = (gas.model.nq() / gas.count, gas.dimension);
        Self { most, length: gas.length, stride, ..Self::default() }
    }

    fn is_inner(&self, x: f64) -> bool {
        (x / self.length - 0.5).abs() < 0.25
    }

    /// Bodies per area or volume in the middle.
    fn density(&self, dimension: usize) -> f64 {
        self.inner as f64 / self.rows as f64 / (0.5 * self.length).powi(dimension as i32)
    }
}

impl Observer for Tally {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.began.get_or_insert_with(Clocks::now);
        let (stride, dimension) = self.stride;
        let centres = sample.q.chunks(stride).map(|q| &q[..dimension]);
        self.inner += centres.filter(|c| c.iter().all(|&x| self.is_inner(x))).count() as u64;
        self.rows += 1;
        Directive::Continue
    }

    fn site(&mut self, _: usize, site: &Site) {
        self.walls.push(match &site.geometry {
            SiteGeometry::OnPlane { plane, .. } => Some(plane.normal),
            _ => None,
        });
    }

    fn event(&mut self, event: &Event) -> Directive {
        for change in &event.contacts {
            if let Some(normal) = self.walls[change.site] {
                self.hits += 1;
                let mut along = (0..self.stride.1).filter(|&k| normal[k] == 0.0);
                if along.all(|k| self.is_inner(event.q[k])) {
                    self.impulse += change.impulse[2];
                }
                self.given += normal * change.impulse[2];
            } else {
                self.pairs += 1;
            }
        }
        if self.pairs < self.most {
            return Directive::Continue;
        }
        self.ended.get_or_insert_with(Clocks::now);
        Directive::Stop
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [shape, count, collisions] = arguments.as_slice() else {
        return Err("usage: gas discs|spheres COUNT COLLISIONS".into());
    };
    let dimension = if shape == "spheres" { 3 } else { 2 };
    let (count, each): (usize, f64) = (count.parse()?, collisions.parse()?);
    let gas = gas(dimension, count)?;
    let most = |share: f64| (share * each * count as f64 / 2.0) as u64;
    let run = |state: &State, rows: f64| {
        let options = Options { output: Output::Interval(rows), ..Options::default() };
        Simulation::new(&gas.model, state.clone(), Newton).options(options)
    };
    let start = gas.state.clone();
    let mixed = run(&start, 1e9).run_with(1e6, &mut Tally::new(&gas, most(0.5)))?.state;
    let mut tally = Tally::new(&gas, most(1.0));
    let asked = Clocks::now();
    let outcome = run(&mixed, (mixed.t - start.t) / (0.5 * each)).run_with(1e6, &mut tally)?;
    let (began, ended) = tally.began.zip(tally.ended).ok_or("no collisions")?;
    let (start_up, seconds) = (began.since(&asked), ended.since(&began));
    let events = tally.pairs + tally.hits;
    let energy = |state: &State| 0.5 * MASS * state.v.norm_squared();
    let (before, after) = (energy(&start), energy(&outcome.state));
    let (momentum, size) = momentum(&gas, &outcome.state);
    let given = momentum - self::momentum(&gas, &mixed).0 - tally.given;
    let (z, theory) = pressure(&gas, &tally, outcome.state.t - mixed.t, after);
    println!(
        "{shape} {count}: begun in {start_up:.3} s, {events} events in {seconds:.3} s, {:.0} events/s, {:.2} us each; energy {:.1e}, \
         momentum {:.1e}, least gap {:.1e} m, Z = {z:.4} beside {theory:.4}",
        events as f64 / seconds,
        1e6 * seconds / events as f64,
        after / before - 1.0,
        given.norm() / size,
        least_gap(&gas, &outcome.state),
    );
    Ok(())
}

/// Momentum of all, and the sum of its magnitudes, N s.
fn momentum(gas: &Gas, state: &State) -> (Vector3<f64>, f64) {
    let (stride, mut sum, mut size) = (gas.model.nv() / gas.count, Vector3::zeros(), 0.0);
    for v in state.v.as_slice().chunks(stride) {
        let mut p = Vector3::zeros();
        (0..gas.dimension).for_each(|k| p[k] = MASS * v[k]);
        (sum, size) = (sum + p, size + p.norm());
    }
    (sum, size)
}

/// Equation (1), and what the equation of state says.
fn pressure(gas: &Gas, tally: &Tally, time: f64, energy: f64) -> (f64, f64) {
    let d = gas.dimension as f64;
    let temperature = 2.0 * energy / (d * gas.count as f64);
    let walls = 2.0 * d * (0.5 * gas.length).powf(d - 1.0);
    let pressure = tally.impulse / (walls * time);
    let density = tally.density(gas.dimension);
    let eta = density * size(gas.dimension);
    let theory = match gas.dimension {
        2 => (1.0 + eta * eta / 8.0) / (1.0 - eta).powi(2),
        _ => (1.0 + eta + eta * eta - eta.powi(3)) / (1.0 - eta).powi(3),
    };
    (pressure / (density * temperature), theory)
}

/// The least gap of any two, m.
fn least_gap(gas: &Gas, state: &State) -> f64 {
    let place = |i: usize| {
        let q = gas.model.q_range(gas.model.body_ids().nth(i).unwrap()).start;
        let z = if gas.dimension == 3 { state.q[q + 2] } else { 0.0 };
        Vector3::new(state.q[q], state.q[q + 1], z)
    };
    let mut places: Vec<Vector3<f64>> = (0..gas.count).map(place).collect();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut least = f64::INFINITY;
    for (i, a) in places.iter().enumerate() {
        for b in places[i + 1..].iter().take_while(|b| b.x - a.x < 2.1 * RADIUS) {
            least = least.min((b - a).norm() - 2.0 * RADIUS);
        }
    }
    least
}
