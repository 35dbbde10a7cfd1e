//! Which geometries of the leg fit table 6.2, and how they jump.
//!
//! Stated are the lengths of coxa, femur and tibia and two postures with their heights. Not stated are the order of the
//! body's turns, the axis of the coxa and where it points, the senses of femur and tibia, and where the hip is. For each
//! combination the depth h of the hip below the body's centre is fitted to both printed heights.
//! ```text
//! p = R(q4, q5, q6) [ (0, −h, 0) + R_c(q7) ( c d + R_z(s_f q8) ( −f e_y − R_z(s_t q9) t e_y ) ) ]        (1)
//! heights: min over h of the larger |q2 + p_y|/d, d being what the digits of the table allow               (2)
//! ```
//! Tests: `tests/leg.rs`: `geometry`, `eq1_the_scene_is_one_of_them`.

use nalgebra::{Rotation3, Unit, Vector3};

use super::jumps::{ALONG, LIMIT, climb, degrees_between, end, lift_offs, torque, with_gains};
use super::subject::{Jump, PUBLISHED, leg};
use crate::claim::{Claim, Evidence};
use crate::data::Data;
use crate::error::Trouble;
use crate::experiment::{Context, Experiment, Source};
use crate::outcome::Outcome;
use crate::scan::Scan;
use crate::show::fixed;
use crate::table::Table;

/// The experiment.
pub const GEOMETRY: Experiment = Experiment {
    name: "flickinger-leg-geometry",
    title: "Geometries of the leg that fit table 6.2",
    source: Source::Flickinger,
    covers: &[
        "table 6.2",
        "figure 6.8",
        "figure 6.9",
        "figure 6.10",
        "figure 6.11",
        "figure 6.12",
        "figure 6.13",
    ],
    run,
};

/// Lengths of coxa, femur and tibia, table 2.3, m.
const LENGTHS: [f64; 3] = [0.03, 0.0646, 0.09];
/// q4 … q9 of the guess and of the optimised posture, and their heights q2, table 6.2.
const POSTURES: [([f64; 6], f64); 2] =
    [([0.0, 0.0, 0.0, 0.0, 0.09, -0.61], 0.17), ([0.52, -0.5, -0.46, 0.15, 0.03, 0.67], 0.18)];
/// Digits of the heights and of the angles in table 6.2: half a unit of the last.
const DIGITS: [f64; 2] = [0.005, 0.005];
/// How deep the hip may be below the centre, or above it, m.
const DEEPEST: f64 = 0.05;

/// One way to read the leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geometry {
    /// In which order the turns about N1, N2, N3 follow each other, fixed axes.
    pub order: [usize; 3],
    /// Axis of the coxa, with its sense.
    pub axis: Vector3<f64>,
    /// Where the coxa points.
    pub points: Vector3<f64>,
    /// Senses of femur and tibia about N3.
    pub senses: [f64; 2],
}

/// A geometry with the hip that fits best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The geometry.
    pub geometry: Geometry,
    /// h of (1), m.
    pub hip: f64,
    /// How far above the ground the foot of both postures is, m.
    pub off: [f64; 2],
}

const AXES: [(&str, Vector3<f64>); 6] = [
    ("+x", Vector3::new(1.0, 0.0, 0.0)),
    ("−x", Vector3::new(-1.0, 0.0, 0.0)),
    ("+y", Vector3::new(0.0, 1.0, 0.0)),
    ("−y", Vector3::new(0.0, -1.0, 0.0)),
    ("+z", Vector3::new(0.0, 0.0, 1.0)),
    ("−z", Vector3::new(0.0, 0.0, -1.0)),
];

fn name(axis: &Vector3<f64>) -> &'static str {
    AXES.iter().find(|(_, a)| a == axis).map_or("?", |(name, _)| name)
}

