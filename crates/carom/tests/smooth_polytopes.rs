//! Ellipsoids and ellipses against polytopes and each other: gaps by their definition, and motions.
#![allow(non_snake_case)]

mod support;

use carom::contact::{SiteGeometry, polytope_pairs, sites};
use carom::geometry::{BodyMotion, Polytope, Smooth};
use carom::hybrid::{Options, Run, Scheme, Simulation, Stop};
use carom::impact::Newton;
use carom::model::{Feature, Hull, JointKind, Model, Shape};
use carom::spatial::Inertia;
use carom::state::State;
use nalgebra::{Matrix3, Rotation3, Vector3};
use support::Random;
use support::worlds::{World, surface};

fn solid(mass: f64, a: [f64; 3]) -> Inertia {
    let s = a.map(|a| a * a / 5.0);
    let moments = Vector3::new(s[1] + s[2], s[0] + s[2], s[0] + s[1]) * mass;
    Inertia::new(mass, Vector3::zeros(), Matrix3::from_diagonal(&moments)).unwrap()
}

fn run(model: &Model, state: State, until: f64) -> Run {
    let run = Simulation::new(model, state, Newton).options(Options::default()).run_until(until);
    run.unwrap_or_else(|e| panic!("{}", e.0))
}

fn vector(random: &mut Random) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.within(-1.0, 1.0))
}

/// Two free bodies with these shapes, in this order of the pair.
fn pair_of(shapes: [Shape; 2], planar: bool) -> Model {
    let mut world = World::new();
    let kind = if planar { JointKind::Planar } else { JointKind::Free };
    let bodies = [0; 2].map(|_| world.body(kind, solid(1.0, [0.3, 0.2, 0.1])));
    let [a, b] = shapes;
    let a = world.shape(Some(bodies[0]), Vector3::zeros(), a);
    let b = world.shape(Some(bodies[1]), Vector3::zeros(), b);
    world.touch(a, b, surface(0.5, 0.3));
    world.build()
}

fn polytope_shape(random: &mut Random, sort: usize) -> Shape {
    let size = |random: &mut Random| random.within(0.1, 0.8);
    match sort {
        0 => Shape::Box { half_extents: [size(random), size(random), size(random)] },
        1 => Shape::Capsule { radius: 0.1, half_length: size(random) },
        2 => {
            let points: Vec<_> = (0..12).map(|_| vector(random) * 0.6).collect();
            Shape::Convex { hull: Hull::of(&points).unwrap().into(), rounding: 0.05 }
        }
        _ => {
            let corner = |k: usize| [0.6 * (k as f64).cos(), 0.5 * (k as f64).sin()];
            Shape::Polygon { corners: (0..6).map(corner).collect(), rounding: 0.0 }
        }
    }
}

/// How far a point is inside of a rounded polytope, m: of its core by the faces, else by the nearest corner or edge.
fn inside(core: &Polytope, x: &Vector3<f64>) -> f64 {
    if core.dimension == 1 {
        let (p, q) = (core.vertices[0], core.vertices[1]);
        let share = ((x - p).dot(&(q - p)) / (q - p).norm_squared()).clamp(0.0, 1.0);
        return core.radius - (x - p - share * (q - p)).norm();
    }
    let depth = |f: &carom::geometry::Face| f.plane.normal.dot(&(core.vertices[f.corners[0]] - x));
    core.faces.iter().map(depth).fold(f64::INFINITY, f64::min)
}

