//! `carom capability`: how fast a point can be accelerated, and what stops it.

use std::path::Path;
use std::process::ExitCode;

use carom_agility::posture::{Constraints, settle};
use carom_agility::{
    Capability, CapabilityProblem, Evaluator, Limit, Reach, Stance, box_capability, capability,
    closed_form,
};
use carom_scene::{Scene, Space, short_number};
use nalgebra::{DVector, Vector3};
use serde_json::json;

use super::data::{
    capability_json, contact_forces, gradient_json, limit_text, posture_json, problem_json,
    question_json, write_csv, write_json,
};
use super::refusal::Refusal;
use super::table::{row, table};
use super::{figures, map, output, question};
use crate::args::CapabilityArgs;
use crate::exit;
use carom_report::{ReportError, rough};

/// Runs the command.
pub fn run(args: &CapabilityArgs) -> ExitCode {
    question::ask(&args.question, args.settle, |scene| answer(scene, args))
}

/// The answer as JSON.
pub fn value(scene: &Scene, args: &CapabilityArgs) -> Result<serde_json::Value, Refusal> {
    let stance = question::stance(scene, &args.question)?;
    match args.map {
        Some(_) => map::value(scene, &stance, args),
        None => Ok(Account::new(scene, &stance, args)?.json()),
    }
}

/// Everything that is told about one posture.
struct Account<'s, 'm> {
    stance: &'s Stance<'m>,
    point: String,
    q: Vec<f64>,
    problem: CapabilityProblem,
    found: Capability,
    gradient: DVector<f64>,
    closed: Option<f64>,
}

fn answer(scene: &Scene, args: &CapabilityArgs) -> Result<(), Refusal> {
    let stance = question::stance(scene, &args.question)?;
    let _lock = output::claim(args.question.out.as_deref())?;
    if args.map.is_some() {
        return map::run(scene, &stance, args);
    }
    let account = Account::new(scene, &stance, args)?;
    if let Some(file) = &args.problem {
        std::fs::write(file, format!("{:#}\n", problem_json(&account.problem)))
            .map_err(ReportError::io("write", file))?;
    }
    let text = match args.question.json {
        true => format!("{:#}\n", account.json()),
        false => account.text(),
    };
    exit::print(&text).map_err(Refusal::told)?;
    if let Some(folder) = &args.question.out {
        account.write(scene, args, folder)?;
    }
    Ok(())
}

impl<'s, 'm> Account<'s, 'm> {
    fn new(scene: &Scene, stance: &'s Stance<'m>, args: &CapabilityArgs) -> Result<Self, Refusal> {
        let mut evaluator = Evaluator::new(stance);
        let mut q: Vec<f64> = scene.initial.q.iter().copied().collect();
        let v = scene.initial.v.as_slice();
        if args.settle {
            if stance.contacts().is_empty() {
                let message =
                    "nothing is to be settled: no contact touches or overlaps at the start";
                return Err(Refusal::new(
                    message,
                    "name those that shall, with --contacts, or `all`",
                ));
            }
            let fixed = question::fixed(stance.model(), &args.question)?;
            q = settle(&mut evaluator, &Constraints::new(stance, &fixed)?, &q)?;
        } else {
            apart(&mut evaluator, scene)?;
        }
        let t = scene.initial.t;
        let problem = evaluator.problem(t, &q, v);
        let found = capability(&problem)?;
        let gradient = evaluator.gradient(t, (&q, v), &found);
        // The closed forms apply to square actuation, or to torques alone.
        let square = closed_form(&problem).ok().flatten().map(|c| c.largest);
        let closed = square.or_else(|| box_capability(&problem).ok());
        let point = question::point_name(stance, &args.question);
        Ok(Self { stance, point, q, problem, found, gradient, closed })
    }

    fn json(&self) -> serde_json::Value {
        let model = self.stance.model();
        let mut value = capability_json(self.stance, &self.found);
        if let Some(object) = value.as_object_mut() {
            object.insert("question".into(), question_json(self.stance, &self.point));
            object.insert("posture".into(), posture_json(&model.q_names(), &self.q));
            object.insert("gradient".into(), gradient_json(&model.v_names(), &self.gradient));
            object.insert("closed_form".into(), json!(self.closed));
        }
        value
    }