impl Geometry {
    /// Every combination: 6 orders, 6 axes and 5 directions of the coxa, 4 pairs of senses.
    pub fn all() -> Vec<Self> {
        const ORDERS: [[usize; 3]; 6] =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut all = Vec::new();
        for order in ORDERS {
            for (_, axis) in AXES {
                // Not upward: the leg would begin inside the body.
                for (_, points) in AXES.into_iter().filter(|(n, _)| *n != "+y") {
                    for senses in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
                        all.push(Self { order, axis, points, senses });
                    }
                }
            }
        }
        all
    }

    /// The turn of the body for q4, q5, q6.
    fn turn(&self, angles: &[f64]) -> Rotation3<f64> {
        let axis = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()];
        self.order.iter().fold(Rotation3::identity(), |turned, k| {
            Rotation3::from_axis_angle(&axis[*k], angles[*k]) * turned
        })
    }

    /// From the hip to the foot in the axes of the body, (1).
    fn reach(&self, angles: &[f64]) -> Vector3<f64> {
        let about_z = |angle: f64| Rotation3::from_axis_angle(&Vector3::z_axis(), angle);
        let [c, f, t] = LENGTHS;
        let down = -Vector3::y();
        let tibia = about_z(self.senses[1] * angles[5]) * (t * down);
        let femur = about_z(self.senses[0] * angles[4]) * (f * down + tibia);
        let coxa = Rotation3::from_axis_angle(&Unit::new_normalize(self.axis), angles[3]);
        coxa * (c * self.points + femur)
    }

    /// The foot seen from the body's centre, for a hip so deep, (1).
    pub fn foot(&self, angles: &[f64; 6], hip: f64) -> Vector3<f64> {
        self.turn(&angles[..3]) * (Vector3::new(0.0, -hip, 0.0) + self.reach(angles))
    }

    /// What the digits of the table allow the foot of a posture to be off, m: of its height, and of each angle.
    fn allowed(&self, angles: &[f64; 6], hip: f64) -> f64 {
        let turned = |k: usize| {
            let by = |s: f64| {
                let mut a = *angles;
                a[k] += s * DIGITS[1];
                self.foot(&a, hip).y
            };
            0.5 * (by(1.0) - by(-1.0)).abs()
        };
        DIGITS[0] + (0..6).map(turned).sum::<f64>()
    }

    /// The hip that fits both heights best, (2). Both are linear in h, so that the larger is least where they are equal
    /// in size.
    pub fn fit(&self) -> Fit {
        let rows = POSTURES.map(|(angles, height)| {
            let [a, b] = [0.0, 1.0].map(|h| height + self.foot(&angles, h).y);
            (a, b - a)
        });
        // The angles of the digits hardly depend on h.
        let allowed = POSTURES.map(|(angles, _)| self.allowed(&angles, 0.0));
        let off = |h: f64| rows.map(|(a, b)| a + h * b);
        let worst = |h: f64| off(h)[0].abs().max(off(h)[1].abs() * allowed[0] / allowed[1]);
        let meet = |sign: f64| {
            let [(a, b), (c, d)] = rows;
            let w = sign * allowed[0] / allowed[1];
            let h = -(a + w * c) / (b + w * d);
            if h.is_finite() { h.clamp(-DEEPEST, DEEPEST) } else { 0.0 }
        };
        let (h, k) = (meet(1.0), meet(-1.0));
        let hip = if worst(h) <= worst(k) { h } else { k };
        Fit { geometry: *self, hip, off: off(hip) }
    }

    fn label(&self) -> String {
        let turns = self.order.map(|k| ["x", "y", "z"][k]).join("");
        let sign = |s: f64| if s > 0.0 { "+" } else { "−" };
        format!(
            "turns {turns}, coxa about {} pointing {}, femur {}z, tibia {}z",
            name(&self.axis),
            name(&self.points),
            sign(self.senses[0]),
            sign(self.senses[1])
        )
    }
}

impl Fit {
    /// Whether both feet are on the ground within the digits of the table.
    pub fn within(&self) -> bool {
        let allowed = |angles: &[f64; 6]| self.geometry.allowed(angles, self.hip);
        self.off.iter().zip(POSTURES).all(|(off, (angles, _))| off.abs() <= allowed(&angles))
    }

