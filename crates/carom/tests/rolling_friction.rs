//! Rolling and spinning friction: closed forms.
#![allow(non_snake_case)]

mod support;

use carom::contact::moment::moment_state;
use carom::contact::{SiteGeometry, site_state, sites};
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::{Kinematics, integrate, kinematics};
use carom::geometry::{Line, LinePair, LinePoint, Smooth, SmoothPair};
use carom::hybrid::{Options, Run, Simulation};
use carom::impact::Newton;
use carom::model::{
    Feature, Joint, JointKind, Model, ModelBuilder, ModelError, Resistance, Shape, Surface, Terrain,
};
use carom::record::EventKind;
use carom::spatial::{Inertia, Pose};
use carom::state::State;
use nalgebra::{Matrix3, Vector3};
use support::{Random, random_state};

const RTOL: f64 = 1e-11;
const G: f64 = 9.81;
const MASS: f64 = 0.7;
const RADIUS: f64 = 0.05;
/// 2/5 m r².
const MOMENT: f64 = 0.4 * MASS * RADIUS * RADIUS;

fn ball_inertia() -> Inertia {
    Inertia::new(MASS, Vector3::zeros(), Matrix3::identity() * MOMENT).unwrap()
}

/// A ball on the floor z = 0 (or, planar, a ball rolling along x on y = 0), gravity leaning by `slope` along x.
fn ball(planar: bool, friction: f64, by: Resistance, slope: f64) -> Model {
    let up = if planar { Vector3::y_axis() } else { Vector3::z_axis() };
    let floor = (Shape::HalfSpace { normal: up }, Pose::identity());
    on_floor(
        (Shape::Sphere { radius: RADIUS }, ball_inertia()),
        floor,
        planar,
        (friction, by),
        slope,
    )
}

/// The same of another shape on another floor.
fn on_floor(
    (shape, inertia): (Shape, Inertia),
    (floor, at): (Shape, Pose),
    planar: bool,
    (friction, by): (f64, Resistance),
    slope: f64,
) -> Model {
    let mut builder = ModelBuilder::new();
    let up = if planar { Vector3::y_axis() } else { Vector3::z_axis() };
    let gravity = Vector3::x() * slope.sin() - up.into_inner() * slope.cos();
    builder.gravity(gravity * G).unwrap();
    let kind = if planar { JointKind::Planar } else { JointKind::Free };
    let joint = Joint::new("ball", kind, Pose::translation(up.into_inner() * RADIUS));
    let body = builder.add_body("ball", None, joint, inertia).unwrap();
    let placement = Pose::identity();
    let floor = builder.add_feature(Feature {
        name: "floor".into(),
        body: None,
        placement: at,
        shape: floor,
    });
    let sphere =
        builder.add_feature(Feature { name: "sphere".into(), body: Some(body), placement, shape });
    let surface = Surface { restitution: 0.5, static_friction: friction, friction };
    let pair = builder.add_pair("ball", floor.unwrap(), sphere.unwrap(), surface).unwrap();
    builder.set_resistance(pair, by).unwrap();
    builder.build().unwrap()
}

fn run(model: &Model, v: &[f64], until: f64) -> Run {
    let mut state = State::neutral(model);
    state.v.copy_from_slice(v);
    let options = Options { rtol: RTOL, ..Options::default() };
    Simulation::new(model, state, Newton).options(options).run_until(until).expect("runs")
}

#[test]
fn eq3_a_ball_stops_where_it_must() {
    // About the point of contact (m r² + I) α = −μr m g.
    let rolling = 2e-3;
    let slows = rolling * MASS * G * RADIUS / (MASS * RADIUS * RADIUS + MOMENT);
    let by = Resistance { rolling, spinning: 0.0 };
    let speed = 0.6;
    let (time, way) = (speed / slows, speed * speed / (2.0 * slows));
    let planar = run(&ball(true, 0.4, by, 0.0), &[speed, 0.0, -speed / RADIUS], 10.0);
    assert!((planar.state.q[0] - way).abs() < 1e-9, "{} for {way}", planar.state.q[0]);
    let stop = planar.events().iter().find(|e| e.kind == EventKind::SlipStop).expect("stops");
    assert!((stop.t - time).abs() < 1e-9);
    assert_eq!(planar.events().last().map(|e| e.kind), Some(EventKind::Rest));
    // In space, along a direction of its own.
    let (c, s) = (0.6, 0.8);
    let turn = [-s * speed / RADIUS, c * speed / RADIUS];
    let v = [c * speed, s * speed, 0.0, turn[0], turn[1], 0.0];
    let space = run(&ball(false, 0.4, by, 0.0), &v, 10.0);
    assert!((space.state.q[0] - c * way).abs() < 1e-8, "{} for {}", space.state.q[0], c * way);
    assert!((space.state.q[1] - s * way).abs() < 1e-8);
    for run in [&planar, &space] {
        let energy = 0.5 * (MASS * speed * speed + MOMENT * (speed / RADIUS).powi(2));
        assert!((run.energy_lost() - energy).abs() < 1e-9 && run.ledger.closure().abs() < 1e-10);
        // All of it by the moment: the contact itself sticks.
        assert!((run.ledger.sites[1].sliding + energy).abs() < 1e-9);
        assert_eq!(run.statistics.rescues.iter().sum::<u64>(), 0);
    }
}

