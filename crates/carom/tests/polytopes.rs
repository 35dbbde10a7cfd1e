//! Boxes, polygons and polytopes that touch each other.
#![allow(non_snake_case)]

mod support;

use carom::contact::Mode;
use carom::hybrid::{Options, Run, Simulation, Stop};
use carom::impact::Newton;
use carom::model::{Feature, JointKind, Model, Shape};
use carom::record::{EventKind, Rescue};
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Rotation3, Vector3};
use support::worlds::{G, World, surface};

fn cuboid(mass: f64, half: [f64; 3]) -> Inertia {
    let s = half.map(|h| h * h / 3.0);
    let moments = Vector3::new(s[1] + s[2], s[0] + s[2], s[0] + s[1]) * mass;
    Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&moments)).unwrap()
}

fn run(model: &Model, state: State, until: f64) -> Run {
    let options = Options::default();
    let run = Simulation::new(model, state, Newton).options(options).run_until(until);
    run.unwrap_or_else(|e| panic!("{}", e.0))
}

/// A box on a box that is fixed at a slope, in the plane or in space.
fn box_on_slope(slope: f64, mu: f64, planar: bool) -> (Model, State) {
    box_on_ramp(slope, mu, planar, [1.0, -0.5])
}

/// The same on a ramp of a half length, the box at a place along it.
fn box_on_ramp(slope: f64, mu: f64, planar: bool, [end, place]: [f64; 2]) -> (Model, State) {
    let mut world = World::new();
    let half = [0.1, 0.05, 0.07];
    let kind = if planar { JointKind::Planar } else { JointKind::Free };
    let body = world.body(kind, cuboid(1.0, half));
    let top = world.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents: half });
    let R = *Rotation3::from_axis_angle(&Vector3::z_axis(), -slope).matrix();
    let ramp = Feature {
        name: "ramp".into(),
        body: None,
        placement: Pose::new(R, R * Vector3::new(0.0, -0.2, 0.0)),
        shape: Shape::Box { half_extents: [end, 0.2, 0.3] },
    };
    let ramp = world.builder.add_feature(ramp).unwrap();
    world.touch(ramp, top, surface(0.0, mu));
    let model = world.build();
    let mut state = State::neutral(&model);
    let at = R * Vector3::new(place, 0.05, 0.0);
    state.q.rows_mut(0, 2).copy_from_slice(&[at.x, at.y]);
    if planar {
        state.q[2] = -slope;
    } else {
        let q = nalgebra::UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -slope);
        state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
    }
    (model, state)
}

#[test]
fn a_box_slips_on_a_slope() {
    for planar in [true, false] {
        let (slope, mu) = (0.4_f64, 0.2);
        let (model, state) = box_on_slope(slope, mu, planar);
        let start = state.clone();
        let done = run(&model, state, 0.3);
        assert_eq!(done.stop, Stop::ReachedEnd);
        let moved = (done.state.q[0] - start.q[0]).hypot(done.state.q[1] - start.q[1]);
        let exact = 0.5 * G * (slope.sin() - mu * slope.cos()) * 0.09;
        assert!((moved - exact).abs() < 1e-9, "planar {planar}: {moved} {exact}");
    }
}

#[test]
fn a_box_sticks_on_a_slope() {
    for planar in [true, false] {
        let (model, state) = box_on_slope(0.4, 0.5, planar);
        let start = state.clone();
        let done = run(&model, state, 1.0);
        assert_eq!(done.stop, Stop::ReachedEnd);
        assert!((done.state.q - start.q).amax() < 1e-12, "planar {planar}");
    }
}

