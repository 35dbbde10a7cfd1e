//! Ground of the plane: gaps by their definition, motions against those on planes and closed forms, and against ground in space.
#![allow(non_snake_case)]

mod support;

use carom::contact::site_state::state_between;
use carom::contact::{PolytopePair, sites};
use carom::geometry::{BodyMotion, Features};
use carom::hybrid::{Options, Output, Run, Simulation};
use carom::impact::Newton;
use carom::model::{JointKind, Model, ModelError, Shape, Surface, Terrain, TerrainError};
use carom::state::State;
use nalgebra::{Rotation3, Unit, Vector2, Vector3};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use support::Random;
use support::grounds::{Path, ball, differences, golden, grid, ground, over, pair_of, posed, run};
use support::worlds::{G, World, planar_inertia, surface};

/// Configurations of each shape.
const COUNT: usize = 1000;

fn line(points: &[[f64; 2]]) -> Arc<Terrain> {
    Arc::new(Terrain::line(points).unwrap())
}

/// Heights at equal distances over a range of x.
fn heights(n: usize, [from, to]: [f64; 2], height: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let at = |k: usize| from + (to - from) * k as f64 / n as f64;
    (0..=n).map(|k| [at(k), height(at(k))]).collect()
}

/// Rough ground with ridges, valleys, an overhang and two ends.
fn rough() -> Vec<[f64; 2]> {
    let mut points = heights(16, [-3.0, 3.0], |x| 0.7 * (2.3 * x).sin() + 0.3 * (7.1 * x).cos());
    points.splice(8..8, [[-0.2, 0.9], [0.5, 1.5], [0.1, 0.8]]);
    points
}

/// Shapes of the plane of random sizes, about as large as a length.
fn shape(sort: usize, random: &mut Random, length: f64) -> Shape {
    let mut size = || random.within(0.2, 0.8) * length;
    match sort {
        0 => Shape::Disk { radius: size() },
        1 => Shape::Point,
        2 => Shape::Capsule { radius: 0.5 * size(), half_length: size() },
        3 => Shape::Box { half_extents: [size(), size(), size()] },
        4 => Shape::Ellipse { semi_axes: [size(), size()] },
        _ => {
            let s = size();
            let corner = |k: usize| [0.9 * s * (k as f64).cos(), 0.7 * s * (k as f64).sin()];
            Shape::Polygon { corners: (0..6).map(corner).collect(), rounding: 0.1 * s }
        }
    }
}

/// A body that moves in the plane over some ground, gravity along −y.
fn above(floor: Shape, shape: Shape, by: Surface) -> Model {
    let mut world = World::new();
    world.builder.gravity(Vector3::new(0.0, -G, 0.0)).unwrap();
    let moment = 0.5 * shape.reach().max(0.1).powi(2);
    let body = world.body(JointKind::Planar, planar_inertia(1.0, moment));
    let shape = world.shape(Some(body), Vector3::zeros(), shape);
    let floor = world.shape(None, Vector3::zeros(), floor);
    world.touch(floor, shape, by);
    world.build()
}

/// Distance of a point from the core of a shape, in its own axes, and its rounding.
fn distance_to(shape: &Shape, x: &Vector2<f64>) -> f64 {
    let segment = |p: Vector2<f64>, q: Vector2<f64>| {
        let d = q - p;
        (x - p - d * ((x - p).dot(&d) / d.norm_squared()).clamp(0.0, 1.0)).norm()
    };
    match shape {
        Shape::Point | Shape::Disk { .. } => x.norm(),
        Shape::Capsule { half_length: l, .. } => segment(Vector2::x() * *l, -Vector2::x() * *l),
        Shape::Box { half_extents: [a, b, _] } => {
            (x.x.abs() - a).max(0.0).hypot((x.y.abs() - b).max(0.0))
        }
        Shape::Polygon { corners, .. } => {
            let n = corners.len();
            let side = |k: usize| [corners[k], corners[(k + 1) % n]].map(Vector2::from);
            let inside = (0..n).all(|k| (side(k)[1] - side(k)[0]).perp(&(x - side(k)[0])) >= 0.0);
            let all = (0..n).map(|k| segment(side(k)[0], side(k)[1]));
            if inside { 0.0 } else { all.fold(f64::INFINITY, f64::min) }
        }
        Shape::Ellipse { semi_axes } => {
            let at = |t: f64| {
                let share = |k: usize| semi_axes[k] * x[k] / (semi_axes[k].powi(2) + t);
                share(0).powi(2) + share(1).powi(2) - 1.0
            };
            if at(0.0) <= 0.0 {
                return 0.0;
            }
            let mut t = 0.0;
            for _ in 0..60 {
                let slope = (0..2).map(|k| {
                    let a = semi_axes[k] * semi_axes[k];
                    -2.0 * a * x[k] * x[k] / (a + t).powi(3)
                });
                t -= at(t) / slope.sum::<f64>();
            }
            (0..2).map(|k| (x[k] * t / (semi_axes[k].powi(2) + t)).powi(2)).sum::<f64>().sqrt()
        }
        _ => unreachable!(),
    }
}