/// The gap lies between what the direction n separates and the distance of two points of the shapes: both are equal, so
/// that it is the distance. Neither is how it was found.
#[test]
fn the_gap_is_the_distance() {
    let mut random = Random::new(5);
    for sort in 0..4 {
        let planar = sort == 3;
        let mut done = 0;
        while done < 1000 {
            let semi = [0; 3].map(|_| random.within(0.1, 0.7));
            let round = match planar {
                true => Shape::Ellipse { semi_axes: [semi[0], semi[1]] },
                false => Shape::Ellipsoid { semi_axes: semi },
            };
            let model = pair_of([polytope_shape(&mut random, sort), round], planar);
            let sites = sites(&model);
            let mut pair = polytope_pairs(&model, &sites).remove(0);
            let flat = |v: Vector3<f64>| if planar { Vector3::new(v.x, v.y, 0.0) } else { v };
            let turn = |v: Vector3<f64>| if planar { Vector3::z() * v.z } else { v } * 3.0;
            let [a, b] = [0; 2].map(|_| BodyMotion {
                R: *Rotation3::new(turn(vector(&mut random))).matrix(),
                r: flat(vector(&mut random)) * 1.5,
                ..BodyMotion::fixed()
            });
            let now = pair.separation(&a, &b);
            if now.gap <= 1e-3 {
                continue;
            }
            done += 1;
            let geometry = pair.geometry(Some(now.features));
            let smooth: Smooth = pair.smooth.unwrap();
            let core = &pair.shapes[0];
            let (n, points) = match &geometry {
                SiteGeometry::Smooth { pair, .. } => {
                    let (gap, n, points) = pair.nearest(&a, &b);
                    assert!((gap - now.gap).abs() < 1e-13);
                    (n, points)
                }
                SiteGeometry::OnPlane { plane, .. } => {
                    let n = a.R * plane.normal;
                    let x = smooth.support(&b, &-n);
                    (n, [x - now.gap * n, x])
                }
                _ => panic!("{geometry:?}"),
            };
            // Separated by n: highest corner of A, lowest point of B by sampling its support.
            let top = core.vertices.iter().map(|x| n.dot(&a.place(x))).fold(f64::MIN, f64::max);
            let low = n.dot(&smooth.support(&b, &-n));
            let s = low - top - core.radius;
            assert!((s - now.gap).abs() < 1e-9, "sort {sort}: {s} {}", now.gap);
            // The points belong to the shapes, and are this far apart.
            let local = a.R.tr_mul(&(points[0] - core.radius * n - a.r));
            let depth = match core.dimension {
                1 => inside(core, &local) - core.radius,
                _ => inside(core, &local),
            };
            assert!(depth > -1e-9, "sort {sort}: {depth}");
            assert!(((points[1] - points[0]).norm() - now.gap).abs() < 1e-9);
            // The same from nothing known before, and with the shapes exchanged.
            let mut swapped = PairGap::new(&model, [1, 0]);
            assert!((swapped.gap(&b, &a) - now.gap).abs() < 1e-9, "sort {sort}");
        }
    }
}

/// The same pair built in the other order.
struct PairGap {
    pair: carom::contact::PolytopePair,
}

impl PairGap {
    fn new(model: &Model, order: [usize; 2]) -> Self {
        let features: Vec<Feature> = order
            .map(|k| model.feature([model.pairs()[0].a, model.pairs()[0].b][k]).clone())
            .into();
        let shapes = [features[0].shape.clone(), features[1].shape.clone()];
        let planar = carom::model::moves_in_plane(model);
        let model = pair_of(shapes, planar);
        Self { pair: polytope_pairs(&model, &sites(&model)).remove(0) }
    }

    fn gap(&mut self, first: &BodyMotion, second: &BodyMotion) -> f64 {
        // The polytope comes first whatever the order.
        self.pair.separation(second, first).gap
    }
}