    fn text(&self) -> String {
        let d = self.stance.task().direction;
        let [x, y, z] = [d.x, d.y, d.z].map(short_number);
        let mut text = format!("{} toward [{x}, {y}, {z}]\n", self.point);
        text.push_str(&table(&self.summary()));
        text.push_str(&format!("\nmotors\n{}", table(&self.motors())));
        if !self.stance.contacts().is_empty() {
            text.push_str(&format!("\ncontacts\n{}", table(&self.contacts())));
        }
        text.push_str(&format!("\nstopped by\n{}", table(&self.active())));
        text.push_str(&format!(
            "\nslope of the capability (each coordinate alone, whether or not the feet would stay down; turns are about axes of the body)\n{}",
            table(&self.slopes())
        ));
        text
    }

    fn summary(&self) -> Vec<Vec<String>> {
        let found = &self.found;
        let (n, motors) = (self.problem.nv(), self.problem.motors());
        let kept = self.problem.contact_rows.nrows();
        let held = self.problem.held.len();
        let (alone, both) = self.problem.kept_freedoms();
        let redundant = |rows: usize, rank: usize| match rows - rank {
            0 => String::new(),
            n => format!(", {n} of them redundant"),
        };
        let rest = n - both;
        let mut rows = vec![
            vec![
                "largest acceleration".into(),
                format!("{} m/s²", short_number(found.acceleration)),
            ],
            vec!["gap to the dual bound".into(), format!("{} m/s²", rough(found.gap))],
            vec!["degrees of freedom".into(), n.to_string()],
            vec!["kept by contacts and ties".into(), format!("{kept}{}", redundant(kept, alone))],
            vec![
                "held besides".into(),
                format!(
                    "{held} ({}){}",
                    self.stance.task().hold.word(),
                    redundant(held, both - alone)
                ),
            ],
            vec!["free".into(), format!("{rest}, with {motors} motors")],
        ];
        if let Some(closed) = self.closed {
            rows.push(vec!["closed form".into(), format!("{} m/s²", short_number(closed))]);
        }
        rows
    }

    fn motors(&self) -> Vec<Vec<String>> {
        let mut rows = vec![row(["motor", "force/(N·m, N)", "lower", "upper", ""])];
        for (j, (motor, torque)) in
            self.stance.actuators().iter().zip(&self.found.torque).enumerate()
        {
            let numbers = [*torque, motor.lower, motor.upper].map(short_number);
            let note = if self.idle(j) { "any would do" } else { "" };
            rows.push(
                [motor.name.clone()].into_iter().chain(numbers).chain([note.into()]).collect(),
            );
        }
        rows
    }

    /// Whether a motor is at a limit that is worth nothing: its torque does not change what can be reached.
    fn idle(&self, motor: usize) -> bool {
        let a = &self.stance.actuators()[motor];
        let torque = self.found.torque[motor];
        let near = |limit: f64| (torque - limit).abs() <= 1e-9 * (a.upper - a.lower);
        let of =
            |limit: Limit| limit == Limit::TorqueUpper(motor) || limit == Limit::TorqueLower(motor);
        let worth =
            self.found.active.iter().filter(|l| of(l.limit)).map(|l| l.worth.abs()).sum::<f64>();
        let most = self.found.active.iter().fold(0.0_f64, |m, l| m.max(l.worth.abs()));
        (near(a.upper) || near(a.lower)) && worth <= 1e-9 * most
    }

    fn contacts(&self) -> Vec<Vec<String>> {
        let mut rows = vec![row(["contact", "normal/N", "tangential/N", "share of the cone"])];
        let forces = contact_forces(self.stance, &self.found);
        for (site, (name, tangents, normal)) in self.stance.contacts().iter().zip(forces) {
            let tangential = tangents.iter().map(|t| t * t).sum::<f64>().sqrt();
            let bound = site.surface.static_friction * normal;
            let share = if bound > 0.0 {
                format!("{:.1} %", 100.0 * tangential / bound)
            } else {
                "–".into()
            };
            rows.push(vec![name, short_number(normal), short_number(tangential), share]);
        }
        rows
    }

