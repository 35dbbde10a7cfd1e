//! A gas of hard discs or spheres in a box: events per second, conservation, pressure.
//!
//! ```console
//! $ cargo run --release -p carom --example gas -- discs 1000 20
//! ```
//! runs 1000 discs for about 20 collisions of each, after a start half as long in which they mix. Bodies fill a share
//! η = 0.3 of the box. The pressure is that on the walls,
//! ```text
//! Z = P A / (N kT),   P = Σ pₙ / (perimeter × time),   kT = 2 E / (d N)                       (1)
//! ```
//! on the area (volume) that centres can reach, beside Z = (1 + η²/8)/(1 − η)² of discs (Henderson 1975) and
//! Z = (1 + η + η² − η³)/(1 − η)³ of spheres (Carnahan & Starling 1969).

use carom::contact::{Site, SiteGeometry};
use carom::hybrid::{Options, Output, Simulation};
use carom::impact::Newton;
use carom::model::{Feature, Joint, JointKind, Model, ModelBuilder, Shape, Surface};
use carom::record::{Directive, Event, Observer};
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

fn gas(dimension: usize, count: usize) -> Result<Gas, Box<dyn std::error::Error>> {
    let side = (count as f64).powf(1.0 / dimension as f64).ceil() as usize;
    let size = if dimension == 2 {
        std::f64::consts::PI * RADIUS * RADIUS
    } else {
        4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3)
    };
    let length = (count as f64 * size / SHARE).powf(1.0 / dimension as f64);
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

/// Counts collisions and sums the impulses on the walls.
#[derive(Default)]
struct Tally {
    declared: usize,
    walls: Vec<bool>,
    pairs: u64,
    hits: u64,
    impulse: f64,
    most: u64,
}

impl Observer for Tally {
    fn site(&mut self, _: usize, site: &Site) {
        self.walls.push(matches!(site.geometry, SiteGeometry::OnPlane { .. }));
    }

    fn event(&mut self, event: &Event) -> Directive {
        for change in &event.contacts {
            if self.walls[change.site - self.declared] {
                self.hits += 1;
                self.impulse += change.impulse[2];
            } else {
                self.pairs += 1;
            }
        }
        if self.pairs >= self.most { Directive::Stop } else { Directive::Continue }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [shape, count, collisions] = arguments.as_slice() else {
        return Err("usage: gas discs|spheres COUNT COLLISIONS".into());
    };
    let dimension = if shape == "spheres" { 3 } else { 2 };
    let (count, each): (usize, f64) = (count.parse()?, collisions.parse()?);
    let mut gas = gas(dimension, count)?;
    let options = Options { output: Output::Interval(1e9), ..Options::default() };
    let most = |share: f64| (share * each * count as f64 / 2.0) as u64;
    let start = gas.state.clone();
    let mut mixing = Tally { most: most(0.5), ..Tally::default() };
    let run = Simulation::new(&gas.model, gas.state.clone(), Newton).options(options);
    gas.state = run.run_with(1e6, &mut mixing)?.state;
    let mut tally = Tally { most: most(1.0), ..Tally::default() };
    let run = Simulation::new(&gas.model, gas.state.clone(), Newton).options(options);
    let clock = Instant::now();
    let outcome = run.run_with(1e6, &mut tally)?;
    let seconds = clock.elapsed().as_secs_f64();
    let events = tally.pairs + tally.hits;
    let energy = |state: &State| 0.5 * MASS * state.v.norm_squared();
    let (before, after) = (energy(&start), energy(&outcome.state));
    let (z, theory) = pressure(&gas, &tally, outcome.state.t - gas.state.t, after);
    println!(
        "{shape} {count}: {events} events in {seconds:.3} s, {:.0} events/s, {:.2} us each; energy {:.1e}, \
         least gap {:.1e} m, Z = {z:.4} beside {theory:.4}",
        events as f64 / seconds,
        1e6 * seconds / events as f64,
        after / before - 1.0,
        least_gap(&gas, &outcome.state),
    );
    Ok(())
}

/// Equation (1), and what the equation of state says.
fn pressure(gas: &Gas, tally: &Tally, time: f64, energy: f64) -> (f64, f64) {
    let d = gas.dimension as f64;
    let free = gas.length - 2.0 * RADIUS;
    let temperature = 2.0 * energy / (d * gas.count as f64);
    let walls = 2.0 * d * free.powf(d - 1.0);
    let pressure = tally.impulse / (walls * time);
    let size = if gas.dimension == 2 {
        std::f64::consts::PI * RADIUS * RADIUS
    } else {
        4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3)
    };
    let eta = gas.count as f64 * size / gas.length.powf(d);
    let theory = match gas.dimension {
        2 => (1.0 + eta * eta / 8.0) / (1.0 - eta).powi(2),
        _ => (1.0 + eta + eta * eta - eta.powi(3)) / (1.0 - eta).powi(3),
    };
    (pressure * free.powf(d) / (gas.count as f64 * temperature), theory)
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