/// A frictionless box slides off a fixed box and tips over its edge when its centre of mass passes it.
#[test]
fn a_box_slides_off_a_table() {
    for planar in [true, false] {
        let mut world = World::new();
        let half = [0.1, 0.05, 0.07];
        let kind = if planar { JointKind::Planar } else { JointKind::Free };
        let body = world.body(kind, cuboid(1.0, half));
        let top = world.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents: half });
        let table = Shape::Box { half_extents: [0.5, 0.2, 0.3] };
        let table = world.shape(None, Vector3::new(-0.5, -0.2, 0.0), table);
        world.touch(table, top, surface(0.0, 0.0));
        let model = world.build();
        let mut state = State::neutral(&model);
        state.q[0] = -0.3;
        state.q[1] = 0.05;
        state.v[0] = 2.0;
        let turn = |s: &State| if planar { s.q[2] } else { 2.0 * s.q[6].atan2(s.q[3]) };
        let before = run(&model, state.clone(), 0.1499);
        assert!(turn(&before.state).abs() < 1e-12, "planar {planar}: {}", turn(&before.state));
        assert!((before.state.q[1] - 0.05).abs() < 1e-12);
        let after = run(&model, state, 0.16);
        assert!(turn(&after.state) < -1e-4, "planar {planar}: {}", turn(&after.state));
        assert!(after.ledger.closure().abs() < 1e-9, "{}", after.ledger.closure());
        // Nothing pushes along the table, and with its edge as the only contact the box turns about it: at first
        // the lever is the distance of the centre beyond the edge, x = 2(t − 0.15), and the torque m g x; the
        // contact force stays m g to first order in x, so θ = −∫∫ m g x/I.
        let (tau, I) = (0.01, 1.0 * (0.01 + 0.0025) / 3.0);
        let slow = -G * 2.0 * f64::powi(tau, 3) / 6.0 / I;
        let got = turn(&after.state);
        assert!((got / slow - 1.0).abs() < 0.12, "planar {planar}: {got} {slow}");
    }
}

/// A box that tips over the end of a ramp leaves it when its rear corner does: the contact, which still presses, ends
/// there, and what follows is flight.
#[test]
fn a_box_slides_over_the_end_of_a_slope() {
    let slope = 20_f64.to_radians();
    let (model, state) = box_on_ramp(slope, 0.2, true, [0.6, -0.2]);
    let done = run(&model, state, 1.15);
    let last = done.recording.events.last().expect("events");
    assert_eq!(last.kind, EventKind::LiftOff);
    let [change] = &last.contacts[..] else { panic!("{:?}", last.contacts) };
    assert!(matches!(change.before, Mode::Slip { .. }) && change.after == Mode::Open);
    let pressed = done.recording.t.iter().position(|t| *t == last.t).expect("a sample");
    assert!(done.recording.forces[pressed][change.site][2] > 0.1);
    let turned = |angle: f64, x: f64, y: f64| {
        Vector3::new(angle.cos() * x - angle.sin() * y, angle.sin() * x + angle.cos() * y, 0.0)
    };
    let corner = Vector3::new(last.q[0], last.q[1], 0.0) + turned(last.q[2], -0.1, -0.05);
    assert!((corner - turned(-slope, 0.6, 0.0)).norm() < 1e-7, "{corner}");
    let flown = done.state.t - last.t;
    let exact = last.q[1] + last.v_post[1] * flown - 0.5 * G * flown * flown;
    assert!((done.state.q[1] - exact).abs() < 1e-12, "{} {exact}", done.state.q[1]);
    assert!(done.recording.modes.last().expect("samples").iter().all(|m| *m == Mode::Open));
}

/// A cube on a slope topples exactly if the slope is steeper than its diagonal.
#[test]
fn a_box_topples() {
    let limit = (0.1_f64 / 0.05).atan();
    // What tips by 1e-6 rad more than it can bear grows like cosh √(3g/(4r)) t, r half the diagonal: 1e-3 rad after a second.
    for (slope, topples) in [(limit - 1e-6, false), (limit + 1e-6, true)] {
        for planar in [true, false] {
            let (model, state) = box_on_slope(slope, 5.0, planar);
            let start = state.clone();
            let done = run(&model, state, 1.5);
            let turned = if planar { 2 } else { 6 };
            let moved = (done.state.q[turned] - start.q[turned]).abs();
            let told = if topples { moved > 1e-3 } else { moved < 1e-12 };
            assert!(told, "slope {slope} planar {planar}: {moved}");
        }
    }
}