    /// Angle between the line from foot to body in the guess and the direction (6.12), degrees.
    pub fn line(&self) -> f64 {
        let foot = self.geometry.foot(&POSTURES[0].0, self.hip);
        degrees_between([-foot.x, -foot.y])
    }

    /// How the scene has to be changed for a posture.
    fn overrides(&self, posture: usize) -> Vec<String> {
        let g = &self.geometry;
        let (angles, _) = POSTURES[posture];
        let list = |v: &Vector3<f64>| format!("[{}, {}, {}]", v.x, v.y, v.z);
        let (x, y, z) = g.turn(&angles[..3]).euler_angles();
        let height = -g.foot(&angles, self.hip).y;
        let along = match g.points {
            p if p.y != 0.0 => "[\"90deg\", 0, 0]",
            p if p.x != 0.0 => "[0, \"90deg\", 0]",
            _ => "[0, 0, 0]",
        };
        vec![
            format!("joint.coxa.axis={}", list(&g.axis)),
            format!("joint.coxa.position=[0, {}, 0]", -self.hip),
            format!("joint.femur.position={}", list(&(LENGTHS[0] * g.points))),
            format!("joint.femur.axis=[0, 0, {}]", g.senses[0]),
            format!("joint.tibia.axis=[0, 0, {}]", g.senses[1]),
            format!(
                "body.coxa.shape={{ cylinder = {{ radius = 0.004, length = 0.03 }}, position = {}, rotation = {along} }}",
                list(&(0.5 * LENGTHS[0] * g.points))
            ),
            format!("body.body.position=[0, {height}, 0]"),
            format!("body.body.rotation=[{x}, {y}, {z}]"),
            format!("initial.motor.coxa={}", angles[3]),
            format!("initial.motor.femur={}", angles[4]),
            format!("initial.motor.tibia={}", angles[5]),
        ]
    }

    /// The jump from a posture with a gain; none where the leg cannot start.
    fn jump(&self, posture: usize, gain: f64) -> Option<Jump> {
        let mut set = self.overrides(posture);
        set.push(format!("controller.jump.stiffness={gain}"));
        set.push(format!("controller.jump.damping={}", 2.0 * gain.sqrt()));
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let scene = leg(&set).ok()?;
        let q = scene.initial.q.as_slice().to_vec();
        Jump::run("a geometry", scene, &q).ok()
    }
}

/// Gains of the controller that are tried, 1/s².
const GAINS: [f64; 4] = [1.0, 10.0, 100.0, 200.0];

/// What section 6.4 says of the jumps, in the order of [`Jumped::holds`].
const STATEMENTS: [&str; 8] = [
    "foot to body along the direction",
    "guess rises 2 cm, motors acting",
    "torques of the guess near 2.5 N·m",
    "guess moves toward −N1",
    "foot of the guess leaves several times",
    "optimum rises 40 cm",
    "path of the optimum along the direction",
    "foot of the optimum leaves once and for all",
];

/// Both jumps of a geometry with a gain.
struct Jumped {
    gain: f64,
    holds: [bool; 8],
    words: String,
}

impl Jumped {
    fn new(fit: &Fit, gain: f64) -> Option<Self> {
        let (guess, best) = (fit.jump(0, gain)?, fit.jump(1, gain)?);
        let path = degrees_between(climb(&best));
        let mut holds = [fit.line() <= ALONG; 8];
        for (k, said) in SAID.iter().enumerate() {
            holds[k + 1] = (said.holds)([&guess, &best][said.posture]);
        }
        let words = format!(
            "{} cm with {} N·m to x = {} m; {} cm, path {}° off",
            fixed(100.0 * guess.measure.rise, 1),
            fixed(torque(&guess), 1),
            fixed(end(&guess)[0], 2),
            fixed(100.0 * best.measure.rise, 1),
            fixed(path, 0)
        );
        Some(Self { gain, holds, words })
    }

    fn count(&self) -> usize {
        self.holds.iter().filter(|h| **h).count()
    }
}