/// Gap and rate along a motion over face, edge and corner are those of differences, and continuous.
#[test]
fn gaps_go_on_over_edges_and_corners() {
    for planar in [true, false] {
        let round = match planar {
            true => Shape::Ellipse { semi_axes: [0.2, 0.1] },
            false => Shape::Ellipsoid { semi_axes: [0.2, 0.1, 0.15] },
        };
        let model = pair_of([Shape::Box { half_extents: [0.3; 3] }, round], planar);
        let mut pair = polytope_pairs(&model, &sites(&model)).remove(0);
        let path = |t: f64| BodyMotion {
            R: *Rotation3::new(Vector3::z() * (0.4 * t)).matrix(),
            r: Vector3::new(t, 0.55 + 0.1 * t, if planar { 0.0 } else { 0.8 * t }),
            w: Vector3::z() * 0.4,
            v: Vector3::new(1.0, 0.1, if planar { 0.0 } else { 0.8 }),
            ..BodyMotion::fixed()
        };
        let a = BodyMotion::fixed();
        let mut sorts = std::collections::BTreeSet::new();
        let mut before: Option<f64> = None;
        for k in 0..2000 {
            let t = -1.0 + k as f64 * 1e-3;
            let now = pair.separation(&a, &path(t));
            sorts.insert(format!("{:?}", now.features));
            let rate = pair.approach(now.features, &a, &path(t)).rate;
            if let Some(before) = before {
                assert!((now.gap - before).abs() < 1.6e-3, "{t}: {} {before}", now.gap);
            }
            before = Some(now.gap);
            let h = 1e-5;
            let [up, down] = [h, -h].map(|h| pair.separation(&a, &path(t + h)).gap);
            assert!(((up - down) / (2.0 * h) - rate).abs() < 1e-4, "{t}: {rate}");
        }
        assert!(sorts.len() >= 3, "{sorts:?}");
    }
}

/// An ellipsoid on a large fixed box moves as on a plane.
#[test]
fn a_box_is_a_plane_to_an_ellipsoid() {
    for planar in [true, false] {
        let fall = |on_box: bool, exchanged: bool| {
            let mut world = World::new();
            let semi = [0.1, 0.06, 0.08];
            let kind = if planar { JointKind::Planar } else { JointKind::Free };
            let body = world.body(kind, solid(1.0, semi));
            let shape = match planar {
                true => Shape::Ellipse { semi_axes: [semi[0], semi[1]] },
                false => Shape::Ellipsoid { semi_axes: semi },
            };
            let feature = world.shape(Some(body), Vector3::zeros(), shape);
            let ground = if on_box {
                let table = Shape::Box { half_extents: [5.0, 0.5, 5.0] };
                world.shape(None, Vector3::new(0.0, -0.5, 0.0), table)
            } else {
                world.incline(0.0)
            };
            let [a, b] = if exchanged { [feature, ground] } else { [ground, feature] };
            world.touch(a, b, surface(0.5, 0.3));
            let model = world.build();
            let mut state = State::neutral(&model);
            state.q[1] = 0.3;
            if planar {
                state.q[2] = 0.4;
            } else {
                let q = nalgebra::UnitQuaternion::new(Vector3::new(0.3, 0.2, 0.4));
                state.q.rows_mut(3, 4).copy_from_slice(&[q.w, q.i, q.j, q.k]);
            }
            run(&model, state, 0.6)
        };
        let plane = fall(false, false);
        for exchanged in [false, true] {
            let other = fall(true, exchanged);
            // Bounces too low to follow end by the size of the numbers, which is that of the box; those before are the same.
            let impacts = |run: &Run| -> Vec<f64> {
                run.events().iter().filter(|e| e.kind.is_jump()).map(|e| e.t).take(8).collect()
            };
            let (here, there) = (impacts(&other), impacts(&plane));
            assert!(here.len() == 8 && there.len() == 8);
            let off = here.iter().zip(&there).map(|(t, u)| (t - u).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "planar {planar}, exchanged {exchanged}: {off}");
            let off = (&other.state.q - &plane.state.q).amax();
            assert!(off < 1e-6, "planar {planar}, exchanged {exchanged}: {off}");
            assert!(other.ledger.closure().abs() < 1e-8);
        }
    }
}

