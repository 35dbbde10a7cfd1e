//! Ground made of triangles and ellipsoids, cylinders, disks and flat ellipses: gaps by their definition, and motions against those on planes.
#![allow(non_snake_case)]

mod support;

use carom::contact::site_state::state_between;
use carom::contact::{PolytopePair, Site, SiteState, sites};
use carom::geometry::{BodyMotion, Features, Part};
use carom::hybrid::{Options, Output, Simulation};
use carom::impact::Newton;
use carom::model::{JointKind, Model, Shape, Terrain};
use carom::spatial::Inertia;
use carom::state::State;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;
use support::Random;
use support::grounds::{
    Path, as_over_a_plane, differences, golden, grid, ground, over, pair_of, posed, run, solid,
    start, wavy,
};
use support::worlds::{World, surface};

/// Configurations of each shape.
const COUNT: usize = 1000;

fn egg(semi_axes: [f64; 3]) -> (Inertia, Shape) {
    let s = semi_axes.map(|a| a * a / 5.0);
    (solid(1.0, [s[1] + s[2], s[0] + s[2], s[0] + s[1]]), Shape::Ellipsoid { semi_axes })
}

fn can(radius: f64, half_length: f64) -> (Inertia, Shape) {
    let across = (3.0 * radius * radius + 4.0 * half_length * half_length) / 12.0;
    let body = solid(1.0, [across, across, 0.5 * radius * radius]);
    (body, Shape::Cylinder { radius, half_length })
}

fn coin(radius: f64) -> (Inertia, Shape) {
    let across = 0.25 * radius * radius;
    (solid(1.0, [across, across, 2.0 * across]), Shape::Disk { radius })
}

fn plate(semi_axes: [f64; 2]) -> (Inertia, Shape) {
    let [x, y] = semi_axes.map(|a| 0.25 * a * a);
    (solid(1.0, [y, x, x + y]), Shape::Ellipse { semi_axes })
}

/// An ellipsoid, a cylinder, a disk and a flat ellipse of random sizes.
fn any(sort: usize, random: &mut Random) -> (Inertia, Shape) {
    let mut size = || random.within(0.02, 0.08);
    match sort {
        0 => egg([size(), size(), size()]),
        1 => can(size(), size()),
        2 => coin(size()),
        _ => plate([size(), size()]),
    }
}

/// Distance of a point from a solid shape, in its own axes; zero inside.
fn distance_to(shape: &Shape, x: &Vector3<f64>) -> f64 {
    let round = |r: f64, l: f64| (x.xy().norm() - r).max(0.0).hypot((x.z.abs() - l).max(0.0));
    match shape {
        Shape::Cylinder { radius, half_length } => round(*radius, *half_length),
        Shape::Disk { radius } => round(*radius, 0.0),
        Shape::Ellipse { semi_axes: [a, b] } if (x.x / a).hypot(x.y / b) <= 1.0 => x.z.abs(),
        Shape::Ellipse { .. } | Shape::Ellipsoid { .. } => {
            let semi_axes = match *shape {
                Shape::Ellipse { semi_axes: [a, b] } => [a, b, 0.0],
                Shape::Ellipsoid { semi_axes } => semi_axes,
                _ => unreachable!(),
            };
            // The nearest point is aᵢ² xᵢ/(aᵢ² + t), with the t ≥ 0 for which it is on the surface.
            let at = |t: f64| {
                let share = |k: usize| semi_axes[k] * x[k] / (semi_axes[k].powi(2) + t);
                share(0).powi(2) + share(1).powi(2) + share(2).powi(2) - 1.0
            };
            if at(1e-30) <= 0.0 {
                return 0.0;
            }
            // Convex and falling: Newton's method from the left, where what is flat has its border.
            let mut t = 1e-30;
            for _ in 0..60 {
                let slope = (0..3).map(|k| {
                    let a = semi_axes[k] * semi_axes[k];
                    -2.0 * a * x[k] * x[k] / (a + t).powi(3)
                });
                let step = at(t) / slope.sum::<f64>();
                t -= step;
                if step.abs() <= 1e-16 * t {
                    break;
                }
            }
            (0..3).map(|k| (x[k] * t / (semi_axes[k].powi(2) + t)).powi(2)).sum::<f64>().sqrt()
        }
        _ => unreachable!(),
    }
}