fn run(context: &Context) -> Result<Outcome, Trouble> {
    let mut outcome = Outcome::new(
        "Every order of the body's turns, axis and direction of the coxa and sense of femur and tibia, with the depth of the \
         hip that fits both heights of table 6.2 best. Those that fit within the digits jump from both postures, with four \
         gains each.",
    );
    outcome.reading(
        "Femur and tibia turn about N3 and hang down at zero, so that the leg is planar for a coxa angle of zero, as section \
         6.3 has it. Pulley ratios are 1. Inertias are those of scenes/jumper.toml.",
    );
    let fits: Vec<Fit> = Geometry::all().iter().map(Geometry::fit).collect();
    let mut good: Vec<&Fit> = fits.iter().filter(|f| f.within()).collect();
    let miss = |f: &Fit| f.off.iter().fold(0.0_f64, |m, o| m.max(o.abs()));
    good.sort_by(|a, b| miss(a).total_cmp(&miss(b)));
    identified(&mut outcome, &fits, &good);
    let tried: Vec<(&Fit, Vec<Jumped>)> = distinct(&good)
        .into_iter()
        .step_by(context.pick(1, 12))
        .map(|f| (f, GAINS.iter().filter_map(|g| Jumped::new(f, *g)).collect()))
        .collect();
    sections(&mut outcome, context, &good, &tried)?;
    jumps(&mut outcome, &tried);
    let columns =
        ["geometry", "hip.m", "guess.off.m", "optimum.off.m", "line.deg", "within digits"];
    let mut data = Data::new("fits", &columns);
    for f in &fits {
        let row = [f.hip, f.off[0], f.off[1], f.line(), f64::from(u8::from(f.within()))];
        data.labelled(&[&f.geometry.label()], &row);
    }
    outcome.data(data);
    Ok(outcome)
}

/// One of each set of geometries that put both feet at the same places.
fn distinct<'a>(good: &[&'a Fit]) -> Vec<&'a Fit> {
    let feet = |f: &Fit| POSTURES.map(|(angles, _)| f.geometry.foot(&angles, f.hip));
    let mut kept: Vec<&Fit> = Vec::new();
    for f in good {
        let same = |k: &&Fit| {
            feet(k).iter().zip(feet(f)).all(|(a, b)| (a - b).norm() < 1e-9)
                && k.geometry.points == f.geometry.points
        };
        if !kept.iter().any(same) {
            kept.push(f);
        }
    }
    kept
}

/// What table 6.2 tells of the geometry, and what it does not.
fn identified(outcome: &mut Outcome, fits: &[Fit], good: &[&Fit]) {
    let along = good.iter().filter(|f| f.line() <= ALONG).count();
    outcome.claim(
        Claim::test(
            "carom",
            "Table 6.2 does not identify the geometry: more than one fits within its digits.",
            good.len() > 1,
            format!(
                "{} of {} combinations fit, {} of them distinct; in {along} of them the line of the guess is along the \
                 direction",
                good.len(),
                fits.len(),
                distinct(good).len()
            ),
        )
        .own()
        .open("one or none fits"),
    );
    let mut table = Table::new(
        "What fits: how many combinations with each choice",
        &["choice", "value", "fit", "of", "fit, line along the direction"],
    );
    let mut row = |choice: &str, value: String, is: &dyn Fn(&Geometry) -> bool| {
        let count = |all: &mut dyn Iterator<Item = &Fit>| all.filter(|f| is(&f.geometry)).count();
        table.row([
            choice.to_owned(),
            value,
            count(&mut good.iter().copied()).to_string(),
            count(&mut fits.iter()).to_string(),
            count(&mut good.iter().copied().filter(|f| f.line() <= ALONG)).to_string(),
        ]);
    };
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let word = order.map(|k: usize| ["x", "y", "z"][k]).join("");
        row("order of the turns", word, &|g| g.order == order);
    }
    for (word, axis) in AXES {
        row("axis of the coxa", word.into(), &|g| g.axis == axis);
    }
    for (word, points) in AXES.into_iter().filter(|(n, _)| *n != "+y") {
        row("direction of the coxa", word.into(), &|g| g.points == points);
    }
    for (k, part) in ["sense of the femur", "sense of the tibia"].into_iter().enumerate() {
        for (word, sense) in [("+z", 1.0), ("−z", -1.0)] {
            row(part, word.into(), &|g| g.senses[k] == sense);
        }
    }
    outcome.table(table);
}