/// A bullet through a plate of a millimetre, at any speed, is found, and stopped by e = 0.
#[test]
fn a_bullet_meets_a_thin_plate() {
    for (k, speed) in [1.0, 30.0, 1e3, 3e5, 1e7].into_iter().enumerate() {
        for planar in [true, false] {
            let mut world = World::new();
            let half = [0.005, 0.004, 0.004];
            let kind = if planar { JointKind::Planar } else { JointKind::Free };
            let body = world.body(kind, cuboid(0.01, half));
            let bullet =
                world.shape(Some(body), Vector3::zeros(), Shape::Box { half_extents: half });
            let plate = Shape::Box { half_extents: [0.0005, 0.3, 0.3] };
            let plate = world.shape(None, Vector3::zeros(), plate);
            world.touch(plate, bullet, surface(0.0, 0.0));
            world.builder.gravity(Vector3::zeros()).unwrap();
            let model = world.build();
            let mut state = State::neutral(&model);
            state.q[0] = -2.0 - 0.1 * k as f64;
            state.v[0] = speed;
            state.v[if planar { 2 } else { 5 }] = 0.3;
            let until = 10.0 / speed;
            let done = run(&model, state, until);
            assert!(
                done.state.q[0] < -0.0055 + 1e-9,
                "speed {speed} planar {planar}: {}",
                done.state.q
            );
            assert!(done.events().iter().any(|e| e.kind.is_jump()));
        }
    }
}

/// A capsule, a sphere and a disk on boxes come to rest at the height of their radius.
#[test]
fn round_shapes_on_a_box() {
    let shapes = [
        (Shape::Sphere { radius: 0.05 }, 0.05),
        (Shape::Capsule { radius: 0.03, half_length: 0.1 }, 0.03),
        (Shape::Box { half_extents: [0.1, 0.04, 0.06] }, 0.04),
    ];
    for (shape, height) in shapes {
        for planar in [true, false] {
            let mut world = World::new();
            let kind = if planar { JointKind::Planar } else { JointKind::Free };
            let body = world.body(kind, cuboid(1.0, [0.1, 0.05, 0.05]));
            let feature = world.shape(Some(body), Vector3::zeros(), shape.clone());
            let table = Shape::Box { half_extents: [0.5, 0.2, 0.3] };
            let table = world.shape(None, Vector3::new(0.0, -0.2, 0.0), table);
            world.touch(table, feature, surface(0.3, 0.4));
            let model = world.build();
            let mut state = State::neutral(&model);
            state.q[1] = height + 0.05;
            if planar {
                state.q[2] = 0.1;
            } else {
                let q = nalgebra::UnitQuaternion::new(Vector3::new(0.05, 0.02, 0.1));
                state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
            }
            let done = run(&model, state, 2.0);
            assert_eq!(done.stop, Stop::ReachedEnd);
            assert!(
                (done.state.q[1] - height).abs() < 1e-8,
                "{shape:?} {planar}: {}",
                done.state.q
            );
            assert!(done.ledger.closure().abs() < 1e-8);
        }
    }
}

/// Distance of the hulls of two sets of points: the point of least norm of their differences (Wolfe's algorithm).
fn wolfe(a: &[Vector3<f64>], b: &[Vector3<f64>]) -> f64 {
    let p: Vec<Vector3<f64>> = b.iter().flat_map(|y| a.iter().map(move |x| y - x)).collect();
    let least = (0..p.len()).min_by(|&i, &j| p[i].norm().total_cmp(&p[j].norm())).unwrap();
    let (mut set, mut w) = (vec![least], vec![1.0]);
    for _ in 0..1000 {
        let x: Vector3<f64> = set.iter().zip(&w).map(|(&i, w)| p[i] * *w).sum();
        let next = (0..p.len()).min_by(|&i, &j| x.dot(&p[i]).total_cmp(&x.dot(&p[j]))).unwrap();
        if x.dot(&p[next]) >= x.norm_squared() - 1e-13 || set.contains(&next) {
            return x.norm();
        }
        set.push(next);
        w.push(0.0);
        loop {
            let k = set.len();
            let M = nalgebra::DMatrix::from_fn(k + 1, k + 1, |i, j| match (i < k, j < k) {
                (true, true) => p[set[i]].dot(&p[set[j]]),
                (false, false) => 0.0,
                _ => 1.0,
            });
            let mut rhs = nalgebra::DVector::zeros(k + 1);
            rhs[k] = 1.0;
            let y = M.svd(true, true).solve(&rhs, 1e-14).unwrap();
            if (0..k).all(|i| y[i] > 1e-12) {
                w = y.rows(0, k).iter().copied().collect();
                break;
            }
            let bad = (0..k).filter(|&i| y[i] <= 1e-12);
            let theta = bad.map(|i| w[i] / (w[i] - y[i])).fold(1.0, f64::min);
            (0..k).for_each(|i| w[i] += theta * (y[i] - w[i]));
            let out = (0..k).min_by(|&i, &j| w[i].total_cmp(&w[j])).unwrap();
            set.remove(out);
            w.remove(out);
        }
    }
    panic!("not found")
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        2.0 * (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }
    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.next(), self.next(), self.next())
    }
}

