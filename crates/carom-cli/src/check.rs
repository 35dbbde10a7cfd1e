//! `carom check`: what was understood of a scene.

use crate::args::CheckArgs;
use crate::exit;
use crate::scene_file::{fail, refuse_folder, warn};
use crate::words::{WIDTH, counted, wrapped};
use carom::dynamics::elements::point_spring_energy;
use carom::dynamics::energy::{gravity_energy, kinetic_energy};
use carom::dynamics::forces::spring_energy;
use carom::dynamics::{Kinematics, kinematics};
use carom::hybrid::Method;
use carom::impact::LawChoice;
use carom::model::tree::WORLD;
use carom::model::{Body, BodyId, Coordinate, Feature, JointKind, Model, Shape};
use carom_report::{q_units, v_units};
use carom_scene::{LawWords, Scene, Space, short_number};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::process::ExitCode;

/// Coordinates that are listed before the rest is only counted.
const LISTED: usize = 60;

/// Read the scene; print it, or the error.
pub fn run(args: &CheckArgs) -> ExitCode {
    let CheckArgs { scene: args, json } = args;
    if let Some(code) = refuse_folder(&args.file) {
        return code;
    }
    match Scene::load_with(&args.file, &args.overrides) {
        Ok(scene) => {
            let text = if *json { in_json(&scene) } else { describe(&scene) };
            let printed = exit::print_all(&text);
            warn(&scene);
            printed
        }
        Err(error) => fail(&error),
    }
}

/// The whole description.
fn describe(scene: &Scene) -> String {
    let mut text = summary(scene);
    if let Some(title) = &scene.title {
        text.push_str(&format!("{title}\n"));
    }
    text.push_str(&format!("\nbodies\n{}", tree(&scene.model)));
    text.push_str(&format!("\nstart, t = {} s\n{}", scene.initial.t, start(scene)));
    if from_robots(scene) && !scene.model.features().is_empty() {
        text.push_str(&format!(
            "\nfeatures, as [[contact]] names them\n{}",
            features(&scene.model)
        ));
    }
    if !scene.model.pairs().is_empty() {
        text.push_str(&format!("\ncontacts\n{}", contacts(scene)));
    }
    if !scene.controllers.is_empty() {
        text.push_str(&format!("\nmotors\n{}", motors(scene)));
    }
    if !scene.model.couplings().is_empty() {
        text.push_str(&format!("\nties\n{}", ties(&scene.model)));
    }
    if !scene.model.loops().is_empty() {
        text.push_str(&format!("\nloops\n{}", loops(&scene.model)));
    }
    text.push_str(&format!("\nenergy at the start\n{}", energy(scene)));
    text.push_str(&format!("\n{}", settings(scene)));
    text
}