/// Where a statement of section 6.4 stands, what it says, what is shown of a jump by gain, and whether it holds.
struct Statement {
    place: &'static str,
    says: &'static str,
    posture: usize,
    number: fn(&Jump) -> String,
    shows: &'static str,
    holds: fn(&Jump) -> bool,
}

/// Those that depend on the jumps, in the order of [`STATEMENTS`] from the second on.
const SAID: [Statement; 7] = [
    Statement {
        place: "section 6.4.2",
        says: "From the guess the body rises by only 2 cm, though the motors act.",
        posture: 0,
        number: |j| {
            format!("{} with {} N·m", fixed(100.0 * j.measure.rise, 1), fixed(torque(j), 1))
        },
        shows: "rise in cm",
        holds: |j| near(j.measure.rise, 0.02, 0.005) && torque(j) > 0.0,
    },
    Statement {
        place: "section 6.4.2, figure 6.8",
        says: "From the guess the torques come near their limits.",
        posture: 0,
        number: |j| fixed(torque(j), 2),
        shows: "largest torque in N·m",
        holds: |j| torque(j) >= 0.9 * LIMIT,
    },
    Statement {
        place: "section 6.4.2, figure 6.10",
        says: "From the guess the body moves toward −N1.",
        posture: 0,
        number: |j| fixed(end(j)[0], 3),
        shows: "x at the end in m",
        holds: |j| end(j)[0] < 0.0,
    },
    Statement {
        place: "section 6.4.2, figure 6.9",
        says: "From the guess the foot leaves the ground several times.",
        posture: 0,
        number: |j| lift_offs(j).to_string(),
        shows: "lift-offs",
        holds: |j| lift_offs(j) > 1,
    },
    Statement {
        place: "section 6.4.3, figure 6.12",
        says: "From the optimised posture the body rises by about 40 cm (taken: ± 5 cm).",
        posture: 1,
        number: |j| fixed(100.0 * j.measure.rise, 1),
        shows: "rise in cm",
        holds: |j| near(j.measure.rise, 0.4, 0.05),
    },
    Statement {
        place: "section 6.4.3, figure 6.13",
        says: "From the optimised posture the path follows the desired direction (taken: to its highest point, within 15°).",
        posture: 1,
        number: |j| fixed(degrees_between(climb(j)), 0),
        shows: "degrees off",
        holds: |j| degrees_between(climb(j)) <= ALONG,
    },
    Statement {
        place: "section 6.4.3, figures 6.11 and 6.12",
        says: "From the optimised posture the foot leaves at once and stays off the ground (taken: within 50 ms).",
        posture: 1,
        number: |j| format!("{} after {} ms", lift_offs(j), fixed(1e3 * j.measure.stance, 1)),
        shows: "lift-offs",
        holds: |j| lift_offs(j) == 1 && j.measure.impacts == 0 && j.measure.stance < 0.05,
    },
];

fn near(x: f64, to: f64, within: f64) -> bool {
    (x - to).abs() <= within
}

/// Answers of many as readings: so many hold, so many do not.
fn counted(what: &str, holding: usize, all: usize) -> Vec<(String, bool)> {
    let named = |n: usize, holds: bool| (n > 0).then(|| (format!("{n} of {all} {what}"), holds));
    [named(holding, true), named(all - holding, false)].into_iter().flatten().collect()
}

