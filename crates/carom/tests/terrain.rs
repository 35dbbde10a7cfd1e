//! Ground made of triangles: gaps by their definition, and motions against those on planes.
#![allow(non_snake_case)]

mod support;

use carom::contact::site_state::state_between;
use carom::contact::sites;
use carom::geometry::BodyMotion;
use carom::hybrid::Simulation;
use carom::impact::Newton;
use carom::model::{Feature, JointKind, Model, ModelError, Shape, Terrain};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use support::Random;
use support::grounds::{
    Path, as_over_a_plane, ball, brick, differences, grid, ground, over, pair_of, posed, run,
    solid, start, wavy,
};
use support::worlds::{G, World, surface};

/// Rule 1: no edge inside of a flat mesh catches a ball that slides, comes to roll, or bounces.
#[test]
fn a_ball_rolls_over_a_flat_mesh_as_over_a_plane() {
    let r = 0.05;
    let sliding = [1.3, 0.21, 0.0, 0.0, 0.0, 0.0];
    let [mesh, _] = as_over_a_plane(ball(0.3, r), [-0.4, -0.2, r], sliding, surface(0.3, 0.2), 1.8);
    assert_eq!(mesh.recording.events.len(), 2, "touch, stick");
    let bouncing = [1.0, 0.1, 0.0, 3.0, -2.0, 1.0];
    as_over_a_plane(ball(0.3, r), [-0.4, -0.2, 0.3], bouncing, surface(0.6, 0.3), 1.5);
}

#[test]
fn a_box_slides_and_tumbles_over_a_flat_mesh_as_over_a_plane() {
    let half = [0.1, 0.06, 0.03];
    let sliding = [1.5, 0.2, 0.0, 0.0, 0.0, 0.7];
    let by = surface(0.0, 0.15);
    as_over_a_plane(brick(1.0, half), [-0.3, -0.1, 0.03], sliding, by, 0.8);
    let tumbling = [0.8, 0.1, 0.0, 1.0, 2.0, 0.5];
    as_over_a_plane(brick(1.0, half), [-0.3, -0.1, 0.2], tumbling, surface(0.0, 0.4), 0.199);
}

/// A capsule and a point, likewise.
#[test]
fn capsules_and_points_meet_a_flat_mesh_as_a_plane() {
    let capsule = Shape::Capsule { radius: 0.04, half_length: 0.1 };
    let body = (solid(0.5, [4e-4, 3e-3, 3e-3]), capsule);
    let by = surface(0.2, 0.3);
    as_over_a_plane(body, [-0.2, 0.0, 0.15], [0.5, 0.0, 0.0, 0.0, 1.0, 0.4], by, 0.35);
    let point = (solid(0.5, [1e-3; 3]), Shape::Point);
    as_over_a_plane(point, [-0.2, 0.0, 0.1], [0.5, 0.3, 0.0, 0.0, 0.0, 0.0], by, 0.6);
}

/// (1), (4), (6): of a ball the gap is the distance of its centre from the nearest triangle, found by trying all.
#[test]
fn eq1_eq4_eq6_gaps_of_balls_by_search() {
    let terrain = wavy();
    let radius = 0.03;
    let model = over(ground(&terrain), ball(1.0, radius), surface(0.0, 0.0));
    let (mut pair, fixed, mut random) = (pair_of(&model), BodyMotion::fixed(), Random::new(5));
    for _ in 0..1000 {
        let mut at = |s: f64| random.within(-s, s);
        let x = Vector3::new(at(0.7), at(0.7), 0.1 + at(0.1));
        if terrain.covers(&x) {
            continue;
        }
        let (p, _) = terrain.nearest(&x);
        let gap = pair.separation(&fixed, &posed(Matrix3::identity(), x)).gap;
        assert!((gap - ((p - x).norm() - radius)).abs() < 1e-12, "{x}: {gap}");
    }
}