/// A point, a segment, a rectangle, a box or a hull, with or without a rounding.
fn random_polytope(random: &mut Random, k: usize) -> carom::geometry::Polytope {
    use carom::geometry::Polytope;
    let half = random.vector().map(|x| 0.1 + 0.4 * x.abs());
    let radius = if k.is_multiple_of(2) { 0.0 } else { 0.1 };
    match k / 2 % 5 {
        0 => Polytope::cuboid(half.into(), radius),
        1 => Polytope::cuboid([half.x, half.y, 0.0], radius),
        2 => Polytope::segment([half, -half], 0.1, false),
        3 => Polytope::point(half, 0.1, false),
        _ => {
            let points: Vec<_> = (0..12).map(|_| random.vector() * 0.4).collect();
            let hull = carom::model::Hull::of(&points).unwrap();
            Polytope::new(hull.corners, &hull.faces, radius, false)
        }
    }
}

#[test]
fn eq1_eq2_separation_and_distance() {
    use carom::geometry::{BodyMotion, Placed, Search, place, separation};
    let mut random = Random(3);
    let (mut apart, mut nearest) = (0, 0);
    for trial in 0..1000 {
        let a = random_polytope(&mut random, trial % 10);
        let b = random_polytope(&mut random, trial / 10);
        let mut motion = |far: f64| BodyMotion {
            R: *Rotation3::new(random.vector() * 3.0).matrix(),
            r: random.vector() * far,
            ..BodyMotion::fixed()
        };
        let (ma, mb) = (motion(0.0), motion(1.5));
        let (mut xa, mut xb) = (Vec::new(), Vec::new());
        place(&a, &ma, &mut xa);
        place(&b, &mb, &mut xb);
        let pa = Placed { shape: &a, motion: &ma, x: &xa };
        let pb = Placed { shape: &b, motion: &mb, x: &xb };
        let found = separation(&pa, &pb, 1e-12, &mut Search::default()).gap;
        let back = separation(&pb, &pa, 1e-12, &mut Search::default()).gap;
        assert!((found - back).abs() < 1e-12, "trial {trial}: {found} {back}");
        let radii = a.radius + b.radius;
        let exact = wolfe(&xa, &xb) - radii;
        if exact + radii < 1e-6 {
            assert!(found < 1e-6, "trial {trial}: {found} though they overlap");
            continue;
        }
        apart += 1;
        assert!(found <= exact + 1e-9, "trial {trial}: {found} {exact}");
        if radii > 0.0 {
            assert!((found - exact).abs() < 1e-9, "trial {trial}: {found} {exact}");
            nearest += 1;
        } else {
            assert!(found > 0.0, "trial {trial}: {found} {exact}");
        }
    }
    assert!(apart > 300 && nearest > 200, "{apart} {nearest}");
}

/// The greatest separation over all axes of (1), each measured over all corners.
fn over_all_axes(a: &carom::geometry::Placed<'_>, b: &carom::geometry::Placed<'_>) -> f64 {
    let least =
        |x: &[Vector3<f64>], n: &Vector3<f64>| x.iter().fold(f64::INFINITY, |m, x| m.min(n.dot(x)));
    let along = |n: &Vector3<f64>| least(b.x, n) + least(a.x, &-n);
    let faces_a = (0..a.shape.faces.len()).map(|f| along(&a.normal(f)));
    let faces_b = (0..b.shape.faces.len()).map(|f| along(&-b.normal(f)));
    let mut best = faces_a.chain(faces_b).fold(f64::NEG_INFINITY, f64::max);
    for i in 0..a.shape.edges.len() {
        for j in 0..b.shape.edges.len() {
            let ((xa, da, _), (xb, db, _)) = (a.edge(i), b.edge(j));
            let m = da.cross(&db);
            if m.norm() < 1e-9 {
                continue;
            }
            for n in [m.normalize(), -m.normalize()] {
                let supports =
                    n.dot(&xa) + least(a.x, &-n) > -1e-12 && n.dot(&xb) - least(b.x, &n) < 1e-12;
                if supports {
                    best = best.max(n.dot(&(xb - xa)));
                }
            }
        }
    }
    best
}