/// Ellipsoids, a ball, a capsule and a box in flight hit each other: momentum is kept, energy is not gained, nothing overlaps.
#[test]
fn hits_in_flight() {
    let others = [
        Shape::Ellipsoid { semi_axes: [0.1, 0.2, 0.15] },
        Shape::Sphere { radius: 0.1 },
        Shape::Capsule { radius: 0.05, half_length: 0.1 },
        Shape::Box { half_extents: [0.1, 0.12, 0.08] },
        Shape::Ellipse { semi_axes: [0.1, 0.2] },
        Shape::Polygon { corners: [[-0.1, -0.1], [0.15, -0.05], [0.0, 0.2]].into(), rounding: 0.0 },
        Shape::Disk { radius: 0.1 },
    ];
    for (k, other) in others.into_iter().enumerate() {
        let planar = k >= 4;
        let round = match planar {
            true => Shape::Ellipse { semi_axes: [0.2, 0.08] },
            false => Shape::Ellipsoid { semi_axes: [0.2, 0.1, 0.08] },
        };
        let mut world = World::new();
        let kind = if planar { JointKind::Planar } else { JointKind::Free };
        let bodies = [0; 2].map(|_| world.body(kind, solid(1.0, [0.2, 0.1, 0.1])));
        let a = world.shape(Some(bodies[0]), Vector3::zeros(), round);
        let b = world.shape(Some(bodies[1]), Vector3::zeros(), other.clone());
        world.touch(a, b, surface(0.8, 0.3));
        world.builder.gravity(Vector3::zeros()).unwrap();
        let model = world.build();
        let (nq, nv) = (model.nq() / 2, model.nv() / 2);
        for speed in [1.0, 1e3] {
            let mut state = State::neutral(&model);
            state.q[nq] = 1.0;
            state.q[nq + 1] = 0.03;
            state.v[nv] = -speed;
            state.v[nv - 1] = 0.7 * speed;
            let start = state.clone();
            let done = run(&model, state, 2.0 / speed);
            assert_eq!(done.stop, Stop::ReachedEnd);
            assert!(done.statistics.impacts >= 1, "{other:?} at {speed} m/s");
            assert!(done.statistics.worst_gap > -1e-9, "{other:?}: {}", done.statistics.worst_gap);
            for i in 0..2 {
                let sum = |v: &State| v.v[i] + v.v[nv + i];
                assert!((sum(&done.state) - sum(&start)).abs() < 1e-9 * speed, "{other:?}");
            }
            let scale = speed * speed;
            assert!(done.ledger.closure().abs() < 1e-9 * scale, "{other:?}");
            assert!(done.statistics.worst_gain <= 1e-9 * scale);
        }
    }
}

/// An ellipsoid that rolls off a table passes from face to edge to air with its energy, and rests in the end on the floor.
#[test]
fn an_ellipsoid_rolls_off_a_table() {
    let mut world = World::new();
    let semi = [0.1, 0.08, 0.09];
    let body = world.body(JointKind::Free, solid(1.0, semi));
    let round = world.shape(Some(body), Vector3::zeros(), Shape::Ellipsoid { semi_axes: semi });
    let table = Shape::Box { half_extents: [0.3, 0.1, 0.3] };
    let table = world.shape(None, Vector3::new(0.0, 0.4, 0.0), table);
    let floor = world.incline(0.0);
    world.touch(table, round, surface(0.2, 0.6));
    world.touch(floor, round, surface(0.2, 0.6));
    let model = world.build();
    let mut state = State::neutral(&model);
    state.q[1] = 0.5 + 0.08;
    state.v[0] = 1.0;
    state.v[5] = -1.0 / 0.08;
    let done = run(&model, state, 1.5);
    assert_eq!(done.stop, Stop::ReachedEnd);
    assert!(done.state.q[0] > 0.35 && done.state.q[1] < 0.11, "{}", done.state.q);
    assert!(done.ledger.closure().abs() < 1e-7, "{}", done.ledger.closure());
    assert!(done.statistics.worst_gap > -1e-8, "{}", done.statistics.worst_gap);
}