/// Least distance of points of a triangle from a convex core, by projections in turn (Dykstra is not needed for a
/// distance): from many starts, on both.
fn distance(core: &[Vector3<f64>], terrain: &Terrain) -> f64 {
    // Wolfe's method on the difference of two hulls is in `tests/polytopes.rs`; here Frank and Wolfe's, with away steps by
    // the exact line search of a pair of vertices, to 1e-7.
    let mut least = f64::INFINITY;
    for t in &terrain.triangles {
        let corners = t.corners.map(|i| terrain.points[i]);
        let mut weights: Vec<(Vector3<f64>, f64)> = vec![(core[0] - corners[0], 1.0)];
        let mut w = weights[0].0;
        for _ in 0..4000 {
            let lowest = |list: &[Vector3<f64>], n: &Vector3<f64>| {
                *list.iter().min_by(|a, b| n.dot(a).total_cmp(&n.dot(b))).unwrap()
            };
            let v = lowest(core, &w) - lowest(&corners, &-w);
            if w.dot(&(w - v)) <= 1e-15 * w.norm_squared().max(1e-12) {
                break;
            }
            // Shift weight from the worst vertex in use to the best.
            let worst = (0..weights.len())
                .max_by(|&i, &j| w.dot(&weights[i].0).total_cmp(&w.dot(&weights[j].0)))
                .unwrap();
            let d = v - weights[worst].0;
            if d.norm_squared() == 0.0 {
                break;
            }
            let step = (-w.dot(&d) / d.norm_squared()).clamp(0.0, weights[worst].1);
            w += d * step;
            weights[worst].1 -= step;
            match weights.iter().position(|(x, _)| *x == v) {
                Some(k) => weights[k].1 += step,
                None => weights.push((v, step)),
            }
            weights.retain(|(_, a)| *a > 0.0);
        }
        least = least.min(w.norm());
    }
    least
}