/// A flat mesh of 200 triangles and a line of 10 segments stop a ball where a plane does, in the same time and with the same loss.
#[test]
fn eq3_flat_ground_is_a_plane() {
    let rolling = 2e-3;
    let by = Resistance { rolling, spinning: 0.0 };
    let slows = rolling * MASS * G * RADIUS / (MASS * RADIUS * RADIUS + MOMENT);
    let speed = 0.3;
    let (time, way) = (speed / slows, speed * speed / (2.0 * slows));
    let at = |k: usize| -0.5 + 0.21 * k as f64;
    let points: Vec<_> = (0..121).map(|k| Vector3::new(at(k % 11), at(k / 11), 0.0)).collect();
    let cells = (0..120).filter(|k| k % 11 < 10 && k / 11 < 10);
    let cell = |k: usize| [[k, k + 1, k + 12], [k, k + 12, k + 11]];
    let triangles: Vec<_> = cells.flat_map(cell).collect();
    let mesh = Terrain::new(&points, &triangles).unwrap();
    let line: Vec<_> = (0..11).map(|k| [at(k), 0.0]).collect();
    let line = Terrain::line(&line).unwrap();
    for (ground, planar) in [(line, true), (mesh, false)] {
        let floor = (Shape::Terrain { ground: ground.into() }, Pose::identity());
        let sphere = (Shape::Sphere { radius: RADIUS }, ball_inertia());
        let model = on_floor(sphere, floor, planar, (0.4, by), 0.0);
        let (c, s) = if planar { (1.0, 0.0) } else { (0.8, 0.6) };
        let v = match planar {
            true => vec![speed, 0.0, -speed / RADIUS],
            false => {
                let turn = [-s * speed / RADIUS, c * speed / RADIUS];
                vec![c * speed, s * speed, 0.0, turn[0], turn[1], 0.0]
            }
        };
        let run = run(&model, &v, 10.0);
        let found = [run.state.q[0] - c * way, if planar { 0.0 } else { run.state.q[1] - s * way }];
        assert!(found.iter().all(|x| x.abs() < 1e-8), "{found:?} of {way}");
        let stop = run.events().iter().find(|e| e.kind == EventKind::SlipStop).expect("stops");
        assert!((stop.t - time).abs() < 1e-8, "{} for {time}", stop.t);
        let energy = 0.5 * (MASS * speed * speed + MOMENT * (speed / RADIUS).powi(2));
        assert!((run.energy_lost() - energy).abs() < 1e-9 && run.ledger.closure().abs() < 1e-10);
        assert_eq!(run.statistics.rescues.iter().sum::<u64>(), 0);
    }
}

