//! Every pair of shapes that may touch, at random places: the gap is the distance, its derivatives are those of differences
//! along smooth motions, and the order of the pair does not matter.
//!
//! The distance is certified from both sides: two points of the shapes are no farther apart than the gap, and the planes
//! across the normal at them separate the shapes by no less. Support functions and insides are written here, from the
//! definition of each shape.
#![allow(non_snake_case)]

mod support;

use carom::contact::site_state::state_between;
use carom::contact::{PolytopePair, Site, SiteGeometry, SiteState, polytope_pairs, sites};
use carom::geometry::BodyMotion;
use carom::model::{Hull, JointKind, Model, Shape, moves_in_plane};
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use support::Random;
use support::worlds::{World, planar_inertia, surface};

/// Configurations of each pair.
const COUNT: usize = 1000;

/// Shapes of space and of the plane, as scenes declare them.
const SPATIAL: [&str; 12] = [
    "point",
    "sphere",
    "ellipsoid",
    "capsule",
    "cylinder",
    "disk",
    "ellipse",
    "rod",
    "box",
    "convex",
    "rounded convex",
    "plane",
];
const PLANAR: [&str; 8] = ["point", "disk", "ellipse", "capsule", "rod", "box", "polygon", "plane"];

fn vector(random: &mut Random) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.within(-1.0, 1.0))
}

fn shape(word: &str, random: &mut Random) -> Shape {
    let mut size = || random.within(0.1, 0.8);
    match word {
        "point" => Shape::Point,
        "sphere" => Shape::Sphere { radius: size() },
        "disk" => Shape::Disk { radius: size() },
        "ellipse" => Shape::Ellipse { semi_axes: [size(), size()] },
        "ellipsoid" => Shape::Ellipsoid { semi_axes: [size(), size(), size()] },
        "capsule" => Shape::Capsule { radius: size() * 0.5, half_length: size() },
        "cylinder" => Shape::Cylinder { radius: size(), half_length: size() },
        "rod" => Shape::Box { half_extents: [size(), 0.0, 0.0] },
        "box" => Shape::Box { half_extents: [size(), size(), size()] },
        "convex" | "rounded convex" => {
            let points: Vec<_> = (0..10).map(|_| vector(random) * 0.6).collect();
            let rounding = if word == "convex" { 0.0 } else { 0.1 };
            Shape::Convex { hull: Hull::of(&points).unwrap().into(), rounding }
        }
        "polygon" => {
            let corner = |k: usize| [0.6 * (k as f64).cos(), 0.5 * (k as f64).sin()];
            Shape::Polygon { corners: (0..6).map(corner).collect(), rounding: 0.1 }
        }
        _ => Shape::HalfSpace { normal: Unit::new_normalize(Vector3::new(0.0, 1.0, 0.0)) },
    }
}

/// Rounding of a shape, m.
fn rounding(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
        Shape::Polygon { rounding, .. } | Shape::Convex { rounding, .. } => *rounding,
        _ => 0.0,
    }
}

/// Largest n·x of the core of a shape; `planar` cuts a box down to its section.
fn top(shape: &Shape, n: &Vector3<f64>) -> f64 {
    match shape {
        Shape::Point | Shape::Sphere { .. } => 0.0,
        Shape::Disk { radius } => radius * n.x.hypot(n.y),
        Shape::Ellipse { semi_axes: [a, b] } => (a * n.x).hypot(b * n.y),
        Shape::Ellipsoid { semi_axes } => Vector3::from(*semi_axes).component_mul(n).norm(),
        Shape::Capsule { half_length, .. } => half_length * n.x.abs(),
        Shape::Cylinder { radius, half_length } => {
            radius * n.x.hypot(n.y) + half_length * n.z.abs()
        }
        Shape::Box { half_extents } => Vector3::from(*half_extents).dot(&n.abs()),
        Shape::Convex { hull, .. } => {
            hull.corners.iter().map(|c| c.dot(n)).fold(f64::MIN, f64::max)
        }
        Shape::Polygon { corners, .. } => {
            corners.iter().map(|c| c[0] * n.x + c[1] * n.y).fold(f64::MIN, f64::max)
        }
        Shape::HalfSpace { normal } => match (normal.dot(n) - 1.0).abs() < 1e-12 {
            true => 0.0,
            false => f64::INFINITY,
        },
        Shape::Terrain { .. } => unreachable!("ground is not convex: tests/terrain.rs"),
    }
}