    fn active(&self) -> Vec<Vec<String>> {
        let mut rows = vec![row(["limit", "worth/(m/s² per N·m or N)"])];
        for active in &self.found.active {
            rows.push(vec![limit_text(self.stance, active.limit), short_number(active.worth)]);
        }
        rows
    }

    fn slopes(&self) -> Vec<Vec<String>> {
        let mut rows = vec![row(["coordinate", "slope/(m/s² per rad or m)"])];
        let size = self.gradient.amax();
        for (name, slope) in self.stance.model().v_names().into_iter().zip(&self.gradient) {
            let shown = if slope.abs() > 1e-9 * size { short_number(*slope) } else { "0".into() };
            rows.push(vec![name, shown]);
        }
        rows
    }

    fn write(&self, scene: &Scene, args: &CapabilityArgs, folder: &Path) -> Result<(), Refusal> {
        write_json(&folder.join("capability.json"), &self.json())?;
        let mut evaluator = Evaluator::new(self.stance);
        let v = scene.initial.v.as_slice();
        let reach = Reach::new(&mut evaluator, scene.initial.t, &self.q, v)?;
        let rows: Vec<Vec<String>> = reach
            .sphere(args.directions.max(1))?
            .iter()
            .map(|s| {
                let numbers = s.direction.iter().chain([&s.value]).chain(s.acceleration.iter());
                numbers.map(f64::to_string).collect()
            })
            .collect();
        let head = ["dx", "dy", "dz", "support", "ax", "ay", "az"];
        write_csv(&folder.join("directions.csv"), &head, &rows)?;
        let (axes, names) = plane(scene, &self.stance.task().direction);
        let polygon = reach.polygon(axes)?;
        let corners: Vec<Vec<String>> =
            polygon.corners.iter().map(|c| vec![c.x.to_string(), c.y.to_string()]).collect();
        write_csv(&folder.join("polygon.csv"), &["a1", "a2"], &corners)?;
        let a = carom_agility::capability::reach::point_acceleration(
            &mut evaluator,
            scene.initial.t,
            (&self.q, v),
            &self.found,
        );
        let arrow = [a.dot(&axes[0]), a.dot(&axes[1])];
        let title = format!("Accelerations of {}", self.point.replace('`', ""));
        let figure = figures::reach(&polygon, [&names[0], &names[1]], arrow, &title);
        figures::write(&figure, folder, "capability")
    }
}

/// Contacts that are named must touch.
fn apart(evaluator: &mut Evaluator<'_, '_>, scene: &Scene) -> Result<(), Refusal> {
    let (q, v) = (scene.initial.q.as_slice(), scene.initial.v.as_slice());
    evaluator.place(scene.initial.t, q, v);
    for site in evaluator.stance().contacts() {
        let gap = evaluator.site_state(site, q, v).gap;
        if gap.abs() > question::TOUCHING {
            let message = format!("contact `{}` is open by {} m", site.name, short_number(gap));
            let hint = "put it on the ground with --settle, or leave it out of --contacts";
            return Err(Refusal::new(message, hint));
        }
    }
    Ok(())
}

/// The plane of the figure: x–y in the plane, else that of the direction and the vertical.
fn plane(scene: &Scene, direction: &Vector3<f64>) -> ([Vector3<f64>; 2], [String; 2]) {
    if scene.space == Space::Planar {
        return ([Vector3::x(), Vector3::y()], ["x".into(), "y".into()]);
    }
    let gravity = scene.model.gravity();
    let up = if gravity.norm() > 0.0 { -gravity.normalize() } else { Vector3::z() };
    let level = direction - up * up.dot(direction);
    let side = if level.norm() > 1e-6 {
        level.normalize()
    } else {
        // Straight up: any horizontal axis of the world.
        let axis = if up.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
        (axis - up * up.dot(&axis)).normalize()
    };
    let name = |a: &Vector3<f64>| {
        let [x, y, z] = [a.x, a.y, a.z].map(|c| short_number((c * 1e3).round() / 1e3));
        format!("[{x}, {y}, {z}]").replace('-', "−")
    };
    ([side, up], [name(&side), name(&up)])
}