/// A cylinder on its side has two sites, which carry half of its weight each: (m r² + I) α = −μr m g all the same.
#[test]
fn eq3_a_rolling_cylinder_stops_where_it_must() {
    let rolling = 2e-3;
    let by = Resistance { rolling, spinning: 0.0 };
    let along = 0.5 * MASS * RADIUS * RADIUS;
    let across = MASS * (RADIUS * RADIUS / 4.0 + 0.04 * 0.04 / 12.0);
    let moments = Matrix3::from_diagonal(&Vector3::new(across, along, across));
    let inertia = Inertia::new(MASS, Vector3::zeros(), moments).unwrap();
    let box_floor = Shape::Box { half_extents: [2.0, 2.0, 0.5] };
    let plane = Shape::HalfSpace { normal: Vector3::z_axis() };
    for (floor, at) in [(plane, 0.0), (box_floor, -0.5)] {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vector3::z() * -G).unwrap();
        let joint = Joint::new("can", JointKind::Free, Pose::translation(Vector3::z() * RADIUS));
        let body = builder.add_body("can", None, joint, inertia).unwrap();
        let shape = Shape::Cylinder { radius: RADIUS, half_length: 0.02 };
        let quarter = carom::spatial::rotation::exp(&(Vector3::x() * std::f64::consts::FRAC_PI_2));
        let placement = Pose::rotation(quarter);
        let can = Feature { name: "can".into(), body: Some(body), placement, shape };
        let placement = Pose::translation(Vector3::z() * at);
        let floor = Feature { name: "floor".into(), body: None, placement, shape: floor };
        let (can, floor) = (builder.add_feature(can).unwrap(), builder.add_feature(floor).unwrap());
        let surface = Surface { restitution: 0.0, static_friction: 0.4, friction: 0.4 };
        let pair = builder.add_pair("can", floor, can, surface).unwrap();
        builder.set_resistance(pair, by).unwrap();
        let model = builder.build().unwrap();
        let speed = 0.3;
        let slows = rolling * MASS * G * RADIUS / (MASS * RADIUS * RADIUS + along);
        let run = run(&model, &[speed, 0.0, 0.0, 0.0, speed / RADIUS, 0.0], 6.0);
        let way = speed * speed / (2.0 * slows);
        assert!((run.state.q[0] - way).abs() < 1e-8, "{} for {way}", run.state.q[0]);
        assert!(run.ledger.closure().abs() < 1e-10);
    }
}

/// A ball rolls off a terrace: on the face and around its edge the moment acts on, and nothing else dissipates.
#[test]
fn rolling_friction_goes_with_its_site_from_face_to_edge() {
    let by = Resistance { rolling: 1e-3, spinning: 0.0 };
    let corner = |x: f64, z: f64| [-1.0, 1.0].map(|y| Vector3::new(x, y, z));
    let points: Vec<_> =
        [corner(-1.0, 0.0), corner(0.05, 0.0), corner(0.05, -1.0)].into_iter().flatten().collect();
    let triangles = [[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3]];
    let ground = Terrain::new(&points, &triangles).unwrap();
    let table = (Shape::Terrain { ground: ground.into() }, Pose::identity());
    let sphere = (Shape::Sphere { radius: RADIUS }, ball_inertia());
    let model = on_floor(sphere, table, false, (5.0, by), 0.0);
    let speed: f64 = 0.2;
    let run = run(&model, &[speed, 0.0, 0.0, 0.0, speed / RADIUS, 0.0], 0.6);
    let slid: f64 = run.ledger.sites.iter().map(|site| site.sliding).sum();
    assert!(run.ledger.closure().abs() < 1e-10);
    assert!(run.state.q[2] < 0.0, "it is over the edge");
    // μr m g x/r on the face; around the edge, where it presses less and less, it turns by less than 1 rad.
    let face = 1e-3 * MASS * G * 0.05 / RADIUS;
    assert!(-slid > face + 1e-5 && -slid < face + 1e-3 * MASS * G, "{slid} {face}");
    let stops = |e: &&carom::record::Event| matches!(e.kind, EventKind::SlipStop);
    assert_eq!(run.events().iter().filter(stops).count(), 0);
}

/// A brick slides off a table, turned a little: its corners give way to crossings of edges, and friction never acts alone.
#[test]
fn rolling_friction_ends_with_its_site() {
    let by = Resistance { rolling: 1e-4, spinning: 1e-4 };
    let half = Vector3::new(0.1, 0.07, RADIUS);
    let moments = half.map(|h| h * h / 3.0 * MASS);
    let moments = Matrix3::from_diagonal(&moments.map(|m| moments.sum() - m));
    let inertia = Inertia::new(MASS, Vector3::zeros(), moments).unwrap();
    let brick = (Shape::Box { half_extents: half.into() }, inertia);
    let table =
        (Shape::Box { half_extents: [0.5; 3] }, Pose::translation(Vector3::new(-0.4, 0.0, -0.5)));
    let model = on_floor(brick, table, false, (0.1, by), 0.0);
    let run = run(&model, &[1.0, 0.1, 0.0, 0.0, 0.0, 2.0], 0.35);
    assert!(run.state.q[2] < 0.0, "it tips over the edge");
    assert!(run.ledger.closure().abs() < 1e-9);
    let all = sites(&model);
    let mut changed = 0;
    for modes in &run.recording.modes {
        let alone = |k: usize| {
            let of = all[k].follows()?;
            (modes[k].is_closed() != modes[of].is_closed()).then_some(&all[k].name)
        };
        assert_eq!((0..all.len()).find_map(alone), None, "not with its site");
        changed += usize::from(modes[..4] != run.recording.modes[0][..4]);
    }
    assert!(changed > 0);
}

