//! Ground made of triangles, and free bodies over it.

use super::worlds::{G, World};
use carom::contact::{PolytopePair, polytope_pairs, sites};
use carom::geometry::BodyMotion;
use carom::hybrid::{Options, Run, Simulation, Stop};
use carom::impact::Newton;
use carom::model::{JointKind, Model, Shape, Surface, Terrain};
use carom::spatial::Inertia;
use carom::state::State;
use nalgebra::{Matrix3, Rotation3, Vector3};
use std::sync::Arc;

/// A grid of heights, n × m cells of a size, from a corner; the two triangles of a cell meet in either diagonal.
pub fn grid(
    [n, m]: [usize; 2],
    corner: [f64; 2],
    cell: f64,
    height: impl Fn(f64, f64) -> f64,
) -> Arc<Terrain> {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for j in 0..=m {
        for i in 0..=n {
            let (x, y) = (corner[0] + cell * i as f64, corner[1] + cell * j as f64);
            points.push(Vector3::new(x, y, height(x, y)));
        }
    }
    for j in 0..m {
        for i in 0..n {
            let [a, b] = [j * (n + 1) + i, (j + 1) * (n + 1) + i];
            if (i + j) % 2 == 0 {
                triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
            } else {
                triangles.extend([[a, a + 1, b], [a + 1, b + 1, b]]);
            }
        }
    }
    Arc::new(Terrain::new(&points, &triangles).unwrap())
}

pub fn ground(terrain: &Arc<Terrain>) -> Shape {
    Shape::Terrain { ground: terrain.clone() }
}

pub fn solid(mass: f64, moments: [f64; 3]) -> Inertia {
    Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&moments.into())).unwrap()
}

pub fn ball(mass: f64, radius: f64) -> (Inertia, Shape) {
    (solid(mass, [0.4 * mass * radius * radius; 3]), Shape::Sphere { radius })
}

pub fn brick(mass: f64, [a, b, c]: [f64; 3]) -> (Inertia, Shape) {
    let of = |x: f64, y: f64| mass * (x * x + y * y) / 3.0;
    (solid(mass, [of(b, c), of(a, c), of(a, b)]), Shape::Box { half_extents: [a, b, c] })
}

/// A free body over some ground, gravity along −z.
pub fn over(ground: Shape, (inertia, shape): (Inertia, Shape), by: Surface) -> Model {
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, 0.0, -G)).unwrap();
    let body = world.body(JointKind::Free, inertia);
    let shape = world.shape(Some(body), Vector3::zeros(), shape);
    let ground = world.shape(None, Vector3::zeros(), ground);
    world.touch(ground, shape, by);
    world.build()
}

pub fn run(model: &Model, state: State, until: f64) -> Run {
    let options = Options { rtol: 1e-11, atol: 1e-13, ..Options::default() };
    let run = Simulation::new(model, state, Newton).options(options).run_until(until);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert!(run.statistics.worst_gap > -1e-9, "{}", run.statistics.worst_gap);
    assert_eq!(run.statistics.rescues.iter().sum::<u64>(), 0);
    run
}

pub fn start(model: &Model, r: [f64; 3], v: [f64; 6]) -> State {
    let mut state = State::neutral(model);
    state.q.rows_mut(0, 3).copy_from_slice(&r);
    state.v.copy_from_slice(&v);
    state
}

/// The same start over a flat mesh, tilted or not, and over the plane that it lies in: the same events and end, to 1e-9.
pub fn as_over_a_plane(
    body: (Inertia, Shape),
    r: [f64; 3],
    v: [f64; 6],
    by: Surface,
    until: f64,
) -> [Run; 2] {
    let flat = grid([40, 8], [-0.55, -0.43], 0.11, |_, _| 0.0);
    let runs = [ground(&flat), Shape::HalfSpace { normal: Vector3::z_axis() }].map(|floor| {
        let model = over(floor, body.clone(), by);
        let state = start(&model, r, v);
        run(&model, state, until)
    });
    let [mesh, plane] = &runs;
    assert!((&mesh.state.q - &plane.state.q).amax() < 1e-9, "{} {}", mesh.state.q, plane.state.q);
    assert!((&mesh.state.v - &plane.state.v).amax() < 1e-9);
    // Where bounces accumulate, how many are worked through depends on the size of the numbers that place a contact.
    for (a, b) in mesh.recording.events.iter().zip(&plane.recording.events).take(6) {
        assert!(a.kind == b.kind && (a.t - b.t).abs() < 1e-9, "{a:?} {b:?}");
    }
    runs
}

pub fn pair_of(model: &Model) -> PolytopePair {
    polytope_pairs(model, &sites(model)).remove(0)
}

pub fn posed(R: Matrix3<f64>, r: Vector3<f64>) -> BodyMotion {
    BodyMotion { R, r, ..BodyMotion::fixed() }
}

/// Wavy ground, rough enough for ridges, peaks, valleys and pits.
pub fn wavy() -> Arc<Terrain> {
    grid([12, 12], [-0.6, -0.6], 0.1, |x, y| 0.07 * (11.0 * x).sin() * (9.0 * y + 0.4).cos())
}

/// The least of a convex function on [0, 1], by golden section.
pub fn golden(f: &mut impl FnMut(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut a, mut b) = (0.0, 1.0);
    let (mut c, mut d) = (1.0 - ratio, ratio);
    let (mut fc, mut fd) = (f(c), f(d));
    for _ in 0..42 {
        if fc <= fd {
            (b, d, fd) = (d, c, fc);
            c = b - ratio * (b - a);
            fc = f(c);
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + ratio * (b - a);
            fd = f(d);
        }
    }
    fc.min(fd).min(f(0.0)).min(f(1.0))
}

/// A motion: r cubic in t, R = exp(wt + ½αt²) R₀, so that ω = w and ω̇ = α at t = 0.
pub struct Path {
    pub r: [Vector3<f64>; 4],
    pub R: Matrix3<f64>,
    pub w: Vector3<f64>,
    pub alpha: Vector3<f64>,
}

impl Path {
    pub fn at(&self, t: f64) -> BodyMotion {
        let [a, b, c, d] = self.r;
        let turn = Rotation3::new(self.w * t + self.alpha * (0.5 * t * t));
        BodyMotion {
            R: turn.matrix() * self.R,
            r: a + b * t + c * (t * t) + d * (t * t * t),
            w: self.w,
            v: b,
            a0: c * 2.0,
            alpha0: self.alpha,
        }
    }
}

/// First and second derivative by central differences of order 8.
pub fn differences(f: impl Fn(f64) -> f64, h: f64) -> [f64; 2] {
    let w = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let u = [8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
    let (mut first, mut second) = (0.0, -205.0 / 72.0 * f(0.0));
    for k in 0..4 {
        let (ahead, behind) = (f((k + 1) as f64 * h), f(-((k + 1) as f64) * h));
        first += w[k] * (ahead - behind);
        second += u[k] * (ahead + behind);
    }
    [first / h, second / (h * h)]
}