/// (1) to (6): of boxes and capsules outside of the ground the gap is the least distance from all triangles.
#[test]
fn eq1_to_eq6_gaps_of_boxes_and_capsules_by_search() {
    let terrain =
        grid([6, 6], [-0.3, -0.3], 0.1, |x, y| 0.07 * (11.0 * x).sin() * (9.0 * y + 0.4).cos());
    let mut random = Random::new(3);
    let half = [0.06, 0.04, 0.05];
    let sign = |i: usize, k: usize| if i >> k & 1 == 1 { half[k] } else { -half[k] };
    let cube: Vec<Vector3<f64>> =
        (0..8).map(|i| Vector3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
    let rod = vec![Vector3::new(-0.08, 0.0, 0.0), Vector3::new(0.08, 0.0, 0.0)];
    let capsule = Shape::Capsule { radius: 0.02, half_length: 0.08 };
    let shapes = [(brick(1.0, half), cube, 0.0), ((solid(1.0, [1e-3; 3]), capsule), rod, 0.02)];
    for (body, core, radius) in shapes {
        let model = over(ground(&terrain), body, surface(0.0, 0.0));
        let (mut pair, fixed) = (pair_of(&model), BodyMotion::fixed());
        let mut seen = 0;
        for _ in 0..60 {
            let mut at = |s: f64| random.within(-s, s);
            let r = Vector3::new(at(0.2), at(0.2), 0.17 + at(0.06));
            let turn = Rotation3::from_scaled_axis(Vector3::new(at(2.0), at(2.0), at(2.0)));
            let motion = posed(*turn.matrix(), r);
            let placed: Vec<_> = core.iter().map(|x| motion.place(x)).collect();
            let d = distance(&placed, &terrain);
            if d < 1e-3 || placed.iter().any(|x| terrain.covers(x)) {
                continue;
            }
            let gap = pair.separation(&fixed, &motion).gap;
            assert!((gap - (d - radius)).abs() < 1e-6, "{gap} {}", d - radius);
            assert!(pair.apart(&fixed, &motion) <= gap + 1e-12);
            seen += 1;
        }
        assert!(seen > 25, "{seen}");
    }
}

/// A ball and a point without friction slide down a slope into a flat: in the valley the velocity across the flat is lost,
/// v⁺ = v⁻ cos α.
#[test]
fn a_valley_takes_what_goes_into_it() {
    // In valleys of some tenth of a radian a corner leaves its face by δ before it overlaps the next one by ε.
    for alpha in [0.3_f64, 0.12, 0.096, 0.08, 0.05] {
        let terrain = grid([8, 2], [-0.4, -0.1], 0.1, |x, _| (-x).max(0.0) * alpha.tan());
        assert_eq!(terrain.faces.len(), 2);
        for (r, body) in [(0.03, ball(1.0, 0.03)), (0.0, (solid(1.0, [1e-3; 3]), Shape::Point))] {
            let model = over(ground(&terrain), body, surface(0.0, 0.0));
            let n = Vector3::new(alpha.sin(), 0.0, alpha.cos());
            let from = Vector3::new(-0.3, 0.01, 0.3 * alpha.tan()) + n * r;
            let state = start(&model, from.into(), [0.0; 6]);
            let down = (2.0 * 0.3 / alpha.cos() / (G * alpha.sin())).sqrt();
            let done = run(&model, state, down + 0.1);
            // It touches the flat where its centre is r above it.
            let fast = (2.0 * G * (from.z - r)).sqrt();
            let off = done.state.v[0] - fast * alpha.cos();
            // What no site stands for is found when it overlaps by 1e-10 of the size of the shape, of a point of the ground:
            // it has fallen as much further.
            let size = if r > 0.0 { r } else { terrain.size };
            let bound = 1e-10 + 2.0 * G * 1e-10 * size / fast;
            assert!(off.abs() < bound, "{alpha} {r}: {off:e} {bound:e}");
            assert!((done.state.q[2] - r).abs() < 1e-10 && done.state.v[2].abs() < 1e-10);
            assert_eq!(done.statistics.impacts, 1);
        }
    }
}

/// A ball rolls over the ridge of a roof: without slip it keeps its energy, and on the ridge its centre goes on a circle.
#[test]
fn a_ball_rolls_over_a_ridge() {
    let alpha = 0.2_f64;
    let terrain = grid([8, 2], [-0.4, -0.1], 0.1, |x, _| -x.abs() * alpha.tan());
    let r = 0.05;
    let model = over(ground(&terrain), ball(1.0, r), surface(0.0, 5.0));
    let n = Vector3::new(-alpha.sin(), 0.0, alpha.cos());
    let from = Vector3::new(-0.1, 0.01, -0.1 * alpha.tan()) + n * r;
    let speed = 0.65;
    let along = Vector3::new(alpha.cos(), 0.0, alpha.sin()) * speed;
    let state = start(&model, from.into(), [along.x, 0.0, along.z, 0.0, speed / r, 0.0]);
    let done = run(&model, state, 0.7);
    assert!(done.state.q[0] > 0.1, "{}", done.state.q);
    let (v, w) = (done.state.v.fixed_rows::<3>(0).norm(), done.state.v.fixed_rows::<3>(3).norm());
    let energy = |v: f64, w: f64, z: f64| 0.5 * v * v + 0.2 * r * r * w * w + G * z;
    let [before, after] = [energy(speed, speed / r, from.z), energy(v, w, done.state.q[2])];
    assert!((before - after).abs() < 1e-9, "{before} {after}");
    // Where the ridge passes it on to the other side, nothing is lost.
    let lost = done.ledger.initial - done.ledger.stored();
    assert!(lost.abs() < 1e-12, "{lost:e}");
    // Down the other side it touches.
    let down = Vector3::new(alpha.sin(), 0.0, alpha.cos());
    let height = down.dot(&done.state.q.fixed_rows::<3>(0).into_owned());
    assert!((height - r).abs() < 1e-9, "{height}");
}

/// An elastic ball without friction on ground in the shape of a sine keeps its energy through all bounces; one that does
/// not rebound loses what goes into the valleys between its facets, and less the finer they are.
#[test]
fn a_ball_on_a_sine_keeps_its_energy() {
    let (r, mass) = (0.04, 0.2);
    let wave = |x: f64, _: f64| 0.05 * (2.0 * std::f64::consts::PI * x).cos();
    let elastic = {
        let terrain = grid([20, 4], [-1.0, -0.2], 0.1, wave);
        let model = over(ground(&terrain), ball(mass, r), surface(1.0, 0.0));
        let state = start(&model, [0.2, 0.013, 0.25], [0.0; 6]);
        run(&model, state, 2.0)
    };
    assert!(elastic.statistics.impacts >= 5, "{}", elastic.statistics.impacts);
    let closure = elastic.ledger.stored() - elastic.ledger.initial;
    assert!(closure.abs() < 1e-10, "{closure:e}");
    let lost = [20, 40].map(|n| {
        let cell = 2.0 / f64::from(n);
        let terrain = grid([n as usize, 4], [-1.0, -2.0 * cell], cell, wave);
        let model = over(ground(&terrain), ball(mass, r), surface(0.0, 0.0));
        // On the facet left of the deepest, down along it.
        let (a, b) = (0.5 - 2.0 * cell, 0.5 - cell);
        let along = Vector3::new(b - a, 0.0, wave(b, 0.0) - wave(a, 0.0)).normalize();
        let n = Vector3::new(-along.z, 0.0, along.x);
        let x = Vector3::new(0.5 * (a + b), 0.01, 0.5 * (wave(a, 0.0) + wave(b, 0.0))) + n * r;
        let v = along * 0.7;
        let state = start(&model, x.into(), [v.x, 0.0, v.z, 0.0, 0.0, 0.0]);
        let done = run(&model, state, 1.0);
        assert!(done.ledger.closure().abs() < 1e-10);
        done.ledger.initial - done.ledger.stored()
    });
    assert!(lost[1] < 0.7 * lost[0], "{lost:?}");
}

/// A box slides over a ridge: corners pass it one by one, and it tips onto the slope. Where a corner is on the ridge, the
/// plane of the other face is above it by what it does not reach, which is no overlap.
#[test]
fn a_box_slides_over_a_ridge() {
    let terrain = grid([10, 4], [-0.5, -0.2], 0.1, |x, _| -0.2 * x.max(0.0));
    let model = over(ground(&terrain), brick(1.0, [0.1, 0.06, 0.03]), surface(0.0, 0.1));
    let mut state = start(&model, [-0.2, 0.0, 0.03], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * 0.3);
    state.q.rows_mut(3, 4).copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
    let done = run(&model, state, 0.5);
    assert!(done.ledger.closure().abs() < 1e-9, "{}", done.ledger.closure());
    assert!(done.state.q[0] > 0.05, "{}", done.state.q);
}

/// A box falls on rough ground and comes to rest with a closed ledger.
#[test]
fn a_box_comes_to_rest_on_rough_ground() {
    let terrain = wavy();
    let half = [0.12, 0.08, 0.05];
    let model = over(ground(&terrain), brick(1.0, half), surface(0.0, 0.8));
    let mut state = start(&model, [0.03, 0.02, 0.3], [0.0; 6]);
    let q = UnitQuaternion::from_scaled_axis(Vector3::new(0.2, 0.3, 0.1));
    state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
    let done = run(&model, state, 2.0);
    assert!(done.state.v.amax() < 1e-6, "{}", done.state.v);
    assert!(done.ledger.closure().abs() < 1e-9);
}

/// (2): a corner of a border exactly below a box leaves it downward, not through its top.
#[test]
fn a_box_stands_on_a_corner_of_a_border() {
    let terrain = grid([4, 4], [-0.4, -0.2], 0.1, |_, _| 0.0);
    let model = over(ground(&terrain), brick(1.0, [0.1, 0.06, 0.03]), surface(0.0, 0.5));
    let done = run(&model, start(&model, [-0.03, 0.18, 0.03], [0.0; 6]), 0.3);
    assert!((done.state.q[2] - 0.03).abs() < 1e-10, "{}", done.state.q);
}

/// A bullet meets a sheet of ground, however fast.
#[test]
fn nothing_passes_through() {
    let terrain = wavy();
    for speed in [1.0, 100.0, 10_000.0] {
        let model = over(ground(&terrain), ball(0.01, 0.005), surface(0.0, 0.0));
        let state = start(&model, [0.037, 0.021, 1.0], [0.0, 0.0, -speed, 0.0, 0.0, 0.0]);
        let done = run(&model, state, 1.2 / speed);
        assert!(done.statistics.impacts >= 1, "{speed}");
        let x = done.state.q.fixed_rows::<3>(0).into_owned();
        assert!(!terrain.covers(&x), "{speed}: {x}");
    }
}

/// Where ground and shape both move, the gap is that of the shape as the ground sees it, and ġ and g̈ are those of differences.
#[test]
fn gaps_of_ground_that_moves() {
    let terrain = grid([6, 6], [-3.0, -3.0], 1.0, |x, y| 0.7 * (1.1 * x).sin() * (0.9 * y).cos());
    let mut random = Random::new(21);
    let path = |random: &mut Random, r: Vector3<f64>| {
        let mut all = [0; 4].map(|_| random.vector());
        all[0] = r;
        let [turn, w, alpha] = [0; 3].map(|_| random.vector());
        Path { r: all, R: *Rotation3::new(turn * 3.0).matrix(), w, alpha }
    };
    let (mut derived, mut tries) = (0, 0);
    while derived < 1000 {
        tries += 1;
        assert!(tries < 2000, "{derived} of {tries}");
        let mut size = || random.within(0.2, 0.6);
        let shape = match tries % 4 {
            0 => Shape::Sphere { radius: size() },
            1 => Shape::Box { half_extents: [size(), size(), size()] },
            2 => Shape::Cylinder { radius: size(), half_length: size() },
            _ => Shape::Ellipse { semi_axes: [size(), size()] },
        };
        let model = on_a_body(ground(&terrain), (solid(1.0, [0.1; 3]), shape), 0.0);
        let above = Vector3::new(random.within(-2.0, 2.0), random.within(-2.0, 2.0), 1.8);
        let below = path(&mut random, Vector3::zeros());
        let over = path(&mut random, below.R * above);
        let (a, b) = (below.at(0.0), over.at(0.0));
        let mut pair = pair_of(&model);
        let found = pair.separation(&a, &b);
        let seen = Pose::new(a.R, a.r).inverse().then(&Pose::new(b.R, b.r));
        let still = BodyMotion::fixed();
        let alone = pair_of(&model).separation(&still, &posed(seen.R, seen.r)).gap;
        assert!((found.gap - alone).abs() < 1e-12, "{} {alone}", found.gap);
        if found.gap < 1e-2 {
            tries -= 1;
            continue;
        }
        let mut site = sites(&model)[0].clone();
        site.geometry = pair.geometry(Some(found.features));
        let straight = site.bodies().0 == pair.bodies[0];
        let state = |t: f64| match straight {
            true => state_between(&site, &below.at(t), &over.at(t)),
            false => state_between(&site, &over.at(t), &below.at(t)),
        };
        let now = state(0.0);
        let all = [4e-3, 2e-3, 1e-3, 5e-4].map(|h| differences(|t| state(t).gap, h));
        let spread = |k: usize| (all[k][1] - all[k + 1][1]).abs();
        let best = (0..3).min_by(|&i, &j| spread(i).total_cmp(&spread(j))).unwrap();
        let scale = 1.0 + now.gamma[2].abs();
        if spread(best) > 5e-9 * scale {
            continue;
        }
        let [rate, acceleration] = all[best + 1];
        assert!((now.u[2] - rate).abs() < 1e-8 * scale, "{} {rate}", now.u[2]);
        assert!((now.gamma[2] - acceleration).abs() < 1e-8 * scale, "{}", now.gamma[2]);
        derived += 1;
    }
}

/// Ground on a free body of 3 kg, and a shape over it.
fn on_a_body(floor: Shape, (inertia, shape): (Inertia, Shape), friction: f64) -> Model {
    let mut world = World::new();
    world.builder.gravity(Vector3::zeros()).unwrap();
    let raft = world.body(JointKind::Free, solid(3.0, [0.2, 0.3, 0.4]));
    let body = world.body(JointKind::Free, inertia);
    let floor = world.shape(Some(raft), Vector3::zeros(), floor);
    let shape = world.shape(Some(body), Vector3::zeros(), shape);
    world.touch(floor, shape, surface(0.5, friction));
    world.build()
}

/// A flat mesh on a free body that spins and is hit by what it spins under, and slides over it: as a plane on that body, and with
/// the momentum of both kept.
#[test]
fn ground_that_moves_is_a_plane_that_moves() {
    let flat = grid([60, 60], [-3.3, -3.3], 0.11, |_, _| 0.0);
    let can = (solid(1.0, [3e-3, 3e-3, 4e-3]), Shape::Cylinder { radius: 0.08, half_length: 0.05 });
    for (k, body) in [ball(1.0, 0.1), brick(1.0, [0.1, 0.07, 0.05]), can].into_iter().enumerate() {
        let runs = [ground(&flat), Shape::HalfSpace { normal: Vector3::z_axis() }].map(|floor| {
            let model = on_a_body(floor, body.clone(), 0.3);
            let mut state = State::neutral(&model);
            state.q.rows_mut(7, 3).copy_from_slice(&[0.3, 0.1, 0.4]);
            state
                .v
                .copy_from_slice(&[0.0, 0.1, 1.0, 0.3, -0.2, 0.5, 0.2, 0.0, -1.0, 2.0, 1.0, -1.0]);
            let before = momentum(&model, &state);
            let done = run(&model, state, 0.35);
            let after = momentum(&model, &done.state);
            assert!((after - before).amax() < 1e-9, "{k}: {before} {after}");
            assert!(done.statistics.impacts > 0);
            done
        });
        let off = (&runs[0].state.q - &runs[1].state.q).amax();
        assert!(off < 1e-8, "{k}: {off:e}");
    }
}

fn momentum(model: &Model, state: &State) -> Vector3<f64> {
    let v = &state.v;
    assert_eq!(model.nv(), 12);
    v.fixed_rows::<3>(0) * 3.0 + v.fixed_rows::<3>(6)
}

#[test]
fn what_cannot_be_is_told() {
    let terrain = wavy();
    let model = over(ground(&terrain), ball(1.0, 0.03), surface(0.0, 0.0));
    // Under the ground, far and near.
    for z in [-0.5, -0.08] {
        let state = start(&model, [0.0, 0.0, z], [0.0; 6]);
        assert!(Simulation::new(&model, state, Newton).run_until(0.1).is_err(), "{z}");
    }
    // Ground does not touch ground.
    let mut world = World::new();
    let body = world.body(JointKind::Free, solid(1.0, [1e-3; 3]));
    let moving = world.shape(Some(body), Vector3::zeros(), ground(&terrain));
    let fixed = world.shape(None, Vector3::zeros(), ground(&terrain));
    let refused = world.builder.add_pair("pair", moving, fixed, surface(0.0, 0.0));
    assert!(matches!(refused, Err(ModelError::Unsupported { .. })), "{refused:?}");
    let mut world = World::new();
    let body = world.body(JointKind::Free, solid(1.0, [1e-3; 3]));
    let flat =
        Shape::Polygon { corners: [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].into(), rounding: 0.0 };
    let feature = |name: &str, body, shape| Feature {
        name: name.into(),
        body,
        placement: Pose::identity(),
        shape,
    };
    let flat = world.builder.add_feature(feature("flat", Some(body), flat)).unwrap();
    let field = world.builder.add_feature(feature("field", None, ground(&terrain))).unwrap();
    world.builder.add_pair("pair", flat, field, surface(0.0, 0.0)).unwrap();
    let flat = world.builder.build();
    assert!(matches!(flat, Err(ModelError::Unsupported { .. })), "{flat:?}");
}