/// What section 6.4 says, for the geometry of the scene over the gains, and for all that fit table 6.2.
fn sections(
    outcome: &mut Outcome,
    context: &Context,
    good: &[&Fit],
    tried: &[(&Fit, Vec<Jumped>)],
) -> Result<(), Trouble> {
    let lines: Vec<f64> = good.iter().map(|f| f.line()).collect();
    let along = lines.iter().filter(|l| **l <= ALONG).count();
    let least = lines.iter().copied().fold(f64::INFINITY, f64::min);
    outcome.claim(
        Claim::new(
            "section 6.4.1",
            "In the guess the line from the foot to the body points along the desired direction (taken: within 15°).",
            Evidence::Readings(counted("geometries", along, good.len())),
            format!("of all geometries that fit, the nearest is {}° off", fixed(least, 1)),
        )
        .open("No geometry that fits table 6.2 makes it so."),
    );
    let own = [with_gains(context, &[])?, with_gains(context, &PUBLISHED)?];
    let all = tried.iter().map(|(_, jumped)| jumped.len()).sum();
    for (k, said) in SAID.iter().enumerate() {
        let jumps = &own[said.posture];
        let at = jumps.iter().map(|(gain, jump)| (*gain, (said.holds)(jump)));
        let scan = Scan::new("", "gain", "", at);
        let ours = |holds: bool| {
            let values = scan.values(holds);
            (!values.is_empty())
                .then(|| (format!("our geometry with gains of {values} /s²"), holds))
        };
        let mut readings: Vec<(String, bool)> =
            [ours(true), ours(false)].into_iter().flatten().collect();
        let others = tried.iter().flat_map(|(_, jumped)| jumped);
        let holding = others.filter(|j| j.holds[k + 1]).count();
        readings.extend(counted("pairs of another geometry and a gain", holding, all));
        let numbers = jumps.iter().map(|(gain, jump)| format!("{gain}: {}", (said.number)(jump)));
        let found = format!(
            "our geometry, {} by gain: {}",
            said.shows,
            numbers.collect::<Vec<_>>().join(", ")
        );
        outcome.claim(
            Claim::new(said.place, said.says, Evidence::Readings(readings), found)
                .some_values(
                    "Neither the geometry nor the gain of the computed torque is stated.",
                    holding > 0 || scan.answers().any(|h| h),
                )
                .open("No geometry that fits table 6.2 and no gain makes it so."),
        );
    }
    Ok(())
}

/// How the geometries jump.
fn jumps(outcome: &mut Outcome, tried: &[(&Fit, Vec<Jumped>)]) {
    let all = || tried.iter().flat_map(|(f, jumped)| jumped.iter().map(move |j| (*f, j)));
    let most = all().map(|(_, j)| j.count()).max().unwrap_or(0);
    let each: Vec<String> = STATEMENTS
        .iter()
        .enumerate()
        .map(|(k, s)| format!("{s} {}", all().filter(|(_, j)| j.holds[k]).count()))
        .collect();
    outcome.claim(
        Claim::test(
            "carom",
            "No geometry that fits table 6.2 satisfies all that section 6.4 says of the jumps, whatever the gain.",
            most < STATEMENTS.len(),
            format!(
                "at most {most} of {} hold together; of {} pairs of geometry and gain, how many satisfy each: {}",
                STATEMENTS.len(),
                all().count(),
                each.join(", ")
            ),
        )
        .own()
        .open("one that does was found"),
    );
    let mut table = Table::new(
        "Geometries that satisfy most, with their gain",
        &[
            "geometry",
            "hip / mm",
            "feet off / mm",
            "line off / °",
            "gain",
            "hold",
            "guess; optimum",
        ],
    );
    let mut best: Vec<(&Fit, &Jumped)> = all().filter(|(_, j)| j.count() + 1 >= most).collect();
    best.sort_by_key(|(_, j)| std::cmp::Reverse(j.count()));
    for (f, j) in best.into_iter().take(20) {
        table.row([
            f.geometry.label(),
            fixed(1e3 * f.hip, 1),
            f.off.map(|o| fixed(1e3 * o, 1)).join(", "),
            fixed(f.line(), 0),
            j.gain.to_string(),
            format!("{} of {}", j.count(), STATEMENTS.len()),
            j.words.clone(),
        ]);
    }
    outcome.table(table);
}