#[test]
fn bounds_leave_out_no_greatest_axis() {
    use carom::geometry::{BodyMotion, Placed, Polytope, Search, place, separation};
    let mut random = Random(11);
    let mut hull = |count: usize| {
        let points: Vec<_> = (0..count).map(|_| random.vector().normalize() * 0.4).collect();
        let hull = carom::model::Hull::of(&points).unwrap();
        Polytope::new(hull.corners, &hull.faces, 0.0, false)
    };
    let pairs = [[40, 40], [60, 5], [8, 30], [4, 4]].map(|[m, n]| [hull(m), hull(n)]);
    let mut search = Search::default();
    let (mut edges, mut overlapping) = (0, 0);
    for trial in 0..200 {
        let [a, b] = &pairs[trial % pairs.len()];
        let mut motion = |far: f64| BodyMotion {
            R: *Rotation3::new(random.vector() * 3.0).matrix(),
            r: random.vector() * far,
            ..BodyMotion::fixed()
        };
        let (ma, mb) = (motion(0.0), motion(0.9));
        let (mut xa, mut xb) = (Vec::new(), Vec::new());
        place(a, &ma, &mut xa);
        place(b, &mb, &mut xb);
        let pa = Placed { shape: a, motion: &ma, x: &xa };
        let pb = Placed { shape: b, motion: &mb, x: &xb };
        // Whatever was nearest the last time, of another pair too.
        let found = separation(&pa, &pb, 1e-12, &mut search);
        let all = over_all_axes(&pa, &pb);
        assert!((found.gap - all).abs() < 1e-11, "trial {trial}: {} {all}", found.gap);
        edges += usize::from(matches!(found.features, carom::geometry::Features::Edges { .. }));
        overlapping += usize::from(all < 0.0);
    }
    assert!(edges > 20 && overlapping > 20, "{edges} {overlapping}");
}

/// The corners of the common polygon of two faces, and what degenerate features become.
#[test]
fn common_polygon() {
    use carom::geometry::{
        BodyMotion, Features, Placed, Polytope, Search, manifold, place, separation,
    };
    let corners = |half: [[f64; 3]; 2], shift: Vector3<f64>, turn: f64| {
        let (a, b) = (Polytope::cuboid(half[0], 0.0), Polytope::cuboid(half[1], 0.0));
        let R = *Rotation3::from_axis_angle(&Vector3::z_axis(), turn).matrix();
        let r = shift + Vector3::z() * (half[0][2] + half[1][2]);
        let (ma, mb) = (BodyMotion::fixed(), BodyMotion { R, r, ..BodyMotion::fixed() });
        let (mut xa, mut xb) = (Vec::new(), Vec::new());
        place(&a, &ma, &mut xa);
        place(&b, &mb, &mut xb);
        let pa = Placed { shape: &a, motion: &ma, x: &xa };
        let pb = Placed { shape: &b, motion: &mb, x: &xb };
        let nearest = separation(&pa, &pb, 1e-9, &mut Search::default());
        let mut found = Vec::new();
        manifold(&pa, &pb, &nearest, (1e-9, 0.01), &mut found);
        let edges = found.iter().filter(|f| matches!(f.0, Features::Edges { .. })).count();
        (found.len(), edges)
    };
    let (cube, plank) = ([0.5; 3], [2.0, 0.2, 0.1]);
    let o = Vector3::zeros();
    // Two planks across each other: four crossings. A small box on a large one: its four corners.
    assert_eq!(corners([plank, plank], o, std::f64::consts::FRAC_PI_2), (4, 4));
    assert_eq!(corners([cube, [0.1; 3]], o, 0.3), (4, 0));
    assert_eq!(corners([[0.1; 3], cube], o, 0.3), (4, 0));
    // Equal boxes turned by 45°: an octagon of crossings. Equal boxes in line: vertex on vertex, four corners.
    assert_eq!(corners([cube, cube], o, std::f64::consts::FRAC_PI_4), (8, 8));
    assert_eq!(corners([cube, cube], o, 0.0), (4, 0));
    // Shifted along an edge: two corners of each. Diagonally: one corner of each and two crossings.
    assert_eq!(corners([cube, cube], Vector3::x() * 0.2, 0.0), (4, 0));
    assert_eq!(corners([cube, cube], Vector3::new(0.2, 0.3, 0.0), 0.0), (4, 2));
    // Along the last edge, edge on edge: its two ends.
    assert_eq!(corners([cube, cube], Vector3::x(), 0.0), (2, 0));
}