fn rounding(shape: &Shape) -> f64 {
    match shape {
        Shape::Disk { radius } | Shape::Capsule { radius, .. } => *radius,
        Shape::Polygon { rounding, .. } => *rounding,
        _ => 0.0,
    }
}

/// The least distance of a shape from all segments: the distance of a point is convex along a segment.
fn distance(shape: &Shape, motion: &BodyMotion, points: &[[f64; 2]]) -> f64 {
    let local = |p: [f64; 2]| motion.R.tr_mul(&(Vector3::new(p[0], p[1], 0.0) - motion.r)).xy();
    let mut least = f64::INFINITY;
    for ends in points.windows(2) {
        let (p, q) = (local(ends[0]), local(ends[1]));
        least = least.min(golden(&mut |s| distance_to(shape, &p.lerp(&q, s))));
    }
    least - rounding(shape)
}

fn turned(angle: f64, x: f64, y: f64) -> BodyMotion {
    posed(*Rotation3::from_scaled_axis(Vector3::z() * angle).matrix(), Vector3::new(x, y, 0.0))
}

fn separation(pair: &mut PolytopePair, motion: &BodyMotion) -> (f64, Features) {
    let now = pair.separation(&BodyMotion::fixed(), motion);
    (now.gap, now.features)
}

/// Over rough ground, the gap is the least distance from all segments and the normal its slope, in either order of the pair.
#[test]
fn eq1_eq2_eq6_gaps_by_search() {
    let points = rough();
    let terrain = line(&points);
    for sort in 0..6 {
        let (mut random, mut seen) = (Random::new(7), 0);
        while seen < COUNT {
            let shape = shape(sort, &mut random, 0.6);
            let mut at = |s: f64| random.within(-s, s);
            let motion = turned(at(3.0), at(3.3), 0.8 + at(1.0));
            let d = distance(&shape, &motion, &points);
            // Behind the line, or under one of its ends.
            let sunk = |k: usize| {
                let (y, x) = (k as f64).sin_cos();
                let local = Vector2::new(x, y) * (0.1 * shape.reach() * (k % 11) as f64);
                let p = motion.place(&Vector3::new(local.x, local.y, 0.0));
                distance_to(&shape, &local) <= rounding(&shape) && terrain.covers(&p)
            };
            if d < 1e-3 || (0..100).any(sunk) {
                continue;
            }
            let model = above(ground(&terrain), shape.clone(), surface(0.0, 0.3));
            let mut pair = pair_of(&model);
            let (gap, features) = separation(&mut pair, &motion);
            assert!((gap - d).abs() < 1e-8, "{shape:?} {features:?}: {gap} {d}");
            assert!(pair.apart(&BodyMotion::fixed(), &motion) <= d + 1e-12);
            let mut site = sites(&model)[0].clone();
            site.geometry = pair.geometry(Some(features));
            let straight = site.bodies().0.is_none();
            let fixed = BodyMotion::fixed();
            let [a, b] = if straight { [&fixed, &motion] } else { [&motion, &fixed] };
            let state = state_between(&site, a, b);
            assert!((state.gap - gap).abs() < 1e-12);
            assert!(state.axes[0].z == 0.0 && state.axes[2].z == 0.0, "{features:?}");
            let n = if straight { state.axes[2] } else { -state.axes[2] };
            let slope = Vector3::from_fn(|k, _| {
                let step = if k < 2 { Vector3::ith(k, 1e-5) } else { Vector3::zeros() };
                let mut moved =
                    |x| separation(&mut pair, &BodyMotion { r: motion.r + x, ..motion }).0;
                (moved(step) - moved(-step)) / 2e-5
            });
            let smooth = (slope.norm() - 1.0).abs() < 1e-4;
            assert!(!smooth || (slope - n).norm() < 3e-4, "{features:?}: {n} {slope}");
            let mut swapped = World::new();
            let body = swapped.body(JointKind::Planar, planar_inertia(1.0, 0.1));
            let b = swapped.shape(Some(body), Vector3::zeros(), shape);
            let a = swapped.shape(None, Vector3::zeros(), ground(&terrain));
            swapped.touch(b, a, surface(0.0, 0.0));
            let other = separation(&mut pair_of(&swapped.build()), &motion);
            assert!(other == (gap, features));
            seen += 1;
        }
    }
}