/// What has no thickness in space, or no section in the plane, is refused by name.
#[test]
fn shapes_without_thickness_and_without_a_section_are_refused() {
    let refused = |a: Shape, b: Shape, planar: bool| {
        let mut world = World::new();
        let kind = if planar { JointKind::Planar } else { JointKind::Free };
        let body = world.body(kind, solid(1.0, [0.1; 3]));
        let a = world.shape(Some(body), Vector3::zeros(), a);
        let b = world.shape(None, Vector3::zeros(), b);
        world
            .builder
            .add_pair("pair", a, b, surface(0.0, 0.0))
            .map(|_| ())
            .and_then(|()| world.builder.build().map(|_| ()))
    };
    let cube = || Shape::Box { half_extents: [0.1; 3] };
    let flat = Shape::Ellipse { semi_axes: [0.1, 0.2] };
    assert!(refused(flat.clone(), cube(), false).is_ok());
    for thin in
        [Shape::Disk { radius: 0.1 }, Shape::Point, Shape::Box { half_extents: [0.1, 0.0, 0.0] }]
    {
        let error = refused(flat.clone(), thin, false).unwrap_err();
        assert!(error.to_string().contains("no thickness"), "{error}");
    }
    let ellipsoid = Shape::Ellipsoid { semi_axes: [0.1, 0.2, 0.3] };
    let error = refused(ellipsoid.clone(), cube(), true).unwrap_err();
    assert!(error.to_string().contains("no contact between ellipsoid and box"), "{error}");
    assert!(refused(ellipsoid, cube(), false).is_ok());
}

/// Ellipsoids that fall on each other among bodies with clocks of their own: the same events as without the others, and
/// time steps come as near as their length lets them.
#[test]
fn clocks_and_time_steps_know_ellipsoids() {
    let world = |others: usize| {
        let mut world = World::new();
        let semi = [0.1, 0.08, 0.06];
        let floor = world.incline(0.0);
        let mut features = Vec::new();
        for _ in 0..2 + others {
            let body = world.body(JointKind::Free, solid(1.0, semi));
            let shape = Shape::Ellipsoid { semi_axes: semi };
            features.push(world.shape(Some(body), Vector3::zeros(), shape));
        }
        for (i, &a) in features.iter().enumerate() {
            world.touch(floor, a, surface(0.5, 0.0));
            for &b in &features[i + 1..] {
                world.touch(a, b, surface(0.5, 0.0));
            }
        }
        let model = world.build();
        let mut state = State::neutral(&model);
        for k in 0..2 + others {
            // The first two one above the other, a little beside; the others far away.
            let (x, y) =
                if k < 2 { (0.01 * k as f64, 0.1 + 0.2 * k as f64) } else { (k as f64, 0.3) };
            state.q[7 * k] = x;
            state.q[7 * k + 1] = y;
        }
        (model, state)
    };
    let (model, state) = world(0);
    let alone = run(&model, state.clone(), 0.5);
    assert!(alone.statistics.impacts > 4);
    let (larger, start) = world(2);
    let among = run(&larger, start, 0.5);
    let off = (among.state.q.rows(0, 14) - alone.state.q.rows(0, 14)).amax();
    assert!(off < 1e-9, "{off}");
    let stepped = |step: f64| {
        let options = Options { scheme: Scheme::Moreau { step }, ..Options::default() };
        // Before the second hit, where errors of events only add up.
        let run = Simulation::new(&model, state.clone(), Newton).options(options).run_until(0.15);
        run.unwrap_or_else(|e| panic!("{}", e.0)).state.q
    };
    let exact = run(&model, state.clone(), 0.15).state.q;
    let off = [1e-3, 1e-4].map(|step| (stepped(step) - &exact).amax());
    assert!(off[0] < 2e-3 && off[1] < 3e-4, "{off:?}");
}