/// Boxes that are apart, at any angle: no crossing is nearer than they are.
#[test]
fn eq1_edges_that_pass_on_the_wrong_side_do_not_cross() {
    use carom::geometry::{BodyMotion, Features, Placed, Polytope, manifold, place, separation};
    let mut random = Random(9);
    let (mut crossings, mut apart) = (0, 0);
    for _ in 0..4000 {
        let half = [random.vector(), random.vector()].map(|v| v.map(|x| 0.1 + 0.4 * x.abs()));
        let shapes = half.map(|h| Polytope::cuboid(h.into(), 0.0));
        let turned = |v: Vector3<f64>| Rotation3::new(v * 2.0).into_inner();
        let motions = [Vector3::zeros(), random.vector() * 0.8].map(|r| BodyMotion {
            R: turned(random.vector()),
            r,
            ..BodyMotion::fixed()
        });
        let mut x = [Vec::new(), Vec::new()];
        for k in 0..2 {
            place(&shapes[k], &motions[k], &mut x[k]);
        }
        let [a, b] = [0, 1].map(|k| Placed { shape: &shapes[k], motion: &motions[k], x: &x[k] });
        let nearest = separation(&a, &b, 1e-9, &mut carom::geometry::Search::default());
        if nearest.gap < 0.0 || nearest.gap > 0.1 {
            continue;
        }
        apart += 1;
        let mut found = Vec::new();
        manifold(&a, &b, &nearest, (1e-9, 0.2), &mut found);
        for (features, _) in &found {
            let Features::Edges { a: i, b: j, positive } = *features else { continue };
            let ((xi, di, _), (xj, dj, _)) = (a.edge(i), b.edge(j));
            let h = di.cross(&dj).normalize().dot(&(xj - xi)) * if positive { 1.0 } else { -1.0 };
            crossings += 1;
            assert!(h >= nearest.gap - 1e-8, "{h} {}", nearest.gap);
        }
    }
    assert!(apart > 300 && crossings > 100, "{apart} {crossings}");
}

/// A stone of forty corners that tumbles over a plane: the impacts are those of forty points, each watched for itself.
#[test]
fn many_corners_on_a_plane_are_followed() {
    let mut random = Random(5);
    for round in 0..4 {
        let corners: Vec<_> = (0..40).map(|_| random.vector().normalize() * 0.1).collect();
        let hull = carom::model::Hull::of(&corners).unwrap();
        assert!(hull.corners.len() > 30, "more corners than a pair has sites");
        let spin = random.vector() * 5.0;
        let runs = [true, false].map(|whole| {
            let mut world = World::new();
            let body = world.body(JointKind::Free, cuboid(1.0, [0.06, 0.05, 0.07]));
            let floor = world.incline(0.1);
            let law = surface(0.4, 0.5);
            if whole {
                let shape = Shape::Convex { hull: hull.clone().into(), rounding: 0.01 };
                let shape = world.shape(Some(body), Vector3::zeros(), shape);
                world.touch(floor, shape, law);
            } else {
                for corner in &hull.corners {
                    let ball = world.shape(Some(body), *corner, Shape::Sphere { radius: 0.01 });
                    world.touch(floor, ball, law);
                }
            }
            let model = world.build();
            let mut state = State::neutral(&model);
            state.q[1] = 0.4;
            state.v[0] = 0.7;
            state.v.rows_mut(3, 3).copy_from(&spin);
            run(&model, state, 0.75)
        });
        let [hits, wanted] = runs.each_ref().map(|run| {
            let jumps = run.events().iter().filter(|e| e.kind == EventKind::Impact);
            jumps.map(|e| (e.t, e.energy_lost())).collect::<Vec<_>>()
        });
        assert!(hits.len() >= 4, "round {round}: {hits:?}");
        assert_eq!(hits.len(), wanted.len(), "round {round}: {hits:?} {wanted:?}");
        for (hit, wanted) in hits.iter().zip(&wanted) {
            let near = (hit.0 - wanted.0).abs() < 1e-7 && (hit.1 - wanted.1).abs() < 1e-6;
            assert!(near, "round {round}: {hit:?} {wanted:?}");
        }
        assert_eq!(runs[0].statistics.rescues, [0; Rescue::ALL.len()], "round {round}");
    }
}