/// The least distance of a shape from all triangles: the distance of a point is convex over a triangle.
fn distance(shape: &Shape, motion: &BodyMotion, terrain: &Terrain) -> f64 {
    let local = |x: &Vector3<f64>| motion.R.tr_mul(&(x - motion.r));
    let mut all: Vec<(f64, [Vector3<f64>; 3])> = Vec::new();
    for t in &terrain.triangles {
        let corners = t.corners.map(|i| local(&terrain.points[i]));
        let center = corners.iter().sum::<Vector3<f64>>() / 3.0;
        let reach = corners.iter().map(|p| (p - center).norm()).fold(0.0, f64::max);
        all.push((distance_to(shape, &center) - reach, corners));
    }
    all.sort_by(|s, t| s.0.total_cmp(&t.0));
    let mut least = f64::INFINITY;
    for (bound, [a, b, c]) in all {
        if bound >= least {
            break;
        }
        let own = golden(&mut |s| {
            let (p, q) = (a + (b - a) * s, a + (c - a) * s);
            golden(&mut |t| distance_to(shape, &(p + (q - p) * t)))
        });
        least = least.min(own);
    }
    least
}

/// The state of the site whose features are nearest, and these.
struct Nearest {
    site: Site,
    features: Features,
    gap: f64,
}

impl Nearest {
    fn of(model: &Model, pair: &mut PolytopePair, motion: &BodyMotion) -> Self {
        let now = pair.separation(&BodyMotion::fixed(), motion);
        let mut site = sites(model)[0].clone();
        site.geometry = pair.geometry(Some(now.features));
        Self { site, features: now.features, gap: now.gap }
    }

    /// In the order of the site, and whether it has the ground first.
    fn state(&self, motion: &BodyMotion) -> (SiteState, bool) {
        let fixed = BodyMotion::fixed();
        match self.site.bodies().0 {
            None => (state_between(&self.site, &fixed, motion), true),
            Some(_) => (state_between(&self.site, motion, &fixed), false),
        }
    }
}

/// A place over the middle of the ground and any turn.
fn anywhere(random: &mut Random) -> BodyMotion {
    let mut at = |s: f64| random.within(-s, s);
    let r = Vector3::new(at(0.25), at(0.25), 0.16 + at(0.07));
    let turn = Rotation3::from_scaled_axis(Vector3::new(at(2.0), at(2.0), at(2.0)));
    posed(*turn.matrix(), r)
}

/// What kind of features hold, by their parts.
fn kind(features: Features) -> String {
    let word = |part: Part| match part {
        Part::Corner(_) => "corner",
        Part::Edge(_) => "edge",
        Part::Face(_) => "face",
        Part::Rim(_) => "rim",
        Part::Whole => "whole",
    };
    match features {
        Features::Parts { a, b, .. } => format!("{} {}", word(a), word(b)),
        _ => panic!("{features:?}"),
    }
}