/// ġ and g̈ against differences of the gap of the same features, to 1e-8.
#[test]
fn eq1_eq2_eq6_derivatives() {
    let terrain = line(&rough());
    for sort in 0..6 {
        let (mut random, mut derived, mut tries) = (Random::new(3), 0, 0);
        while derived < COUNT {
            let shape = shape(sort, &mut random, 0.6);
            let model = above(ground(&terrain), shape, surface(0.0, 0.0));
            let place = turned(random.within(-3.0, 3.0), random.within(-3.3, 3.3), 1.3);
            let flat = |v: Vector3<f64>| Vector3::new(v.x, v.y, 0.0);
            let mut r = [0; 4].map(|_| flat(random.vector()));
            r[0] = place.r;
            let [w, alpha] = [0; 2].map(|_| Vector3::z() * random.within(-1.0, 1.0));
            let path = Path { r, R: place.R, w, alpha };
            let mut pair = pair_of(&model);
            let (gap, features) = separation(&mut pair, &path.at(0.0));
            if gap < 1e-2 {
                continue;
            }
            tries += 1;
            assert!(tries < 2 * COUNT, "{derived} of {tries}");
            let mut site = sites(&model)[0].clone();
            site.geometry = pair.geometry(Some(features));
            let fixed = BodyMotion::fixed();
            let state = |t: f64| match site.bodies().0 {
                None => state_between(&site, &fixed, &path.at(t)),
                Some(_) => state_between(&site, &path.at(t), &fixed),
            };
            let all = [4e-3, 2e-3, 1e-3, 5e-4].map(|h| differences(|t| state(t).gap, h));
            let spread = |k: usize| (all[k][1] - all[k + 1][1]).abs();
            let best = (0..3).min_by(|&i, &j| spread(i).total_cmp(&spread(j))).unwrap();
            let (now, scale) = (state(0.0), 1.0 + state(0.0).gamma[2].abs());
            if spread(best) > 5e-9 * scale {
                continue;
            }
            let [rate, acceleration] = all[best + 1];
            assert!((now.u[2] - rate).abs() < 1e-8 * scale, "{features:?} {rate}");
            assert!((now.gamma[2] - acceleration).abs() < 1e-8 * scale, "{features:?}");
            derived += 1;
        }
    }
}

fn go(model: &Model, q: [f64; 3], v: [f64; 3], until: f64) -> Run {
    let mut state = State::neutral(model);
    state.q.copy_from_slice(&q);
    state.v.copy_from_slice(&v);
    run(model, state, until)
}