/// How far a point is outside of the core of a shape, by the worst of the conditions that define it.
fn outside(shape: &Shape, x: &Vector3<f64>) -> f64 {
    let beyond = |x: f64, half: f64| x.abs() - half;
    match shape {
        Shape::Point | Shape::Sphere { .. } => x.norm(),
        Shape::Disk { radius } => (x.x.hypot(x.y) - radius).max(x.z.abs()),
        Shape::Ellipse { semi_axes: [a, b] } => ((x.x / a).hypot(x.y / b) - 1.0).max(x.z.abs()),
        Shape::Ellipsoid { semi_axes } => x.component_div(&Vector3::from(*semi_axes)).norm() - 1.0,
        Shape::Capsule { half_length, .. } => x.y.hypot(x.z).max(beyond(x.x, *half_length)),
        Shape::Cylinder { radius, half_length } => {
            (x.x.hypot(x.y) - radius).max(beyond(x.z, *half_length))
        }
        Shape::Box { half_extents: [a, b, c] } => {
            beyond(x.x, *a).max(beyond(x.y, *b)).max(beyond(x.z, *c))
        }
        Shape::Convex { hull, .. } => hull
            .faces
            .iter()
            .map(|(n, corners)| n.dot(&(x - hull.corners[corners[0]])))
            .fold(f64::MIN, f64::max),
        Shape::Polygon { corners, .. } => (0..corners.len())
            .map(|k| {
                let (p, q) = (corners[k], corners[(k + 1) % corners.len()]);
                let d = Vector3::new(q[0] - p[0], q[1] - p[1], 0.0).normalize();
                d.y * (x.x - p[0]) - d.x * (x.y - p[1])
            })
            .fold(f64::MIN, f64::max),
        Shape::HalfSpace { normal } => normal.dot(x),
        Shape::Terrain { .. } => unreachable!("ground is not convex: tests/terrain.rs"),
    }
}

/// A motion: r cubic in t, R = exp(wt + ½αt²) R₀, so that ω = w and ω̇ = α at t = 0.
#[derive(Clone, Copy)]
struct Path {
    r: [Vector3<f64>; 4],
    R: Matrix3<f64>,
    w: Vector3<f64>,
    alpha: Vector3<f64>,
}

impl Path {
    fn random(random: &mut Random, planar: bool) -> Self {
        let flat = |v: Vector3<f64>| if planar { Vector3::new(v.x, v.y, 0.0) } else { v };
        let axis = |v: Vector3<f64>| if planar { Vector3::new(0.0, 0.0, v.z) } else { v };
        let mut r = [0; 4].map(|_| flat(vector(random)));
        r[0] *= 1.5;
        let [turn, w, alpha] = [0; 3].map(|_| axis(vector(random)));
        Self { r, R: *Rotation3::new(turn * 3.0).matrix(), w, alpha }
    }