/// (1) to (4): outside of the ground the gap is the least distance from all triangles, the features of every line of the law
/// hold somewhere, and the order of the pair does not matter. The normal is the slope of the gap.
#[test]
fn eq1_to_eq4_gaps_by_search() {
    let terrain = wavy();
    let wanted: [&[&str]; 4] = [
        &["face whole", "edge whole", "corner whole"],
        &["face rim", "corner face", "edge edge", "corner edge", "edge rim", "corner rim"],
        &["face rim", "corner face", "edge rim", "corner rim"],
        &["face rim", "corner face", "edge rim", "corner rim"],
    ];
    for (sort, wanted) in wanted.into_iter().enumerate() {
        let (mut random, mut seen, mut kinds) = (Random::new(7), 0, Vec::<String>::new());
        while seen < COUNT {
            let body = any(sort, &mut random);
            let model = over(ground(&terrain), body.clone(), surface(0.0, 0.0));
            let mut pair = pair_of(&model);
            let motion = anywhere(&mut random);
            let d = distance(&body.1, &motion, &terrain);
            if d < 1e-3 || terrain.covers(&motion.r) {
                continue;
            }
            let found = Nearest::of(&model, &mut pair, &motion);
            assert!((found.gap - d).abs() < 1e-8, "{:?}: {} {d}", found.features, found.gap);
            assert!(pair.apart(&BodyMotion::fixed(), &motion) <= d + 1e-12);
            let (state, straight) = found.state(&motion);
            assert!((state.gap - found.gap).abs() < 1e-12);
            let n = if straight { state.axes[2] } else { -state.axes[2] };
            let slope = Vector3::from_fn(|k, _| {
                let step = Vector3::ith(k, 1e-5);
                let mut moved = |x| {
                    let there = BodyMotion { r: motion.r + x, ..motion };
                    Nearest::of(&model, &mut pair, &there).gap
                };
                (moved(step) - moved(-step)) / 2e-5
            });
            let smooth = (slope.norm() - 1.0).abs() < 1e-4;
            assert!(!smooth || (slope - n).norm() < 3e-4, "{:?}: {n} {slope}", found.features);
            let (word, mut swapped) = (kind(found.features), World::new());
            if !kinds.contains(&word) {
                kinds.push(word);
            }
            let b = swapped.body(JointKind::Free, body.0);
            let b = swapped.shape(Some(b), Vector3::zeros(), body.1);
            let a = swapped.shape(None, Vector3::zeros(), ground(&terrain));
            swapped.touch(b, a, surface(0.0, 0.0));
            let other = Nearest::of(&model, &mut pair_of(&swapped.build()), &motion);
            assert!(other.gap == found.gap && other.features == found.features);
            seen += 1;
        }
        for word in wanted {
            assert!(kinds.iter().any(|k| k == word), "{word} not in {kinds:?}");
        }
    }
}

/// ġ and g̈ of (1) to (4) against differences of the gap of the same features, to 1e-8. Numbers are those of bodies of a metre.
#[test]
fn eq1_to_eq4_derivatives() {
    let terrain =
        grid([6, 6], [-3.0, -3.0], 1.0, |x, y| 0.7 * (1.1 * x).sin() * (0.9 * y + 0.4).cos());
    for sort in 0..4 {
        let (mut random, mut derived, mut tries) = (Random::new(3), 0, 0);
        while derived < COUNT {
            tries += 1;
            assert!(tries < 3 * COUNT, "{derived} of {tries}");
            let mut size = || random.within(0.2, 0.8);
            let body = match sort {
                0 => egg([size(), size(), size()]),
                1 => can(size(), size()),
                2 => coin(size()),
                _ => plate([size(), size()]),
            };
            let model = over(ground(&terrain), body, surface(0.0, 0.0));
            let place = anywhere(&mut random);
            let mut r = [0; 4].map(|_| random.vector());
            r[0] = place.r * 10.0;
            let [w, alpha] = [0; 2].map(|_| random.vector());
            let path = Path { r, R: place.R, w, alpha };
            let found = Nearest::of(&model, &mut pair_of(&model), &path.at(0.0));
            if found.gap < 1e-2 {
                tries -= 1;
                continue;
            }
            let (state, _) = found.state(&path.at(0.0));
            let gap = |t: f64| found.state(&path.at(t)).0.gap;
            // The step that the differences themselves agree on best.
            let all = [4e-3, 2e-3, 1e-3, 5e-4].map(|h| differences(gap, h));
            let spread = |k: usize| (all[k][1] - all[k + 1][1]).abs();
            let best = (0..3).min_by(|&i, &j| spread(i).total_cmp(&spread(j))).unwrap();
            let scale = 1.0 + state.gamma[2].abs();
            if spread(best) > 5e-9 * scale {
                continue;
            }
            let [rate, acceleration] = all[best + 1];
            let word = kind(found.features);
            assert!((state.u[2] - rate).abs() < 1e-8 * scale, "{word}: {} {rate}", state.u[2]);
            let error = (state.gamma[2] - acceleration).abs();
            assert!(error < 1e-8 * scale, "{word}: {} {acceleration}", state.gamma[2]);
            derived += 1;
        }
    }
}

