//! Cylinders, disks and flat ellipses that stand, roll, spin, topple, fall and lean, against closed forms and laws of conservation.
#![allow(non_snake_case)]

mod support;

use carom::contact::{PolytopePair, polytope_pairs, sites};
use carom::geometry::BodyMotion;
use carom::hybrid::{Options, Run, Simulation, Stop};
use carom::impact::Newton;
use carom::model::{Feature, Hull, JointKind, Model, Shape};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Rotation3, Unit, UnitQuaternion, Vector3};
use support::worlds::{G, World, surface};

const RADIUS: f64 = 0.1;
const HALF: f64 = 0.15;

fn can(mass: f64) -> Inertia {
    let across = mass * (3.0 * RADIUS * RADIUS + 4.0 * HALF * HALF) / 12.0;
    let moments = Vector3::new(across, across, 0.5 * mass * RADIUS * RADIUS);
    Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&moments)).unwrap()
}

const CAN: Shape = Shape::Cylinder { radius: RADIUS, half_length: HALF };

/// What cans stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ground {
    Plane,
    Table,
}

/// Cans on the ground, and a state of theirs. Gravity is tilted by `slope` towards +x over level ground, which is an incline
/// seen along its own axes.
fn cans(
    ground: Ground,
    slope: f64,
    (restitution, friction): (f64, f64),
    shapes: &[Shape],
) -> (Model, State) {
    weighed(ground, slope, (restitution, friction), (shapes, &[2.0; 3]))
}

/// The same with masses.
fn weighed(
    ground: Ground,
    slope: f64,
    (restitution, friction): (f64, f64),
    (shapes, masses): (&[Shape], &[f64]),
) -> (Model, State) {
    let mut world = World::new();
    let gravity = Vector3::new(G * slope.sin(), 0.0, -G * slope.cos());
    world.builder.gravity(gravity).unwrap();
    let masses = masses[..shapes.len()].iter();
    let bodies: Vec<_> = masses.map(|&m| world.body(JointKind::Free, can(m))).collect();
    let up = Shape::HalfSpace { normal: Unit::new_normalize(Vector3::z()) };
    let table = Shape::Box { half_extents: [3.0, 3.0, 0.5] };
    let (depth, shape) = match ground {
        Ground::Plane => (0.0, up),
        Ground::Table => (-0.5, table),
    };
    let mut features = vec![world.shape(None, Vector3::z() * depth, shape)];
    for (&body, shape) in bodies.iter().zip(shapes) {
        features.push(world.shape(Some(body), Vector3::zeros(), shape.clone()));
    }
    for (i, &a) in features.iter().enumerate() {
        for &b in &features[i + 1..] {
            world.touch(a, b, surface(restitution, friction));
        }
    }
    let model = world.build();
    let state = State::neutral(&model);
    (model, state)
}