/// Rule 2: segments in one line are one face. What rolls, slides and falls over a line, tilted or not, does as over a plane.
#[test]
fn a_straight_line_is_a_plane() {
    let square = Shape::Box { half_extents: [0.1, 0.06, 0.1] };
    let capsule = Shape::Capsule { radius: 0.04, half_length: 0.1 };
    let polygon = Shape::Polygon {
        corners: Arc::new([[-0.1, -0.05], [0.1, -0.05], [0.0, 0.1]]),
        rounding: 0.01,
    };
    let ellipse = Shape::Ellipse { semi_axes: [0.1, 0.06] };
    let disk = Shape::Disk { radius: 0.05 };
    for slope in [0.0_f64, 0.3] {
        let terrain = line(&heights(23, [-3.0, 5.0], |x| -slope.tan() * x));
        assert_eq!((terrain.faces.len(), terrain.ridges.len()), (1, 48), "and its borders");
        let normal = Unit::new_normalize(Vector3::new(slope.sin(), slope.cos(), 0.0));
        let thrown = ([-0.2, 0.5, 0.4], [1.0, 0.0, 2.0], surface(0.3, 0.3), 0.5);
        let on = |h: f64| [-0.2 + h * normal.x, 0.2 * slope.tan() + h * normal.y, -slope];
        let along = |v: f64| [v * slope.cos(), -v * slope.sin(), 0.0];
        for (shape, (q, v, by, until)) in [
            (disk.clone(), thrown),
            (square.clone(), thrown),
            (capsule.clone(), thrown),
            (polygon.clone(), thrown),
            (ellipse.clone(), thrown),
            (disk.clone(), (on(0.05), along(1.3), surface(0.0, 0.2), 1.2)),
            (square.clone(), (on(0.06), along(1.5), surface(0.0, 0.15), 0.5)),
        ] {
            let runs = [ground(&terrain), Shape::HalfSpace { normal }].map(|floor| {
                let model = above(floor, shape.clone(), by);
                go(&model, q, v, until)
            });
            let [line, plane] = &runs;
            let off = (&line.state.q - &plane.state.q).amax();
            assert!(off < 1e-9, "{slope} {shape:?}: {off:e}");
            assert!((&line.state.v - &plane.state.v).amax() < 1e-8);
            let all = line.recording.events.iter().zip(&plane.recording.events).take(6);
            for (a, b) in all {
                assert!(a.kind == b.kind && (a.t - b.t).abs() < 1e-9, "{shape:?}: {a:?} {b:?}");
            }
        }
    }
}

/// A disk on a slope of many segments: it rolls with 2/3 g sin α, or slips with g (sin α − μ cos α), without an event.
#[test]
fn a_disk_on_a_slope() {
    let (alpha, r) = (0.5_f64, 0.1);
    let terrain = line(&heights(37, [-1.0, 9.0], |x| -alpha.tan() * x));
    let n = Vector3::new(alpha.sin(), alpha.cos(), 0.0);
    for (mu, a) in
        [(0.3, 2.0 / 3.0 * G * alpha.sin()), (0.1, G * (alpha.sin() - 0.1 * alpha.cos()))]
    {
        let model = above(ground(&terrain), Shape::Disk { radius: r }, surface(0.0, mu));
        let done = go(&model, [n.x * r, n.y * r, 0.0], [0.0; 3], 1.5);
        let way = 0.5 * a * 2.25;
        let x = Vector2::new(done.state.q[0] - n.x * r, done.state.q[1] - n.y * r);
        let off = (x - Vector2::new(alpha.cos(), -alpha.sin()) * way).norm();
        assert!(off < 1e-9, "{mu}: {off:e}");
        assert!(done.recording.events.len() <= 1, "it only begins: {:?}", done.recording.events);
    }
}

/// Without friction a disk in a valley loses what goes into the second slope; over a ridge a disk that rolls keeps its energy.
#[test]
fn a_valley_takes_and_a_ridge_keeps() {
    let (alpha, r) = (0.3_f64, 0.03);
    let valley = line(&heights(8, [-0.4, 0.4], |x| (-x).max(0.0) * alpha.tan()));
    let model = above(ground(&valley), Shape::Disk { radius: r }, surface(0.0, 0.0));
    let n = Vector3::new(alpha.sin(), alpha.cos(), 0.0);
    let from = Vector3::new(-0.3, 0.3 * alpha.tan(), 0.0) + n * r;
    let down = (2.0 * 0.3 / alpha.cos() / (G * alpha.sin())).sqrt();
    let done = go(&model, [from.x, from.y, 0.0], [0.0; 3], down + 0.1);
    let fast = (2.0 * G * (from.y - r)).sqrt();
    let off = done.state.v[0] - fast * alpha.cos();
    assert!(off.abs() < 1e-9 && done.statistics.impacts == 1, "{off:e}");
    let (alpha, r, speed) = (0.2_f64, 0.05, 0.65);
    let roof = line(&heights(8, [-0.4, 0.4], |x| -x.abs() * alpha.tan()));
    let model = above(ground(&roof), Shape::Disk { radius: r }, surface(0.0, 5.0));
    let from = Vector2::new(-0.1 - alpha.sin() * r, -0.1 * alpha.tan() + alpha.cos() * r);
    let v = [alpha.cos() * speed, alpha.sin() * speed, -speed / r];
    let done = go(&model, [from.x, from.y, 0.0], v, 0.6);
    assert!(done.state.q[0] > 0.1, "{}", done.state.q);
    assert!((done.ledger.initial - done.ledger.stored()).abs() < 1e-12);
    let height = alpha.sin() * done.state.q[0] + alpha.cos() * done.state.q[1];
    assert!((height - r).abs() < 1e-9, "{height}");
}