/// Rule 1: no edge inside of a flat mesh catches what rolls, slides, falls and tips over it.
#[test]
fn a_flat_mesh_is_a_plane_to_eggs_cans_and_coins() {
    let by = surface(0.3, 0.3);
    let thrown = [1.0, 0.1, 0.0, 0.7, 2.0, 0.3];
    as_over_a_plane(egg([0.05, 0.08, 0.04]), [-0.4, -0.2, 0.2], thrown, by, 0.35);
    as_over_a_plane(can(0.06, 0.09), [-0.4, -0.2, 0.25], thrown, by, 0.3);
    as_over_a_plane(coin(0.07), [-0.4, -0.2, 0.25], thrown, by, 0.28);
    as_over_a_plane(plate([0.07, 0.05]), [-0.4, -0.2, 0.25], thrown, by, 0.28);
}

/// The same of a can that slides on its cap, and spins as it does.
#[test]
fn a_can_slides_on_its_cap_over_a_flat_mesh_as_over_a_plane() {
    let sliding = [1.2, 0.2, 0.0, 0.0, 0.0, 2.0];
    as_over_a_plane(can(0.1, 0.04), [-0.2, 0.0, 0.04], sliding, surface(0.0, 0.2), 0.9);
    as_over_a_plane(coin(0.1), [-0.2, 0.0, 0.0], sliding, surface(0.0, 0.2), 0.5);
    as_over_a_plane(plate([0.1, 0.07]), [-0.2, 0.0, 0.0], sliding, surface(0.0, 0.2), 0.5);
}

/// A free body with a turn, over some ground and over the plane z = 0: the same end to 1e-9.
fn turned_over_both(
    (terrain, body): (Shape, (Inertia, Shape)),
    (r, turn, v): ([f64; 3], Vector3<f64>, [f64; 6]),
    friction: f64,
    until: f64,
) {
    let plane = Shape::HalfSpace { normal: Vector3::z_axis() };
    let [mesh, plane] = [terrain, plane].map(|floor| {
        let model = over(floor, body.clone(), surface(0.0, friction));
        let mut state = start(&model, r, v);
        let q = UnitQuaternion::new(turn);
        state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
        run(&model, state, until)
    });
    assert!((&mesh.state.q - &plane.state.q).amax() < 1e-9, "{} {}", mesh.state.q, plane.state.q);
    assert!((&mesh.state.v - &plane.state.v).amax() < 1e-9);
    let kinds = |run: &carom::hybrid::Run| -> Vec<_> {
        run.recording.events.iter().map(|e| (e.kind, (e.t * 1e8).round())).collect()
    };
    assert_eq!(kinds(&mesh), kinds(&plane));
}

/// A can that rolls on its side, an egg that wobbles, a coin that rolls on its rim and leans.
#[test]
fn cans_eggs_and_coins_roll_over_a_flat_mesh_as_over_a_plane() {
    let flat = || ground(&grid([40, 8], [-0.55, -0.43], 0.11, |_, _| 0.0));
    let lying = Vector3::x() * FRAC_PI_2;
    let rolling = [0.5, 0.0, 0.0, 0.0, 0.0, 5.0 / 0.6 * 0.6];
    turned_over_both((flat(), can(0.1, 0.06)), ([-0.3, 0.0, 0.1], lying, rolling), 0.5, 0.8);
    let wobbling = [0.4, 0.0, 0.0, 0.0, 4.0, 1.0];
    let egg = egg([0.1, 0.1, 0.08]);
    turned_over_both((flat(), egg), ([-0.3, 0.0, 0.08], Vector3::zeros(), wobbling), 3.0, 0.6);
    let leaning = [0.0, 0.0, 0.0, 0.0, 0.3, 20.0];
    let coin = coin(0.1);
    turned_over_both((flat(), coin), ([0.0, 0.0, 0.1], lying, leaning), 3.0, 0.25);
}