/// What was understood, for programs.
fn in_json(scene: &Scene) -> String {
    let model = &scene.model;
    let body = |id: BodyId| {
        let body = model.body(id);
        json!({
            "name": body.name,
            "parent": body.parent.map(|p| model.body(p).name.clone()),
            "mass": body.inertia.mass,
            "joint": { "name": body.joint.name, "kind": body.joint.kind.word() },
        })
    };
    let numbers = |names: Vec<String>, values: &[f64], units: Vec<&str>| -> Vec<Value> {
        let all = names.into_iter().zip(values).zip(units);
        all.map(|((name, value), unit)| json!({ "name": name, "value": value, "unit": unit }))
            .collect()
    };
    let contact = |(pair, info): (&carom::model::ContactPair, &carom_scene::PairInfo)| {
        json!({
            "name": pair.name,
            "restitution": pair.surface.restitution,
            "static_friction": pair.surface.static_friction,
            "friction": pair.surface.friction,
            "law": info.law.as_ref().map(law),
        })
    };
    let feature = |f: &Feature| {
        let body = f.body.map(|b| &model.body(b).name);
        json!({ "name": f.name, "body": body, "shape": f.shape.word() })
    };
    let (q, v) = (scene.initial.q.as_slice(), scene.initial.v.as_slice());
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    let value = json!({
        "title": scene.title,
        "space": if scene.space == Space::Planar { "planar" } else { "spatial" },
        "degrees_of_freedom": model.nv(),
        "bodies": model.body_ids().map(body).collect::<Vec<_>>(),
        "coordinates": numbers(model.q_names(), q, q_units(model)),
        "velocities": numbers(model.v_names(), v, v_units(model)),
        "features": model.features().iter().map(feature).collect::<Vec<_>>(),
        "contacts": model.pairs().iter().zip(&scene.pairs).map(contact).collect::<Vec<_>>(),
        "energy": {
            "kinetic": kinetic_energy(model, &kin, v),
            "gravity": gravity_energy(model, &kin),
            "springs": spring_energy(model, q) + point_spring_energy(model, &kin),
        },
        "law": law(&scene.law),
        "until": scene.options.solver.until,
        "hash": scene.hash,
        "warnings": scene.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

fn summary(scene: &Scene) -> String {
    let model = &scene.model;
    let moving = model.tree().seats.iter().filter(|s| s.link != WORLD).count();
    format!(
        "{}, {}, {}\n",
        counted(moving, "moving body", "moving bodies"),
        counted(model.nv(), "degree of freedom", "degrees of freedom"),
        counted(model.pairs().len(), "contact pair", "contact pairs"),
    )
}

/// Bodies as an indented tree. A stack keeps long chains from exhausting the call stack.
fn tree(model: &Model) -> String {
    let mut children: Vec<Vec<BodyId>> = vec![Vec::new(); model.bodies().len() + 1];
    for id in model.body_ids() {
        let parent = model.body(id).parent.map_or(0, |p| p.index() + 1);
        children[parent].push(id);
    }
    let mut rows = vec![["world".to_string(), String::new(), String::new()]];
    let mut stack: Vec<(BodyId, String, bool)> = Vec::new();
    let push = |stack: &mut Vec<_>, of: usize, indent: &str| {
        for (i, &id) in children[of].iter().enumerate().rev() {
            stack.push((id, indent.to_string(), i + 1 == children[of].len()));
        }
    };
    push(&mut stack, 0, "");
    while let Some((id, indent, last)) = stack.pop() {
        let branch = if last { "└─ " } else { "├─ " };
        let body = model.body(id);
        rows.push([format!("{indent}{branch}{}", body.name), mass(body), joint(body)]);
        // Deep chains are shown flat: no line grows without bound.
        let inner = if indent.chars().count() >= 60 {
            indent
        } else {
            format!("{indent}{}", if last { "   " } else { "│  " })
        };
        push(&mut stack, id.index() + 1, &inner);
    }
    rows.push(["total moving mass".into(), kilograms(model.moving_mass()), String::new()]);
    table(&rows.iter().map(|r| r.to_vec()).collect::<Vec<_>>())
}

fn joint(body: &Body) -> String {
    let joint = &body.joint;
    let mut text = joint.kind.word().to_string();
    if joint.name != body.name {
        text.push_str(&format!(" `{}`", joint.name));
    }
    for (k, c) in joint.coordinates.iter().enumerate() {
        text.push_str(&coordinate(c, turns(&joint.kind, k)));
    }
    text
}

/// Whether a coordinate of a joint is an angle.
fn turns(kind: &JointKind, k: usize) -> bool {
    match kind {
        JointKind::Prismatic { .. } => false,
        JointKind::Planar => k >= 2,
        JointKind::Free => k >= 3,
        _ => true,
    }
}

/// What acts on a coordinate of a joint, in its units.
fn coordinate(c: &Coordinate, turns: bool) -> String {
    let (length, force) = if turns { ("rad", "N·m") } else { ("m", "N") };
    let mut text = String::new();
    if let Some(spring) = c.spring {
        let (k, rest) = (short_number(spring.stiffness), short_number(spring.rest));
        text.push_str(&format!(", spring {k} {force}/{length} at {rest} {length}"));
    }
    if c.damping != 0.0 {
        text.push_str(&format!(", damping {} {force}·s/{length}", short_number(c.damping)));
    }
    if let Some(limits) = c.limits {
        let [lower, upper] = [limits.lower, limits.upper].map(short_number);
        text.push_str(&format!(", limits [{lower}, {upper}] {length}"));
        if limits.restitution > 0.0 {
            text.push_str(&format!(" with e = {}", short_number(limits.restitution)));
        }
    }
    if c.effort.is_finite() {
        text.push_str(&format!(", effort {} {force}", short_number(c.effort)));
    }
    if c.ratio != 1.0 {
        text.push_str(&format!(", ratio {}", short_number(c.ratio)));
    }
    if c.rotor_inertia != 0.0 {
        let unit = if turns { "kg·m²" } else { "kg" };
        text.push_str(&format!(", rotor {} {unit}", short_number(c.rotor_inertia)));
    }
    text
}

fn mass(body: &Body) -> String {
    if body.inertia.mass > 0.0 { kilograms(body.inertia.mass) } else { "–".into() }
}

fn kilograms(mass: f64) -> String {
    format!("{} kg", short_number(mass))
}

/// Coordinates and velocities that are not at their neutral value.
fn start(scene: &Scene) -> String {
    let neutral = carom::state::State::neutral(&scene.model);
    let mut rows = Vec::new();
    let mut count = 0;
    let mut push = |name: String, (value, usual): (f64, f64), unit: &str| {
        if value != usual {
            count += 1;
            if count <= LISTED {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                rows.push(vec![format!("{name} = {}{unit}", short_number(value))]);
            }
        }
    };
    let model = &scene.model;
    let (q_names, q_units, v_units) = (model.q_names(), q_units(model), v_units(model));
    for (i, name) in q_names.iter().enumerate() {
        push(name.clone(), (scene.initial.q[i], neutral.q[i]), q_units[i]);
    }
    let coordinates: HashSet<&String> = q_names.iter().collect();
    for (i, name) in model.v_names().into_iter().enumerate() {
        // A joint with one degree of freedom has one name for its angle and its rate.
        let name = if coordinates.contains(&name) { format!("rate of {name}") } else { name };
        push(name, (scene.initial.v[i], 0.0), v_units[i]);
    }
    if count > LISTED {
        rows.push(vec![format!("and {} more", count - LISTED)]);
    }
    if rows.is_empty() {
        rows.push(vec!["all coordinates and velocities zero".into()]);
    }
    table(&rows)
}

/// Whether parts of the scene come from robot descriptions, which are XML: their names stand in no scene.
fn from_robots(scene: &Scene) -> bool {
    scene.files.iter().any(|file| file.text.trim_start().starts_with('<'))
}

/// What can touch, and in how many pairs it does.
fn features(model: &Model) -> String {
    let mut rows = vec![["feature", "shape", "pairs"].map(String::from).to_vec()];
    let mut taken = vec![0; model.features().len()];
    for side in model.pairs().iter().flat_map(|pair| [pair.a, pair.b]) {
        taken[side.index()] += 1;
    }
    for (feature, pairs) in model.features().iter().zip(taken).take(LISTED) {
        let pairs = if pairs == 0 { "none".into() } else { pairs.to_string() };
        rows.push(vec![feature.name.clone(), feature.shape.word().into(), pairs]);
    }
    let more = model.features().len().saturating_sub(LISTED);
    if more > 0 {
        rows.push(vec![format!("and {more} more")]);
    }
    table(&rows)
}

fn contacts(scene: &Scene) -> String {
    let model = &scene.model;
    // Where no pair has a law of its own, that of the scene is told once, below.
    let own = scene.pairs.iter().any(|info| info.law.is_some());
    let titles = ["pair", "shapes", "e", "from", "μs", "μd", "from", "law"];
    let columns = titles.len() - usize::from(!own);
    let mut rows = vec![titles[..columns].iter().map(|title| title.to_string()).collect()];
    for (pair, info) in model.pairs().iter().zip(&scene.pairs) {
        let (a, b) = (&model.feature(pair.a).shape, &model.feature(pair.b).shape);
        let s = &pair.surface;
        let mut row = vec![
            pair.name.clone(),
            format!("{} on {}", shape(b), shape(a)),
            short_number(s.restitution),
            info.restitution.to_string(),
            short_number(s.static_friction),
            short_number(s.friction),
            info.friction.to_string(),
            info.law.as_ref().map_or("of the scene".into(), law),
        ];
        row.truncate(columns);
        rows.push(row);
    }
    table(&rows)
}

fn motors(scene: &Scene) -> String {
    let names = scene.model.v_names();
    let mut rows =
        vec![["motor", "joint", "least", "largest", "told by"].map(String::from).to_vec()];
    for (i, a) in scene.actuators.iter().enumerate() {
        let tell = |c: &carom_scene::NamedController| {
            c.law.actuators().contains(&i).then(|| format!("{} ({})", c.name, c.law.word()))
        };
        let told: Vec<String> = scene.controllers.iter().filter_map(tell).collect();
        rows.push(vec![
            a.name.clone(),
            names[a.dof].clone(),
            short_number(a.lower),
            short_number(a.upper),
            if told.is_empty() { "nobody".into() } else { told.join(", ") },
        ]);
    }
    table(&rows)
}

fn shape(shape: &Shape) -> String {
    shape.word().to_string()
}

fn ties(model: &Model) -> String {
    let names = model.v_names();
    let row = |tie: &carom::model::Coupling| {
        let text = format!(
            "{} = {} × {} + {}",
            names[tie.follower],
            short_number(tie.ratio),
            names[tie.leader],
            short_number(tie.offset)
        );
        vec![text]
    };
    table(&model.couplings().iter().map(row).collect::<Vec<_>>())
}

fn loops(model: &Model) -> String {
    let name = |body: Option<BodyId>| {
        body.map_or_else(|| String::from("the world"), |body| model.body(body).name.clone())
    };
    let row = |one: &carom::model::Loop| {
        let [a, b] = one.bodies().map(name);
        vec![one.name.clone(), one.kind.word().to_string(), format!("{a} and {b}")]
    };
    table(&model.loops().iter().map(row).collect::<Vec<_>>())
}

fn energy(scene: &Scene) -> String {
    let model = &scene.model;
    let (q, v) = (scene.initial.q.as_slice(), scene.initial.v.as_slice());
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    let parts = [
        ("kinetic", kinetic_energy(model, &kin, v)),
        ("gravity", gravity_energy(model, &kin)),
        ("springs", spring_energy(model, q) + point_spring_energy(model, &kin)),
    ];
    let total: f64 = parts.iter().map(|p| p.1).sum();
    let row =
        |(name, joules): (&str, f64)| vec![name.to_string(), format!("{} J", short_number(joules))];
    table(&parts.into_iter().chain([("total", total)]).map(row).collect::<Vec<_>>())
}

fn settings(scene: &Scene) -> String {
    let (s, o) = (&scene.options.solver, &scene.options.output);
    let g = scene.model.gravity();
    let stepped = scene.options.solver.scheme == "moreau";
    let solver = match scene.options.hybrid().method() {
        _ if stepped => format!("moreau, step {:e} s, until {} s", s.step, s.until),
        Method::Rk4 { step } => {
            let projected = if s.projected { ", events of friction projected" } else { "" };
            format!("rk4, step {step:e} s{projected}, until {} s", s.until)
        }
        method => {
            let word = if method == Method::Dop853 { "dop853" } else { "dopri5" };
            format!("{word}, rtol {:e}, atol {:e}, until {} s", s.rtol, s.atol, s.until)
        }
    };
    let output = match o.interval {
        Some(interval) => format!("every {interval} s"),
        None => "every step".into(),
    };
    let space = if scene.space == Space::Planar { "planar" } else { "spatial" };
    table(&[
        vec!["space".into(), space.into()],
        vec!["gravity".into(), format!("[{}, {}, {}] m/s²", g.x, g.y, g.z)],
        vec!["law".into(), law(&scene.law)],
        vec!["solver".into(), solver],
        vec!["output".into(), output],
        vec!["hash".into(), scene.hash.clone()],
    ])
}

fn law(law: &LawChoice) -> String {
    let law = LawWords::of(law);
    let mut words = vec![law.formulation.to_string()];
    words.extend(law.which.map(|(_, word)| word.into()));
    words.push(law.rule.into());
    words.extend(law.flags_on().map(|key| match key {
        "constrain_tangents" => "constrained tangents".into(),
        key => key.into(),
    }));
    words.extend(law.unusual_numbers().map(|n| format!("{} {}", n.key, short_number(n.value))));
    let controls = law.energy_control.iter();
    words.extend(controls.map(|(method, ratio)| format!("energy {method} at {ratio}")));
    words.join(", ")
}

/// Rows with aligned columns, two blanks before each.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; columns];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        let (last, others) = row.split_last().map_or((None, &row[..]), |(l, o)| (Some(l), o));
        for (cell, &width) in others.iter().zip(&widths) {
            line.push_str(&format!("  {cell:<width$}"));
        }
        // The last cell goes on below where the terminal ends; without room for that it has lines of its own.
        let start = line.chars().count() + 2;
        let whole = last.cloned().unwrap_or_default();
        let fits = start + whole.chars().count() <= WIDTH;
        let beside = fits || start + 24 <= WIDTH;
        let indent = if beside { start } else { 8 };
        if !beside {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        for (k, part) in wrapped(&whole, indent, indent).iter().enumerate() {
            let lead = if k == 0 && beside { line.clone() } else { " ".repeat(indent - 2) };
            text.push_str(format!("{lead}  {part}").trim_end());
            text.push('\n');
        }
    }
    text
}