/// A disk over a line and a ball over the same ground in space, without friction, go the same way.
#[test]
fn as_in_space() {
    let wave = |x: f64| 0.05 * (9.0 * x).cos() + 0.1 * x * x;
    let r = 0.04;
    let terrain = line(&heights(20, [-1.0, 1.0], wave));
    let plane = go(
        &above(ground(&terrain), Shape::Disk { radius: r }, surface(0.7, 0.0)),
        [0.2, 0.5, 0.0],
        [0.3, 0.0, 0.0],
        1.0,
    );
    // In space z is up, and y along the ridges.
    let strip = grid([20, 4], [-1.0, -0.2], 0.1, |x, _| wave(x));
    let model = over(ground(&strip), ball(1.0, r), surface(0.7, 0.0));
    let state = support::grounds::start(&model, [0.2, 0.013, 0.5], [0.3, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let space = run(&model, state, 1.0);
    let times = |run: &Run| -> Vec<f64> {
        run.recording.events.iter().filter(|e| e.kind.is_jump()).map(|e| e.t).collect()
    };
    let [a, b] = [times(&plane), times(&space)];
    assert!(a.len() >= 3 && a.len() == b.len(), "{a:?} {b:?}");
    assert!(a.iter().zip(&b).all(|(s, t)| (s - t).abs() < 1e-8), "{a:?} {b:?}");
    let off =
        Vector2::new(space.state.q[0] - plane.state.q[0], space.state.q[2] - plane.state.q[1]);
    assert!(off.norm() < 1e-7, "{off}");
}

/// No collision of fast bodies with a line is passed over: dense sampling finds no overlap before the event.
#[test]
fn none_is_missed() {
    // Between walls, so that nothing comes from behind the ends.
    let mut points = vec![[-3.3, 5.0], [-3.3, -0.7]];
    points.extend(rough());
    points.extend([[3.3, 0.2], [3.3, 5.0]]);
    let terrain = line(&points);
    let (mut random, mut met) = (Random::new(2), 0);
    for k in 0..180 {
        let shape = shape(k % 6, &mut random, 0.3);
        let model = above(ground(&terrain), shape.clone(), surface(1.0, 0.0));
        let mut state = State::neutral(&model);
        let speed = 10f64.powf(random.within(0.0, 3.0));
        let from = [random.within(-2.5, 2.5), 3.0, random.within(-3.0, 3.0)];
        let aim = [random.within(-0.8, 0.8), -1.0, random.within(-10.0, 10.0)];
        state.q.copy_from_slice(&from);
        state.v.copy_from_slice(&aim.map(|v| v * speed));
        let until = 3.0 / speed;
        let output = Output::Interval(until / 500.0);
        let options = Options { output, ..Options::default() };
        let run = Simulation::new(&model, state, Newton).options(options).run_until(until);
        let run = run.unwrap_or_else(|e| panic!("{k}: {}", e.0));
        assert!(run.statistics.worst_gap > -1e-9, "{k}: {:e}", run.statistics.worst_gap);
        let first = run.events().iter().find(|e| e.kind.is_jump()).map(|e| e.t);
        for (q, &t) in run.recording.q.iter().zip(&run.recording.t) {
            if first.is_some_and(|first| t > first) {
                break;
            }
            let motion = turned(q[2], q[0], q[1]);
            let gap = distance(&shape, &motion, &points);
            assert!(gap > -1e-9, "{k}: {gap:e} at {t} before {first:?}");
            let before = first.is_none_or(|first| t < first);
            assert!(!before || !terrain.covers(&motion.r), "{k} at {t}");
        }
        met += usize::from(first.is_some());
    }
    assert!(met > 120, "{met}");
}

/// In a closed line, a bin, a disk bounces for ever and stays; boxes and ellipses come to rest on rough ground.
#[test]
fn bins_hold_and_rough_ground_stops() {
    let round = |k: usize| {
        let (y, x) = (std::f64::consts::TAU * k as f64 / 12.0).sin_cos();
        [x, 0.7 * y]
    };
    let mut points: Vec<[f64; 2]> = (0..12).map(round).collect();
    points.push(points[0]);
    let bin = line(&points);
    assert!((0..bin.ridges.len()).all(|k| !bin.is_corner(k)), "nothing in it is convex");
    let model = above(ground(&bin), Shape::Disk { radius: 0.1 }, surface(1.0, 0.0));
    let done = go(&model, [0.1, 0.2, 0.0], [1.0, 0.3, 0.0], 6.0);
    assert!(done.statistics.impacts > 8, "{} {}", done.statistics.impacts, done.state.q);
    assert!((done.ledger.initial - done.ledger.stored()).abs() < 1e-9);
    assert!(done.state.q[0].hypot(done.state.q[1] / 0.7) < 1.0);
    points.reverse();
    let stone = line(&points);
    assert_eq!((0..stone.ridges.len()).filter(|&k| stone.is_corner(k)).count(), 12);
    assert!(stone.covers(&Vector3::zeros()) && !bin.covers(&Vector3::zeros()));
    let terrain = line(&rough());
    let flat = |p: &[f64; 2]| Vector3::new(p[0], p[1], 0.0);
    assert_eq!(terrain.polyline(), rough().iter().map(flat).collect::<Vec<_>>());
    assert_eq!(stone.polyline().len(), 13);
    for shape in [
        Shape::Box { half_extents: [0.3, 0.2, 0.2] },
        Shape::Ellipse { semi_axes: [0.3, 0.2] },
        Shape::Capsule { radius: 0.1, half_length: 0.3 },
    ] {
        let model = above(ground(&terrain), shape.clone(), surface(0.2, 0.7));
        let done = go(&model, [-1.2, 2.5, 0.3], [0.0; 3], 30.0);
        assert!(done.state.v.amax() < 1e-2, "{shape:?}: {}", done.state.v);
        assert!(done.ledger.closure().abs() < 1e-8, "{shape:?}: {}", done.ledger.closure());
    }
}

#[test]
fn what_cannot_be_is_told() {
    let fault = |points: &[[f64; 2]]| Terrain::line(points).unwrap_err();
    assert_eq!(fault(&[[0.0, 0.0]]), TerrainError::Empty);
    assert_eq!(fault(&[[0.0, 0.0], [f64::NAN, 0.0]]), TerrainError::Point { point: 1 });
    assert_eq!(fault(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), TerrainError::Twice { point: 2 });
    let crossing = fault(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, -1.0]]);
    assert_eq!(crossing, TerrainError::Crossing { first: 0, second: 2 });
    let back = fault(&[[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]);
    assert_eq!(back, TerrainError::Crossing { first: 0, second: 1 });
    let terrain = line(&rough());
    for shape in [Shape::Disk { radius: 0.2 }, Shape::Ellipse { semi_axes: [0.3, 0.1] }] {
        let model = above(ground(&terrain), shape, surface(0.0, 0.0));
        for y in [-2.0, 0.0] {
            let mut state = State::neutral(&model);
            state.q.copy_from_slice(&[1.6, y, FRAC_PI_2]);
            let faults = Simulation::new(&model, state, Newton).run_until(0.1).is_err();
            assert_eq!(faults, terrain.covers(&Vector3::new(1.6, y, 0.0)), "{y}");
        }
    }
    // A line is no ground of what moves in space, nor ground in space of a body that has no place there.
    let mut world = World::new();
    let body = world.body(JointKind::Free, planar_inertia(1.0, 0.1));
    let a = world.shape(Some(body), Vector3::zeros(), Shape::Sphere { radius: 0.1 });
    let b = world.shape(None, Vector3::zeros(), ground(&terrain));
    world.touch(a, b, surface(0.0, 0.0));
    let space = world.builder.build();
    assert!(matches!(space, Err(ModelError::Unsupported { .. })), "{space:?}");
}