    fn at(&self, t: f64) -> BodyMotion {
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
fn differences(f: impl Fn(f64) -> f64, h: f64) -> [f64; 2] {
    let (w, u) = (
        [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0],
        [8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0],
    );
    let (mut first, mut second) = (0.0, -205.0 / 72.0 * f(0.0));
    for k in 0..4 {
        let (ahead, behind) = (f((k + 1) as f64 * h), f(-((k + 1) as f64) * h));
        first += w[k] * (ahead - behind);
        second += u[k] * (ahead + behind);
    }
    [first / h, second / (h * h)]
}

/// Two bodies with these shapes; none if they do not touch each other.
fn model(shapes: [&Shape; 2], planar: bool) -> Option<Model> {
    let mut world = World::new();
    let kind = if planar { JointKind::Planar } else { JointKind::Free };
    let bodies = [0; 2].map(|_| world.body(kind, planar_inertia(1.0, 0.1)));
    let [a, b] = [0, 1].map(|k| world.shape(Some(bodies[k]), Vector3::zeros(), shapes[k].clone()));
    world.builder.add_pair("pair", a, b, surface(0.5, 0.3)).ok()?;
    world.builder.build().ok()
}

/// A pair, its sites, and the site whose features are nearest.
struct Nearest {
    site: Site,
    /// Whether the site has the second body first.
    turned: bool,
    /// Separation of the pair.
    gap: f64,
}

fn nearest(model: &Model, motions: [&BodyMotion; 2]) -> Nearest {
    let sites = sites(model);
    let first = model.pair(model.pair_id(0)).a;
    let body = model.feature(first).body;
    let turned = |site: &Site| site.bodies().0 != body;
    let in_order = |site: &Site| match turned(site) == swapped(model) {
        true => motions,
        false => [motions[1], motions[0]],
    };
    match polytope_pairs(model, &sites).into_iter().next() {
        Some(mut pair) => {
            let mine = pair_motions(model, &pair, motions);
            let now = pair.separation(mine[0], mine[1]);
            let mut site = sites[0].clone();
            site.geometry = pair.geometry(Some(now.features));
            let turned = turned(&site) != swapped(model);
            Nearest { site, turned, gap: now.gap }
        }
        None => {
            let gap = |site: &Site| {
                let [a, b] = in_order(site);
                state_between(site, a, b).gap
            };
            let lowest = sites.iter().min_by(|x, y| gap(x).total_cmp(&gap(y))).unwrap();
            let turned = turned(lowest) != swapped(model);
            Nearest { site: lowest.clone(), turned, gap: gap(lowest) }
        }
    }
}

/// Whether the model has taken the second shape first.
fn swapped(model: &Model) -> bool {
    let pair = model.pair(model.pair_id(0));
    model.feature(pair.a).name > model.feature(pair.b).name
}

fn pair_motions<'m>(
    model: &Model,
    pair: &PolytopePair,
    [a, b]: [&'m BodyMotion; 2],
) -> [&'m BodyMotion; 2] {
    let bodies: Vec<_> = model.body_ids().collect();
    if pair.bodies[0] == Some(bodies[0]) { [a, b] } else { [b, a] }
}

impl Nearest {
    fn state(&self, a: &BodyMotion, b: &BodyMotion) -> SiteState {
        match self.turned {
            false => state_between(&self.site, a, b),
            true => state_between(&self.site, b, a),
        }
    }

    /// Normal from the first shape to the second, and the nearest points.
    fn touch(&self, a: &BodyMotion, b: &BodyMotion) -> (Vector3<f64>, [Vector3<f64>; 2]) {
        let s = self.state(a, b);
        let n = if self.turned { -s.axes[2] } else { s.axes[2] };
        (n, [s.x - n * (0.5 * s.gap), s.x + n * (0.5 * s.gap)])
    }
}

/// Whether a shape has corners and no rounding.
fn sharp(shape: &Shape) -> bool {
    rounding(shape) == 0.0 && shape.is_polytope() && !matches!(shape, Shape::Disk { .. })
}

fn local(body: &BodyMotion, x: &Vector3<f64>) -> Vector3<f64> {
    body.R.tr_mul(&(x - body.r))
}

/// The distance from both sides.
fn certify(words: &str, shapes: [&Shape; 2], found: &Nearest, [a, b]: [&BodyMotion; 2]) {
    let (n, [xa, xb]) = found.touch(a, b);
    let state = found.state(a, b);
    assert!((state.gap - found.gap).abs() < 1e-12, "{words}: {} {}", state.gap, found.gap);
    let [ra, rb] = shapes.map(rounding);
    let high = n.dot(&a.r) + top(shapes[0], &a.R.tr_mul(&n)) + ra;
    let low = n.dot(&b.r) - top(shapes[1], &b.R.tr_mul(&-n)) - rb;
    let separated = low - high;
    assert!(separated > found.gap - 1e-11, "{words}: separated {separated}, gap {}", found.gap);
    if shapes.iter().all(|s| sharp(s)) {
        // Between corners and edges of sharp polytopes the gap is a separation, zero where they touch.
        return;
    }
    for (k, (body, x)) in [(a, xa - ra * n), (b, xb + rb * n)].into_iter().enumerate() {
        let out = outside(shapes[k], &local(body, &x));
        assert!(out < 1e-11, "{words}: point of shape {k} is outside by {out}");
    }
}

/// Shapes moved along their normal are as far apart as that: touching, and overlapping a little.
fn shift(
    words: &str,
    model: &Model,
    shapes: [&Shape; 2],
    found: &Nearest,
    [a, b]: [&BodyMotion; 2],
) {
    let sharp_corner = match &found.site.geometry {
        SiteGeometry::Smooth { pair, .. } => {
            pair.edge.is_none() && [pair.a, pair.b].iter().any(|s| s.size() == 0.0)
        }
        _ => false,
    };
    let planar = moves_in_plane(model);
    let rims = shapes.iter().any(|s| matches!(s, Shape::Cylinder { .. }) || s.is_flat_in(planar));
    // A sharp corner on a rim, as on another corner, has no one normal where it touches.
    if shapes.iter().all(|s| sharp(s)) || sharp_corner && rims {
        return;
    }
    let (n, _) = found.touch(a, b);
    for target in [1e-9, 0.0, -1e-9, -1e-6] {
        let moved = BodyMotion { r: b.r - n * (found.gap - target), ..*b };
        let now = nearest(model, [a, &moved]);
        assert!(now.gap > target - 1e-11, "{words}: {} for {target}", now.gap);
        // Overlapping shapes may be less deep along another normal.
        let other = target < 0.0 && now.gap > target + 1e-11;
        let (m, _) = now.touch(a, &moved);
        let same = now.gap < target + 1e-11 && (n - m).norm() < 1e-6;
        assert!(same || other && now.gap < 0.0, "{words}: {} for {target}, {n} {m}", now.gap);
    }
}

/// ġ and g̈ of the site against differences of its gap.
fn derive(words: &str, found: &Nearest, [a, b]: [&Path; 2]) -> bool {
    let state = found.state(&a.at(0.0), &b.at(0.0));
    let gap = |t: f64| found.state(&a.at(t), &b.at(t)).gap;
    // The step that the differences themselves agree on best.
    let all = [4e-3, 2e-3, 1e-3, 5e-4].map(|h| differences(gap, h));
    let spread = |k: usize| (all[k][1] - all[k + 1][1]).abs();
    let best = (0..3).min_by(|&i, &j| spread(i).total_cmp(&spread(j))).unwrap();
    let scale = 1.0 + state.gamma[2].abs();
    if spread(best) > 5e-9 * scale {
        return false;
    }
    let [rate, acceleration] = all[best + 1];
    assert!((state.u[2] - rate).abs() < 1e-8 * scale, "{words}: ġ {} {rate}", state.u[2]);
    let error = (state.gamma[2] - acceleration).abs();
    assert!(error < 1e-8 * scale, "{words}: g̈ {} {acceleration}", state.gamma[2]);
    true
}

fn campaign(words: [&str; 2], planar: bool) -> bool {
    let name = words.join(" and ");
    let mut random = Random::new(words.iter().map(|w| w.len() as u64).sum::<u64>() + 7);
    let (mut done, mut derived, mut tries) = (0, 0, 0);
    while done < COUNT {
        let [sa, sb] = words.map(|w| shape(w, &mut random));
        let Some(forward) = model([&sa, &sb], planar) else { return false };
        let paths = [0; 2].map(|_| Path::random(&mut random, planar));
        tries += 1;
        assert!(tries < 100 * COUNT, "{name}: {done} apart");
        let [a, b] = [paths[0].at(0.0), paths[1].at(0.0)];
        let found = nearest(&forward, [&a, &b]);
        if found.gap <= 1e-3 {
            continue;
        }
        certify(&name, [&sa, &sb], &found, [&a, &b]);
        shift(&name, &forward, [&sa, &sb], &found, [&a, &b]);
        derived += usize::from(derive(&name, &found, [&paths[0], &paths[1]]));
        let backward = model([&sb, &sa], planar).unwrap();
        let other = nearest(&backward, [&b, &a]);
        assert!((other.gap - found.gap).abs() < 1e-12, "{name}: {} {}", other.gap, found.gap);
        let ((n, x), (m, y)) = (found.touch(&a, &b), other.touch(&b, &a));
        assert!((n + m).norm() < 1e-7, "{name}: {n} {m}");
        assert!((x[0] - y[1]).norm() < 1e-7, "{name}: {} {}", x[0], y[1]);
        done += 1;
    }
    println!("{name}: {COUNT} of {tries} apart, {derived} derived");
    assert!(derived > COUNT * 9 / 10, "{name}: {derived} derived");
    true
}

/// How a pair touches, in one word.
fn sites_of(words: [&str; 2], planar: bool) -> &'static str {
    let mut random = Random::new(1);
    let [a, b] = words.map(|w| shape(w, &mut random));
    let Some(model) = model([&a, &b], planar) else { return "–" };
    let sites = sites(&model);
    let idle = matches!(sites[0].geometry, SiteGeometry::Idle { .. });
    match (idle, sites.len()) {
        (_, 1) => "1",
        (false, _) => "corners",
        (true, 2) => "ends",
        _ => "polygon",
    }
}

/// The table of docs/scenes.md; `CAROM_BLESS=1` writes it anew.
fn compare_table(start: &str, words: &[&str], planar: bool) {
    let mut table = format!("\n| | {} |\n|---|{}\n", words.join(" | "), "---|".repeat(words.len()));
    for a in words {
        let row: Vec<&str> = words.iter().map(|b| sites_of([a, b], planar)).collect();
        table += &format!("| {a} | {} |\n", row.join(" | "));
    }
    let path = carom_testing::root().join("docs/scenes.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let from = text.find(start).unwrap() + start.len();
    let to = from + text[from..].find("<!-- end of pairs -->").unwrap();
    if std::env::var_os("CAROM_BLESS").is_some() {
        let renewed = [&text[..from], &table, &text[to..]].concat();
        std::fs::write(&path, renewed).unwrap();
    } else {
        assert_eq!(text[from..to], table, "docs/scenes.md is out of step");
    }
}

/// All pairs of a list; those without a gap are those of the table.
fn campaigns(words: &[&str], planar: bool) {
    for (i, a) in words.iter().enumerate() {
        for b in &words[i..] {
            let touch = campaign([a, b], planar);
            assert_eq!(touch, sites_of([a, b], planar) != "–", "{a} and {b}");
        }
    }
}

#[test]
fn shapes_of_space() {
    campaigns(&SPATIAL, false);
}

#[test]
fn shapes_of_the_plane() {
    campaigns(&PLANAR, true);
}

#[test]
fn the_tables_of_the_documentation() {
    compare_table("<!-- pairs of space -->", &SPATIAL, false);
    compare_table("<!-- pairs of the plane -->", &PLANAR, true);
}