/// A can rolls over the ridge of a roof, without slip: it keeps its energy, and its axis goes on a circle. The roof ends
/// beside it, or is broader than it is long.
#[test]
fn a_can_rolls_over_a_ridge() {
    let (alpha, r) = (0.2_f64, 0.05);
    for half in [0.06, 0.14] {
        let terrain = grid([8, 2], [-0.4, -0.1], 0.1, |x, _| -x.abs() * alpha.tan());
        let body = can(r, half);
        let model = over(ground(&terrain), body, surface(0.0, 5.0));
        let n = Vector3::new(-alpha.sin(), 0.0, alpha.cos());
        let from = Vector3::new(-0.1, 0.01, -0.1 * alpha.tan()) + n * r;
        let speed = 0.65;
        let along = Vector3::new(alpha.cos(), 0.0, alpha.sin()) * speed;
        // Its own axis points along −y.
        let v = [along.x, 0.0, along.z, 0.0, 0.0, -speed / r];
        let mut state = start(&model, from.into(), v);
        let q = UnitQuaternion::new(Vector3::x() * FRAC_PI_2);
        state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
        let done = run(&model, state, 0.7);
        assert!(done.state.q[0] > 0.1, "{half}: {}", done.state.q);
        let lost = done.ledger.initial - done.ledger.stored();
        assert!(lost.abs() < 1e-9, "{half}: {lost:e}");
        let down = Vector3::new(alpha.sin(), 0.0, alpha.cos());
        let height = down.dot(&done.state.q.fixed_rows::<3>(0).into_owned());
        assert!((height - r).abs() < 1e-9, "{half}: {height}");
    }
}

/// A ball that is an ellipsoid with three equal semi-axes, over ridges, peaks and pits: as the ball.
#[test]
fn a_round_egg_is_a_ball() {
    let r = 0.03;
    let shapes = [Shape::Sphere { radius: r }, Shape::Ellipsoid { semi_axes: [r; 3] }];
    let ends = shapes.map(|shape| {
        let body = (solid(1.0, [0.4 * r * r; 3]), shape);
        let model = over(ground(&wavy()), body, surface(0.5, 0.3));
        let state = start(&model, [0.03, 0.02, 0.2], [0.3, -0.2, 0.0, 1.0, 2.0, 3.0]);
        run(&model, state, 0.4)
    });
    assert!(ends[0].statistics.impacts >= 2, "{}", ends[0].statistics.impacts);
    let times = |run: &carom::hybrid::Run| -> Vec<_> {
        run.recording.events.iter().filter(|e| e.kind.is_jump()).map(|e| e.t).collect()
    };
    let [a, b] = [times(&ends[0]), times(&ends[1])];
    for (s, t) in a.iter().zip(&b).take(3) {
        assert!((s - t).abs() < 1e-8, "{s} {t}");
    }
}

/// Eggs, cans and coins fall on rough ground with closed ledgers; a can comes to rest.
#[test]
fn all_fall_on_rough_ground() {
    for body in [egg([0.08, 0.06, 0.05]), can(0.06, 0.05), coin(0.06)] {
        let model = over(ground(&wavy()), body, surface(0.0, 0.8));
        let mut state = start(&model, [0.03, 0.02, 0.2], [0.0; 6]);
        let q = UnitQuaternion::from_scaled_axis(Vector3::new(0.2, 0.3, 0.1));
        state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
        let done = run(&model, state, 2.5);
        let name = model.features()[0].shape.word();
        // Eggs and coins roll on.
        let rolls = !matches!(model.features()[0].shape, Shape::Cylinder { .. });
        assert!(rolls || done.state.v.amax() < 1e-9, "{name}: {}", done.state.v);
        assert!(done.ledger.closure().abs() < 1e-8, "{name}: {}", done.ledger.closure());
    }
}