#[test]
fn eq3_a_spinning_ball_stops_when_it_must() {
    let (spinning, spin) = (1.5e-3, 20.0);
    let model = ball(false, 0.4, Resistance { rolling: 0.0, spinning }, 0.0);
    let found = run(&model, &[0.0, 0.0, 0.0, 0.0, 0.0, spin], 5.0);
    let time = MOMENT * spin / (spinning * MASS * G);
    let stop = found.events().iter().find(|e| e.kind == EventKind::SlipStop).expect("stops");
    assert!((stop.t - time).abs() < 1e-9, "{} for {time}", stop.t);
    assert!(found.state.v.amax() == 0.0 && found.ledger.closure().abs() < 1e-10);
}

#[test]
fn rolling_friction_holds_a_ball_on_a_slope() {
    // It rolls where tan α > μr/r, and then accelerates by (g sin α − μr g cos α/r)/(1 + 2/5).
    let rolling = 4e-3;
    let by = Resistance { rolling, spinning: 0.0 };
    let critical = (rolling / RADIUS).atan();
    for planar in [true, false] {
        let n = if planar { 3 } else { 6 };
        let held = run(&ball(planar, 0.5, by, 0.99 * critical), &vec![0.0; n], 1.0);
        assert!(held.state.v.amax() == 0.0);
        let slope = 1.5 * critical;
        let moved = run(&ball(planar, 0.5, by, slope), &vec![0.0; n], 1.0);
        let a = (G * slope.sin() - rolling * G * slope.cos() / RADIUS) / 1.4;
        assert!((moved.state.v[0] - a).abs() < 1e-9, "{} for {a}", moved.state.v[0]);
    }
}

#[test]
fn a_sliding_ball_comes_to_roll_and_stops() {
    // Slides while v > ω r: v̇ = −μ g, I ω̇ = μ m g r − μr m g; then rolls and slows as above.
    let (mu, rolling, speed) = (0.3, 2e-3, 1.0);
    let by = Resistance { rolling, spinning: 0.0 };
    let run = run(&ball(true, mu, by, 0.0), &[speed, 0.0, 0.0], 10.0);
    // From rest the turn starts in the direction of friction, against which the moment acts.
    let alpha = (mu * MASS * G * RADIUS - rolling * MASS * G) / MOMENT;
    let time = speed / (mu * G + alpha * RADIUS);
    let rolls = run
        .events()
        .iter()
        .find(|e| e.kind == EventKind::SlipStop && e.contacts.iter().any(|c| c.site == 0));
    let rolls = rolls.expect("rolls");
    assert!((rolls.t - time).abs() < 1e-9, "{} for {time}", rolls.t);
    let v = speed - mu * G * time;
    let slows = rolling * MASS * G * RADIUS / (MASS * RADIUS * RADIUS + MOMENT);
    let way = speed * time - 0.5 * mu * G * time * time + v * v / (2.0 * slows);
    assert!((run.state.q[0] - way).abs() < 1e-8);
}

#[test]
fn impacts_are_as_without() {
    let by = Resistance { rolling: 5e-3, spinning: 5e-3 };
    let hit = |by: Resistance| {
        let model = ball(false, 0.4, by, 0.0);
        let mut state = State::neutral(&model);
        state.q[2] = 0.1;
        state.v.copy_from_slice(&[0.5, 0.2, 0.0, 3.0, -1.0, 7.0]);
        let options = Options { rtol: RTOL, ..Options::default() };
        let run = Simulation::new(&model, state, Newton).options(options).run_until(2.0);
        run.expect("runs")
    };
    let (with, without) = (hit(by), hit(Resistance::default()));
    let first = |run: &Run| run.events().iter().find(|e| e.kind == EventKind::Impact).cloned();
    assert_eq!(first(&with).unwrap().v_post, first(&without).unwrap().v_post);
    assert!(with.ledger.closure().abs() < 1e-9 && with.state.v.amax() < without.state.v.amax());
}