fn place(state: &mut State, can: usize, r: [f64; 3], turn: Vector3<f64>) {
    let q = UnitQuaternion::new(turn);
    state.q.rows_mut(7 * can, 3).copy_from_slice(&r);
    state.q.rows_mut(7 * can + 3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
}

fn run(model: &Model, state: State, until: f64) -> Run {
    let run = Simulation::new(model, state, Newton).options(Options::default()).run_until(until);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert!(run.statistics.worst_gap > -1e-8, "{}", run.statistics.worst_gap);
    assert!(run.ledger.closure().abs() < 1e-6, "{}", run.ledger.closure());
    run
}

/// Lying along y.
fn lying() -> Vector3<f64> {
    Vector3::x() * std::f64::consts::FRAC_PI_2
}

#[test]
fn a_can_stands() {
    for ground in [Ground::Plane, Ground::Table] {
        let (model, mut state) = cans(ground, 0.0, (0.0, 0.5), &[CAN]);
        place(&mut state, 0, [0.1, 0.2, HALF], Vector3::zeros());
        let start = state.clone();
        let done = run(&model, state, 1.0);
        assert!((done.state.q - start.q).amax() < 1e-12, "{ground:?}");
    }
}

/// On a slope it sticks up to the angle of friction, and slides with g(sin α − μ cos α) beyond.
#[test]
fn a_can_slides() {
    for ground in [Ground::Plane, Ground::Table] {
        for (slope, friction) in [(0.2_f64, 0.3), (0.3, 0.2)] {
            let (model, mut state) = cans(ground, slope, (0.0, friction), &[CAN]);
            place(&mut state, 0, [0.0, 0.0, HALF], Vector3::z() * 0.3);
            let done = run(&model, state, 0.5);
            let a = (G * (slope.sin() - friction * slope.cos())).max(0.0);
            let off = (done.state.q[0] - 0.5 * a * 0.25).abs();
            assert!(off < 1e-9, "{ground:?} {slope}: {off}");
        }
    }
}

/// It topples where its centre is beyond its rim, tan α = r/l, towards a corner of its cap exactly.
#[test]
fn a_can_topples() {
    for ground in [Ground::Plane, Ground::Table] {
        for turns in 0..4 {
            for (factor, falls) in [(0.999, false), (1.001, true)] {
                let slope = (factor * RADIUS / HALF).atan();
                let (model, mut state) = cans(ground, slope, (0.0, 2.0), &[CAN]);
                let turn = Vector3::z() * (std::f64::consts::FRAC_PI_4 * f64::from(turns));
                place(&mut state, 0, [0.0, 0.0, HALF], turn);
                let done = run(&model, state, 0.4);
                let tilt = done.state.q[0].abs();
                assert_eq!(tilt > 1e-5, falls, "{ground:?} {turns} {factor}: {tilt}");
            }
        }
    }
}

/// A can that spins on its cap is braked by μ m g r.
#[test]
fn a_can_spins() {
    for ground in [Ground::Plane, Ground::Table] {
        let (model, mut state) = cans(ground, 0.0, (0.0, 0.2), &[CAN]);
        place(&mut state, 0, [0.0, 0.0, HALF], Vector3::zeros());
        state.v[5] = 10.0;
        let stop = 0.5 * RADIUS * 10.0 / (0.2 * G);
        let half = run(&model, state.clone(), 0.5 * stop);
        assert!((half.state.v[5] - 5.0).abs() < 1e-8, "{ground:?}: {}", half.state.v[5]);
        let done = run(&model, state, 1.1 * stop);
        assert!(done.state.v[5].abs() < 1e-10, "{ground:?}: {}", done.state.v[5]);
    }
}

/// A can that lies rolls down with 2/3 g sin α.
#[test]
fn a_can_rolls() {
    for ground in [Ground::Plane, Ground::Table] {
        let slope = 0.1_f64;
        let (model, mut state) = cans(ground, slope, (0.0, 0.3), &[CAN]);
        place(&mut state, 0, [0.0, 0.0, RADIUS], lying());
        let done = run(&model, state, 0.8);
        let x = 0.5 * 2.0 / 3.0 * G * slope.sin() * 0.64;
        assert!((done.state.q[0] - x).abs() < 1e-8, "{ground:?}: {} {x}", done.state.q[0]);
        assert!(done.state.q[1].abs() < 1e-9 && (done.state.q[2] - RADIUS).abs() < 1e-9);
    }
}

/// A disk that is dropped tilted, or set on its rim, falls flat on the plane and stays: all its height is lost.
#[test]
fn a_disk_falls_flat() {
    for restitution in [0.0, 0.4] {
        for (tilt, friction) in [(0.7_f64, 0.3), (0.7, 0.0), (1.5, 0.3)] {
            let shape = Shape::Disk { radius: RADIUS };
            let (model, mut state) = cans(Ground::Plane, 0.0, (restitution, friction), &[shape]);
            place(&mut state, 0, [0.0, 0.0, 1.2 * RADIUS], Vector3::x() * tilt);
            let done = run(&model, state, 3.0);
            let name = format!("e {restitution}, tilt {tilt}, μ {friction}");
            assert!(done.state.q[2].abs() < 1e-9, "{name}: {}", done.state.q[2]);
            let height = 1.2 * RADIUS * 2.0 * G;
            assert!((done.ledger.lost() - height).abs() < 1e-6, "{name}: {}", done.ledger.lost());
        }
    }
}

/// A flat ellipse that spins on its eight corners D (cos iπ/4, sin iπ/4), each with an eighth of the weight, is braked by μ m g
/// times their mean distance; on a plane and on a table.
#[test]
fn eq6_an_ellipse_lies_flat_on_its_corners() {
    let (a, b) = (0.2, 0.08);
    let shape = Shape::Ellipse { semi_axes: [a, b] };
    let corner = |i: usize| {
        let (sine, cosine) = (std::f64::consts::FRAC_PI_4 * i as f64).sin_cos();
        (a * cosine).hypot(b * sine)
    };
    let arm = (0..8).map(corner).sum::<f64>() / 8.0;
    for ground in [Ground::Plane, Ground::Table] {
        let (model, mut state) = cans(ground, 0.0, (0.0, 0.2), std::slice::from_ref(&shape));
        place(&mut state, 0, [0.1, 0.0, 0.0], Vector3::z() * 0.4);
        state.v[5] = 10.0;
        let slows = 0.2 * G * arm / (0.5 * RADIUS * RADIUS);
        let done = run(&model, state.clone(), 5.0 / slows);
        assert!((done.state.v[5] - 5.0).abs() < 1e-7, "{ground:?}: {}", done.state.v[5]);
        let done = run(&model, state, 11.0 / slows);
        assert!(done.state.v.amax() < 1e-10, "{ground:?}: {}", done.state.v);
    }
}

/// It stays on a table up to where its centre is over the border, and falls beyond.
#[test]
fn an_ellipse_stays_on_the_border_of_a_table() {
    let shape = Shape::Ellipse { semi_axes: [0.2, 0.08] };
    for (x, stays) in [(2.98, true), (3.02, false)] {
        let (model, mut state) = cans(Ground::Table, 0.0, (0.0, 0.5), std::slice::from_ref(&shape));
        place(&mut state, 0, [x, 0.0, 0.0], Vector3::zeros());
        let done = run(&model, state, 0.5);
        assert_eq!(done.state.q[2].abs() < 1e-9, stays, "{x}: {}", done.state.q);
    }
}

/// Disks and ellipses fall on a table, lying, leaning and edge on, as they fall on a plane. One that leans is followed until its
/// face slaps down at 0.3076 s, on sixteen corners within 1e-8 s of each other: which of them is first is round-off.
#[test]
fn flat_shapes_fall_on_a_table_as_on_a_plane() {
    let shapes =
        [Shape::Disk { radius: RADIUS }, Shape::Ellipse { semi_axes: [0.7 * RADIUS, RADIUS] }];
    for shape in shapes {
        for (turn, until) in
            [([0.0, 0.0, 0.3], 1.0), ([0.3, 0.2, 0.1], 0.3), ([1.4, 0.3, 0.0], 0.35)]
        {
            let ends = [Ground::Plane, Ground::Table].map(|ground| {
                let (model, mut state) =
                    cans(ground, 0.0, (0.3, 0.4), std::slice::from_ref(&shape));
                place(&mut state, 0, [0.0, 0.0, 0.15], Vector3::from(turn));
                run(&model, state, until).state
            });
            let off = (&ends[0].q - &ends[1].q).amax();
            assert!(off < 1e-6, "{shape:?} {turn:?}: {off:e}");
        }
    }
}

/// What is set down on a disk or an ellipse that is fixed stands there, and these on the cap of a can.
#[test]
fn shapes_rest_on_flat_shapes() {
    let points = [[0.08, 0.0, 0.0], [-0.05, 0.07, 0.0], [-0.05, -0.07, 0.0], [0.0, 0.0, 0.1]];
    let hull = Hull::of(&points.map(Vector3::from)).unwrap();
    let shapes = [
        (Shape::Sphere { radius: 0.05 }, 0.05, Vector3::zeros()),
        (Shape::Ellipsoid { semi_axes: [0.07, 0.06, 0.04] }, 0.04, Vector3::zeros()),
        (Shape::Capsule { radius: 0.03, half_length: 0.05 }, 0.03, Vector3::zeros()),
        (Shape::Box { half_extents: [0.05, 0.07, 0.04] }, 0.04, Vector3::z() * 0.2),
        (CAN, HALF, Vector3::z() * 0.3),
        (CAN, RADIUS, lying()),
        (Shape::Convex { hull: hull.into(), rounding: 0.02 }, 0.02, Vector3::zeros()),
    ];
    let tables = [Shape::Disk { radius: 0.4 }, Shape::Ellipse { semi_axes: [0.5, 0.3] }];
    for (k, (shape, height, turn)) in shapes.into_iter().enumerate() {
        for table in &tables {
            let mut world = World::new();
            let body = world.body(JointKind::Free, can(2.0));
            let top = world.shape(Some(body), Vector3::zeros(), shape.clone());
            let table = world.shape(None, Vector3::z() * 0.2, table.clone());
            world.builder.gravity(Vector3::new(0.0, 0.0, -G)).unwrap();
            world.touch(table, top, surface(0.0, 0.5));
            let model = world.build();
            let mut state = State::neutral(&model);
            place(&mut state, 0, [0.01, 0.02, 0.2 + height], turn);
            let start = state.clone();
            let off = (run(&model, state, 0.3).state.q - start.q).amax();
            assert!(off < 1e-9, "{k}: {off}");
        }
    }
    for shape in [Shape::Disk { radius: 0.07 }, Shape::Ellipse { semi_axes: [0.09, 0.05] }] {
        let (model, mut state) = cans(Ground::Plane, 0.0, (0.0, 0.5), &[CAN, shape.clone()]);
        place(&mut state, 0, [0.0, 0.0, HALF], Vector3::zeros());
        place(&mut state, 1, [0.0, 0.0, 2.0 * HALF], Vector3::z() * 0.1);
        let start = state.clone();
        let off = (run(&model, state, 0.3).state.q - start.q).amax();
        assert!(off < 1e-9, "{shape:?}: {off}");
    }
}

/// A disk that rolls upright leans to either side without an event: it has one rim.
#[test]
fn a_disk_rolls_through_upright() {
    let (model, mut state) =
        cans(Ground::Plane, 0.0, (0.0, 5.0), &[Shape::Disk { radius: RADIUS }]);
    let lean = 0.1_f64;
    place(&mut state, 0, [0.0, 0.0, RADIUS * lean.cos()], Vector3::x() * (lying().x - lean));
    // It turns about its lowest point, rolling, and is tipped upright.
    let turned = UnitQuaternion::new(Vector3::x() * (lying().x - lean));
    let w = turned * Vector3::z() * 40.0 + Vector3::x() * 4.0;
    let center = Vector3::new(0.0, RADIUS * lean.sin(), RADIUS * lean.cos());
    state.v.rows_mut(0, 3).copy_from(&w.cross(&center));
    state.v.rows_mut(3, 3).copy_from(&(turned.inverse() * w));
    let done = run(&model, state, 1.0);
    assert!(done.events().len() < 3, "{}", done.events().len());
    assert!(done.ledger.lost().abs() < 1e-8, "{}", done.ledger.lost());
    // Height of the tip of its axis.
    let leans = |q: &Vec<f64>| 1.0 - 2.0 * (q[4] * q[4] + q[5] * q[5]);
    let (left, right): (Vec<f64>, Vec<f64>) =
        done.recording.q.iter().map(leans).partition(|l| *l > 0.0);
    assert!(left.len() > 3 && right.len() > 3, "{} and {}", left.len(), right.len());
}

/// A can that is tipped on its rim wobbles, rolling without slip or impact: its energy is kept, and a plane is a table.
#[test]
fn a_can_wobbles_on_its_rim() {
    let ends = [Ground::Plane, Ground::Table].map(|ground| {
        let (model, mut state) = cans(ground, 0.0, (0.0, 5.0), &[CAN]);
        let tilt = 0.3_f64;
        let height = HALF * tilt.cos() + RADIUS * tilt.sin();
        place(&mut state, 0, [0.0, 0.0, height], Vector3::y() * tilt);
        // Turning about an axis through the lowest point of the rim, which is at +x.
        let lowest = Vector3::new(RADIUS * tilt.cos() - HALF * tilt.sin(), 0.0, -height);
        let w = Vector3::new(0.6, 0.0, 0.8);
        state.v.rows_mut(0, 3).copy_from(&w.cross(&-lowest));
        let turned = UnitQuaternion::new(Vector3::y() * tilt).inverse() * w;
        state.v.rows_mut(3, 3).copy_from(&turned);
        let done = run(&model, state, 0.5);
        assert!(!done.events().iter().any(|e| e.kind.is_jump()), "{ground:?}");
        assert!(done.ledger.lost().abs() < 1e-9, "{ground:?}: {}", done.ledger.lost());
        done.state
    });
    assert!((&ends[0].q - &ends[1].q).amax() < 1e-9);
}

/// A can that is dropped on its rim rocks on, tilting to all sides (without rolling friction there is nothing to end that);
/// one that is dropped on its side or its cap comes to rest. A plane is a table.
#[test]
fn cans_fall() {
    let turns = [
        ([0.3, 0.2, 0.1], 0.8),
        ([1.2, 0.4, 0.3], 2.0),
        ([1.5, 0.0, 0.2], 2.0),
        ([0.0, 0.0, 0.5], 2.0),
    ];
    for (k, (turn, until)) in turns.into_iter().enumerate() {
        let ends = [Ground::Plane, Ground::Table].map(|ground| {
            let (model, mut state) = cans(ground, 0.0, (0.1, 0.4), &[CAN]);
            place(&mut state, 0, [0.0, 0.0, 0.4], Vector3::from(turn));
            let done = run(&model, state, until);
            assert!(done.statistics.worst_gain < 1e-12);
            assert_eq!(done.statistics.rescues, [0; 5]);
            if k > 0 {
                assert!(done.state.v.amax() < 1e-12, "{ground:?} {k}: {}", done.state.v);
                let height = if k == 3 { HALF } else { RADIUS };
                assert!((done.state.q[2] - height).abs() < 1e-9, "{ground:?} {k}");
            }
            done.state
        });
        assert!((&ends[0].q - &ends[1].q).amax() < 1e-6, "{k}: {} {}", ends[0].q, ends[1].q);
    }
}

/// What is set down on the cap of a standing can stands there: a ball, an ellipsoid, a capsule along it, a box, a can, a lying can,
/// a rounded hull.
#[test]
fn shapes_rest_on_a_cap() {
    let points = [[0.08, 0.0, 0.0], [-0.05, 0.07, 0.0], [-0.05, -0.07, 0.0], [0.0, 0.0, 0.1]];
    let hull = Hull::of(&points.map(Vector3::from)).unwrap();
    let shapes = [
        (Shape::Sphere { radius: 0.05 }, 0.05, Vector3::zeros()),
        (Shape::Ellipsoid { semi_axes: [0.07, 0.06, 0.04] }, 0.04, Vector3::zeros()),
        (Shape::Capsule { radius: 0.03, half_length: 0.2 }, 0.03, Vector3::zeros()),
        (Shape::Capsule { radius: 0.03, half_length: 0.05 }, 0.03, Vector3::zeros()),
        (Shape::Box { half_extents: [0.05, 0.3, 0.04] }, 0.04, Vector3::z() * 0.2),
        (CAN, HALF, Vector3::zeros()),
        (CAN, HALF, Vector3::z() * 0.3),
        (CAN, RADIUS, lying()),
        (Shape::Convex { hull: hull.into(), rounding: 0.02 }, 0.02, Vector3::zeros()),
    ];
    for (k, (shape, height, turn)) in shapes.into_iter().enumerate() {
        let (model, mut state) = cans(Ground::Plane, 0.0, (0.0, 0.5), &[CAN, shape]);
        place(&mut state, 0, [0.0, 0.0, HALF], Vector3::zeros());
        place(&mut state, 1, [0.0, 0.0, 2.0 * HALF + height], turn);
        let start = state.clone();
        let done = run(&model, state, 0.3);
        let off = (done.state.q - start.q).amax();
        assert!(off < 1e-9, "{k}: {off}");
    }
}

/// A can and another shape, dropped on each other: from upright, lying and random attitudes, by number.
fn dropped(kind: usize, seed: usize) -> (Model, State) {
    let points = [
        [0.1, 0.0, 0.0],
        [-0.1, 0.05, 0.0],
        [-0.02, -0.1, 0.0],
        [0.0, 0.0, 0.12],
        [0.0, 0.02, -0.1],
    ];
    let shape = match kind {
        0 => Shape::Sphere { radius: 0.08 },
        1 => Shape::Ellipsoid { semi_axes: [0.1, 0.06, 0.08] },
        2 => Shape::Capsule { radius: 0.05, half_length: 0.1 },
        3 => Shape::Box { half_extents: [0.1, 0.08, 0.06] },
        4 => CAN,
        6 => Shape::Disk { radius: 0.1 },
        7 => Shape::Ellipse { semi_axes: [0.12, 0.07] },
        _ => {
            let hull = Hull::of(&points.map(Vector3::from)).unwrap().into();
            Shape::Convex { hull, rounding: 0.02 }
        }
    };
    let (model, mut state) = weighed(Ground::Plane, 0.0, (0.1, 0.4), (&[CAN, shape], &[2.0, 1.0]));
    let mut random = support::Random::new((10 * kind + seed) as u64 + 100);
    let mut attitude = |sort: usize| match sort {
        0 => Vector3::zeros(),
        1 => lying(),
        _ => random.vector() * 3.0,
    };
    let turns = [attitude(seed % 3), attitude(seed % 4)];
    let [x, y] = [0; 2].map(|_| random.within(-0.08, 0.08));
    place(&mut state, 0, [0.0, 0.0, 0.2], turns[0]);
    place(&mut state, 1, [x, if seed < 3 { 0.0 } else { y }, 0.6], turns[1]);
    (model, state)
}

/// Runs through all sorts of parts. Some found faults: a part that fires and has lost its place to another (3, 2), one that has
/// none after a step of the safety net (3, 19), lines that turn past each other (3, 7).
#[test]
fn cans_and_others_fall_on_each_other() {
    let cases = [
        (0, 2),
        (0, 8),
        (1, 3),
        (1, 6),
        (2, 3),
        (2, 6),
        (3, 1),
        (3, 2),
        (3, 7),
        (3, 19),
        (4, 5),
        (5, 1),
        (5, 9),
        (6, 0),
        (6, 5),
        (6, 7),
        (7, 0),
        (7, 5),
        (7, 6),
    ];
    for (kind, seed) in cases {
        let (model, state) = dropped(kind, seed);
        let done = run(&model, state, 0.8);
        assert!(done.statistics.worst_gain < 1e-9, "{kind} {seed}: {}", done.statistics.worst_gain);
    }
}

/// Two cans along each other touch at both ends of their line; a little askew, where the middle is nearer by less than a feature
/// reaches beyond its end, it is left to the ends, and is no overlap either.
#[test]
fn cans_along_each_other() {
    let (model, _) = cans(Ground::Plane, 0.0, (0.0, 0.5), &[CAN, CAN]);
    let mut pair = polytope_pairs(&model, &sites(&model)).pop().unwrap();
    let a = BodyMotion::fixed();
    for (angle, count) in [(0.0, 2), (1.5e-5, 2), (1e-2, 5)] {
        let b = BodyMotion {
            R: *Rotation3::new(Vector3::x() * angle).matrix(),
            r: Vector3::x() * (2.0 * RADIUS - 1e-11),
            ..BodyMotion::fixed()
        };
        let now = pair.assign_anew((&a, &b), |_, _| ());
        assert_eq!(pair.features.iter().flatten().count(), count, "{angle}");
        let gap = pair.separation(&a, &b).gap;
        let left = count == 2 && angle > 0.0;
        assert!((gap - if left { 0.0 } else { -1e-11 }).abs() < 1e-13, "{angle}: {gap} {now:?}");
    }
}

/// Sides that turn past each other, parallel for an instant, are no longer on the sides that they were: their crossing has lost
/// its place, although it lies within both again.
#[test]
fn lines_that_turned_past_each_other() {
    let (model, _) = cans(Ground::Plane, 0.0, (0.0, 0.5), &[CAN, CAN]);
    let sites = sites(&model);
    let mut pair = polytope_pairs(&model, &sites).pop().unwrap();
    let a = BodyMotion::fixed();
    let over = |angle: f64| BodyMotion {
        R: *Rotation3::new(Vector3::x() * angle).matrix(),
        r: Vector3::x() * (2.0 * RADIUS),
        ..BodyMotion::fixed()
    };
    pair.assign_anew((&a, &over(0.3)), |_, _| ());
    let site = pair.first;
    assert!(pair.extent(site, &a, &over(0.2)) > 0.1 * HALF);
    assert!(pair.extent(site, &a, &over(-0.2)) < -0.1 * RADIUS);
}

/// Two cans that lie side by side carry a third in the valley between them, which pushes them apart: by symmetry the middle
/// one comes straight down, with the acceleration that follows from the angle.
#[test]
fn a_can_in_the_valley_of_two() {
    let (model, mut state) = cans(Ground::Plane, 0.0, (0.0, 0.0), &[CAN, CAN, CAN]);
    let half = 0.12_f64;
    let up = (4.0 * RADIUS * RADIUS - half * half).sqrt();
    place(&mut state, 0, [-half, 0.0, RADIUS], lying());
    place(&mut state, 1, [half, 0.0, RADIUS], lying());
    place(&mut state, 2, [0.0, 0.0, RADIUS + up], lying());
    let done = run(&model, state, 0.05);
    // Without friction nothing turns: 2 m ẋ² /2 + m ż²/2 = m g (fall), x ẋ + z ż = 0.
    let (x, z) = (done.state.q[7], done.state.q[16] - RADIUS);
    assert!((x.hypot(z) - 2.0 * RADIUS).abs() < 1e-9, "{}", x.hypot(z));
    let (vx, vz) = (done.state.v[6], done.state.v[14]);
    assert!((x * vx + z * vz).abs() < 1e-9 && vz < -1e-3);
    let energy = vx * vx + 0.5 * vz * vz - G * (up - z);
    assert!(energy.abs() < 1e-8, "{energy}");
    assert!(done.state.q[14].abs() < 1e-9 && done.state.v[12].abs() < 1e-9);
}

/// A can that rolls off a table passes from face to edge to air, and comes to lie on the floor.
#[test]
fn a_can_rolls_off_a_table() {
    let mut world = World::new();
    let body = world.body(JointKind::Free, can(2.0));
    let round = world.shape(Some(body), Vector3::zeros(), CAN);
    let table = Shape::Box { half_extents: [0.3, 0.3, 0.1] };
    let table = world.shape(None, Vector3::new(0.0, 0.0, 0.4), table);
    let up = Shape::HalfSpace { normal: Unit::new_normalize(Vector3::z()) };
    let floor = world.shape(None, Vector3::zeros(), up);
    world.builder.gravity(Vector3::new(0.0, 0.0, -G)).unwrap();
    world.touch(table, round, surface(0.2, 0.6));
    world.touch(floor, round, surface(0.2, 0.6));
    let model = world.build();
    let mut state = State::neutral(&model);
    place(&mut state, 0, [0.0, 0.0, 0.5 + RADIUS], lying());
    state.v[0] = 1.0;
    // Rolling along +x turns about +y, which is −z of a can that lies along −y.
    state.v[5] = -1.0 / RADIUS;
    let done = run(&model, state, 1.0);
    assert!(done.state.q[0] > 0.35 && (done.state.q[2] - RADIUS).abs() < 1e-6, "{}", done.state.q);
}

/// Which parts were nearest before is where the search starts, not what it finds: from anywhere to anywhere the gap is that
/// of a pair that was never looked at. A ball that went round a can, unseen because it was far, is not deep below its cap.
#[test]
fn gaps_do_not_remember() {
    let egg = Shape::Ellipsoid { semi_axes: [0.1, 0.2, 0.15] };
    let cube = Shape::Box { half_extents: [0.2, 0.1, 0.15] };
    let ball = Shape::Sphere { radius: 0.2 };
    let rod = Shape::Capsule { radius: 0.05, half_length: 0.2 };
    let feature = |name: &str, shape: &Shape| Feature {
        name: name.into(),
        body: None,
        placement: Pose::identity(),
        shape: shape.clone(),
    };
    let mut random = support::Random::new(11);
    let coin = Shape::Disk { radius: 0.2 };
    let plate = Shape::Ellipse { semi_axes: [0.25, 0.1] };
    let cans = [(&ball, &CAN), (&rod, &CAN), (&cube, &CAN), (&egg, &CAN), (&egg, &cube)];
    let flats = [(&ball, &coin), (&cube, &coin), (&CAN, &plate), (&egg, &plate), (&rod, &plate)];
    for (a, b) in cans.into_iter().chain(flats) {
        let (fa, fb) = (feature("a", a), feature("b", b));
        let fresh = || PolytopePair::of((&fa, &fb), false, 0, 16).unwrap();
        let mut kept = fresh();
        for k in 0..300 {
            let R = *Rotation3::from_scaled_axis(random.vector() * 2.0).matrix();
            let r = random.vector().normalize() * random.within(0.5, 1.2);
            let motions = [BodyMotion::fixed(), BodyMotion { R, r, ..BodyMotion::fixed() }];
            let gap = |pair: &mut PolytopePair| pair.separation(&motions[0], &motions[1]).gap;
            let (own, other) = (gap(&mut kept), gap(&mut fresh()));
            let words = (a.word(), b.word());
            assert!((own - other).abs() < 1e-9, "{words:?} {k}: {own} {other}");
        }
    }
}