/// A can stands on the border of a table: with its centre over it it stays, beyond it falls.
#[test]
fn a_can_stands_on_a_border() {
    let terrain = grid([4, 4], [-0.4, -0.2], 0.1, |_, _| 0.0);
    for (x, stays) in [(-0.01, true), (0.01, false)] {
        let model = over(ground(&terrain), can(0.1, 0.15), surface(0.0, 0.5));
        let state = start(&model, [x, 0.003, 0.15], [0.0; 6]);
        let done = run(&model, state, 0.5);
        assert_eq!((done.state.q[2] - 0.15).abs() < 1e-9, stays, "{x}: {}", done.state.q);
    }
}

/// No collision of fast bodies with ground is passed over: dense sampling finds no overlap before the event.
#[test]
fn none_is_missed() {
    let terrain = wavy();
    let mut random = Random::new(2);
    let mut met = 0;
    for k in 0..160 {
        let body = any(k % 4, &mut random);
        let model = over(ground(&terrain), body, surface(1.0, 0.0));
        let mut state = State::neutral(&model);
        let speed = 10f64.powf(random.within(0.0, 3.0));
        let from = random.vector().component_mul(&Vector3::new(0.5, 0.5, 0.1));
        state.q.rows_mut(0, 3).copy_from(&(from + Vector3::z() * 0.4));
        let q = UnitQuaternion::new(random.vector() * 3.0);
        state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
        let aim = random.vector() * 0.8 - Vector3::z();
        state.v.rows_mut(0, 3).copy_from(&(aim * speed));
        state.v.rows_mut(3, 3).copy_from(&(random.vector() * 20.0 * speed));
        let until = 0.7 / speed;
        let output = Output::Interval(until / 500.0);
        let options = Options { output, ..Options::default() };
        let run = Simulation::new(&model, state, Newton).options(options).run_until(until);
        let run = run.unwrap_or_else(|e| panic!("{k}: {}", e.0));
        assert!(run.statistics.worst_gap > -1e-9, "{k}: {:e}", run.statistics.worst_gap);
        let first = run.events().iter().find(|e| e.kind.is_jump()).map(|e| e.t);
        let mut pair = pair_of(&model);
        for (row, &t) in run.recording.t.iter().enumerate() {
            if first.is_some_and(|first| t > first) {
                break;
            }
            let q = &run.recording.q[row];
            let turn =
                UnitQuaternion::new_normalize(nalgebra::Quaternion::new(q[3], q[4], q[5], q[6]));
            let motion = posed(*turn.to_rotation_matrix().matrix(), Vector3::new(q[0], q[1], q[2]));
            let gap = pair.overlap(&BodyMotion::fixed(), &motion);
            assert!(gap > -1e-9, "{k}: {gap:e} at {t} before {first:?}");
        }
        met += usize::from(first.is_some());
    }
    assert!(met > 80, "{met}");
}

/// (1) of `terrain_inside`: a start inside of the ground is refused, however deep and by whatever.
#[test]
fn eq1_a_start_inside_is_refused() {
    let terrain = wavy();
    for body in [egg([0.15, 0.02, 0.02]), can(0.03, 0.2), can(0.2, 0.02)] {
        let model = over(ground(&terrain), body, surface(0.0, 0.0));
        for z in [-0.5, -0.1, -0.03, 0.0] {
            let state = start(&model, [0.02, 0.03, z], [0.0; 6]);
            assert!(Simulation::new(&model, state, Newton).run_until(0.1).is_err(), "{z}");
        }
        let state = start(&model, [0.0, 0.0, 0.3], [0.0; 6]);
        assert!(Simulation::new(&model, state, Newton).run_until(0.01).is_ok());
    }
}