#[test]
fn eq2_rates_from_differences() {
    // A ball on a ball, both free, and a ball on a plane that turns; edges, corners and smooth shapes.
    for (seed, sort) in (0..20).flat_map(|seed| (0..5).map(move |sort| (seed, sort))) {
        let on_plane = sort == 1;
        let mut random = Random::new(seed);
        let mut builder = ModelBuilder::new();
        let mut body = |name: &str, shape| {
            let joint = Joint::new(name, JointKind::Free, Pose::identity());
            let body = builder.add_body(name, None, joint, random.inertia()).unwrap();
            let placement = Pose::translation(random.vector());
            let feature = Feature { name: name.into(), body: Some(body), placement, shape };
            builder.add_feature(feature).unwrap()
        };
        let first = match on_plane {
            true => Shape::HalfSpace { normal: Vector3::z_axis() },
            false => Shape::Sphere { radius: 0.1 },
        };
        let (a, b) = (body("a", first), body("b", Shape::Sphere { radius: 0.2 }));
        let surface = Surface { restitution: 0.0, static_friction: 0.3, friction: 0.3 };
        let pair = builder.add_pair("ab", a, b, surface).unwrap();
        builder.set_resistance(pair, Resistance { rolling: 0.01, spinning: 0.02 }).unwrap();
        let model = builder.build().unwrap();
        let mut all = sites(&model);
        let (a_body, b_body) = all[0].bodies();
        let mut line = |radius| {
            let (start, along) = (random.vector(), random.vector().normalize());
            Line { start, along, radius }
        };
        let (first, second) = (line(0.1), line(0.2));
        let smooth = |center, semi_axes: [f64; 3]| Smooth {
            semi_axes: semi_axes.into(),
            ..Smooth::ball(center, 0.0)
        };
        match sort {
            2 => {
                let lines = LinePair { a: first, b: second, side: 1.0 };
                all[0].geometry = SiteGeometry::Lines { a_body, b_body, lines };
            }
            3 => {
                let pair = LinePoint { line: first, point: second.start, radius: 0.2 };
                all[0].geometry =
                    SiteGeometry::LinePoint { line_body: b_body, point_body: a_body, pair };
            }
            4 => {
                let a = smooth(first.start, [0.1, 0.2, 0.15]);
                let b = smooth(second.start, [0.3, 0.2, 0.25]);
                let pair = SmoothPair { a, b, edge: None, planar: false };
                all[0].geometry = SiteGeometry::Smooth { a_body, b_body, pair };
            }
            _ => {}
        }
        let state = random_state(&mut random, &model);
        let v = state.v.as_slice();
        let at = |h: f64, site: usize| {
            let w: Vec<f64> = v.iter().map(|v| v * h).collect();
            let mut q = vec![0.0; model.nq()];
            integrate::step(&model, state.q.as_slice(), &w, &mut q);
            let mut kin = Kinematics::new(&model);
            let mut products = VelocityProducts::new(&model);
            kinematics(&model, &q, v, &mut kin);
            velocity_products(&model, &kin, &mut products);
            let known = (&kin, &products);
            let leader = site_state(&model, &all[0], known, (&q, v));
            moment_state(&model, (&all[site], (&all[0], &leader)), known)
        };
        let h = 1e-4;
        // The tangents may turn about the normal, so that only lengths can be compared: ½ d|u|²/dt = u·γ.
        for site in [1, 2] {
            let square = |s: f64| {
                let u = at(s * h, site).u;
                0.5 * (u[0] * u[0] + u[1] * u[1])
            };
            let slope =
                (8.0 * (square(1.0) - square(-1.0)) - (square(2.0) - square(-2.0))) / (12.0 * h);
            let now = at(0.0, site);
            let exact = now.u[0] * now.gamma[0] + now.u[1] * now.gamma[1];
            let size = 1.0 + v.iter().fold(0.0_f64, |m, v| m.max(v.abs())).powi(3);
            assert!((slope - exact).abs() < 1e-8 * size, "{sort}: {slope} {exact}");
        }
    }
}

#[test]
fn a_negative_rolling_friction_is_refused() {
    let mut builder = ModelBuilder::new();
    let joint = Joint::new("b", JointKind::Free, Pose::identity());
    let body = builder.add_body("b", None, joint, ball_inertia()).unwrap();
    let placement = Pose::identity();
    let floor = Shape::HalfSpace { normal: Vector3::z_axis() };
    let floor = Feature { name: "floor".into(), body: None, placement, shape: floor };
    let floor = builder.add_feature(floor).unwrap();
    let shape = Shape::Sphere { radius: 0.1 };
    let ball = Feature { name: "ball".into(), body: Some(body), placement, shape };
    let ball = builder.add_feature(ball).unwrap();
    let surface = Surface { restitution: 0.0, static_friction: 0.3, friction: 0.3 };
    let pair = builder.add_pair("b", floor, ball, surface).unwrap();
    let refused = builder.set_resistance(pair, Resistance { rolling: -1.0, spinning: 0.0 });
    assert!(matches!(refused, Err(ModelError::Range { field: "rolling friction", .. })));
}
