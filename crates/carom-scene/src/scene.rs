//! A scene: a file read, checked and built.

use crate::assemble::{Assembly, add_pairs, assemble};
use crate::error::{Flaw, SceneError};
use crate::fault::Fault;
use crate::feedback::{SceneCondition, SceneForce};
use crate::files::{Files, Format, format, read_text};
use crate::hash::hash;
use crate::options::{NamedController, Options, PairInfo, Space};
use crate::overrides;
use crate::parts::{JointPart, PairPart, Parts};
use crate::read::actuator::actuators;
use crate::read::apart::moved_apart;
use crate::read::body::{add_to_body, features, new_body};
use crate::read::closing::closed;
use crate::read::condition::conditions;
use crate::read::contact::contacts;
use crate::read::controller::{Plant, controllers};
use crate::read::element::elements;
use crate::read::force::forces;
use crate::read::joint::{add_to_joint, joint};
use crate::read::limits::widen_limits;
use crate::read::motor::feedback;
use crate::read::pile::{add_piles, piles};
use crate::read::settings::{by_steps, law, options};
use crate::read::settle::Settling;
use crate::read::simplified::simplified;
use crate::read::start::{Stated, initial_state};
use crate::read::start_check::{Overlap, Start};
use crate::read::study::{runs, study};
use crate::read::untouched::untouched;
use crate::read::view::View;
use crate::read::{mjcf_table, urdf_table};
use crate::shelf::Shelf;
use crate::source::{Sources, Spot};
use crate::spec::run::{INITIAL, LAW};
use crate::spec::{body::BODY, joint::JOINT, scene::SCENE, validate::validate};
use crate::study_choice::{RunsChoice, StudyChoice};
use crate::suggest::{misspelt, nearest};
use crate::toml;
use crate::warning::{Caution, Cautions, Warning};
use carom::control::{Actuator, Prescribed};
use carom::hybrid::Simulation;
use carom::impact::{ImpactError, ImpactLaw, LawChoice};
use carom::model::{BodyId, Model, ModelBuilder, PairId};
use carom::state::State;
use nalgebra::Vector3;
use std::collections::HashMap;
use std::path::Path;

/// A mechanism, its start, and how it is to be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// One line that names the scene.
    pub title: Option<String>,
    /// What the scene shows.
    pub description: Option<String>,
    /// Whether bodies move in space or in the plane.
    pub space: Space,
    /// The mechanism.
    pub model: Model,
    /// The state at the start.
    pub initial: State,
    /// Solver and output.
    pub options: Options,
    /// The impact law.
    pub law: LawChoice,
    /// For each pair of the model: where its values come from, and its own law.
    pub pairs: Vec<PairInfo>,
    /// Motions in time that joints are made to have.
    pub prescribed: Vec<Prescribed>,
    /// Motors: those that are declared, then those that the efforts of joints imply.
    pub actuators: Vec<Actuator>,
    /// What they are told.
    pub controllers: Vec<NamedController>,
    /// Forces by expressions.
    pub forces: Vec<SceneForce>,
    /// Conditions on contacts.
    pub conditions: Vec<SceneCondition>,
    /// Random jumps, if they are declared.
    pub study: Option<StudyChoice>,
    /// Runs with values that vary, if they are declared.
    pub runs: Option<RunsChoice>,
    /// What was understood but cannot be honoured.
    pub warnings: Vec<Warning>,
    /// SHA-256 of the file, its overrides and included files.
    pub hash: String,
    /// The file itself and the files that it includes, in the order of reading.
    pub files: Vec<SceneFile>,
}

/// A file that a scene was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneFile {
    /// Its path as it was opened; of an included file, the folder of the scene joined with what the
    /// scene says.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Scene {
    /// Read a scene (TOML) or a robot description (URDF or MJCF).
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::load_with::<&str>(path, &[])
    }

    /// The same with overrides `path=value`.
    pub fn load_with<S: AsRef<str>>(
        path: impl AsRef<Path>,
        overrides: &[S],
    ) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text =
            read_text(path, &name, false).map_err(|fault| SceneError::whole_file(&name, fault))?;
        Self::parse_with(&text, &name, overrides)
    }

    /// Read a scene from its text. `name` is used in messages, and included files are looked for
    /// beside it.
    pub fn parse(text: &str, name: &str) -> Result<Self, SceneError> {
        Self::parse_with::<&str>(text, name, &[])
    }

    /// The same with overrides `path=value`.
    pub fn parse_with<S: AsRef<str>>(
        text: &str,
        name: &str,
        overrides: &[S],
    ) -> Result<Self, SceneError> {
        let mut sources = Sources::default();
        let mut cautions = Vec::new();
        let built = build(text, name, overrides, &mut sources, &mut cautions);
        let mut scene = built.map_err(|flaw| flaw.resolve(&sources))?;
        scene.hash = hash(sources.texts());
        scene.files = sources
            .files()
            .map(|(name, text)| SceneFile { name: name.into(), text: text.into() })
            .collect();
        scene.warnings = cautions
            .into_iter()
            .map(|(caution, spot)| Warning { caution, place: Some(sources.place(spot)) })
            .collect();
        Ok(scene)
    }
}

impl Scene {
    /// The simulation that the scene asks for: start, options, its law and those of its pairs.
    pub fn simulation(&self) -> Result<Simulation<'_>, ImpactError> {
        self.simulation_from(self.initial.clone())
    }

    /// The same from another state.
    pub fn simulation_from(&self, state: State) -> Result<Simulation<'_>, ImpactError> {
        let law = self.law.law()?;
        let mut simulation = self.simulation_under(state, law);
        for (law, pairs) in self.pair_laws() {
            simulation = simulation.law_of_pairs(&pairs, law.law()?);
        }
        Ok(simulation)
    }

    /// The same under a law of one's own, which holds for all pairs.
    pub fn simulation_under<'a>(
        &'a self,
        state: State,
        law: impl ImpactLaw + 'a,
    ) -> Simulation<'a> {
        let mut simulation =
            Simulation::new(&self.model, state, law).options(self.options.hybrid());
        for motion in &self.prescribed {
            simulation = simulation.prescribe(motion.clone());
        }
        if !self.controllers.is_empty() {
            simulation = simulation.actuators(self.actuators.clone());
        }
        for controller in &self.controllers {
            let law = controller.law.controller(&self.model, &self.actuators);
            simulation = simulation.controller(law);
        }
        for force in &self.forces {
            simulation = simulation.force(force.law(&self.model));
        }
        for condition in &self.conditions {
            simulation = simulation.condition(condition.condition(&self.model));
        }
        simulation
    }

    /// The laws of pairs that differ from the law of the scene, each once, with all pairs that have
    /// it: laws that are stated alike are one law.
    pub fn pair_laws(&self) -> Vec<(&LawChoice, Vec<PairId>)> {
        let mut laws: Vec<(&LawChoice, Vec<PairId>)> = Vec::new();
        for (index, pair) in self.pairs.iter().enumerate() {
            let Some(own) = pair.law.as_ref().filter(|law| **law != self.law) else { continue };
            let id = self.model.pair_id(index);
            match laws.iter_mut().find(|(law, _)| *law == own) {
                Some((_, pairs)) => pairs.push(id),
                None => laws.push((own, vec![id])),
            }
        }
        laws
    }
}

fn build<S: AsRef<str>>(
    text: &str,
    name: &str,
    overrides: &[S],
    sources: &mut Sources,
    cautions: &mut Cautions,
) -> Result<Scene, Flaw> {
    let source = sources.add_file(name, text);
    let mut files = Files::beside(name);
    let mut root = match format(text, name) {
        Format::Toml => toml::parse(sources, source)?,
        robot => {
            files.given_as_scene(name, source);
            let key = if robot == Format::Mjcf { "mjcf" } else { "urdf" };
            mjcf_table::scene_of(key, name, source)
        }
    };
    for text in overrides {
        overrides::apply(&mut root, sources, text.as_ref())?;
    }
    let planar = root.get("space").and_then(|n| n.text()) == Some("planar");
    validate(&root, &SCENE, "the scene", planar)?;
    let spot = Spot { source, start: 0, end: 0 };
    let scene = View { table: &root, spec: &SCENE, owner: "the scene".into(), spot, planar };
    Reading { scene: &scene, sources, files, cautions }.read()
}

/// The parts of one reading.
struct Reading<'a> {
    scene: &'a View<'a>,
    sources: &'a mut Sources,
    files: Files,
    cautions: &'a mut Cautions,
}

impl Reading<'_> {
    fn read(mut self) -> Result<Scene, Flaw> {
        let scene = self.scene;
        let mut parts = self.parts()?;
        let mut pairs = contacts(scene, &parts)?;
        let (mut model, bodies) = self.model(&parts, &mut pairs)?;
        let motions = prescribed(&parts, &bodies, &model);
        let spots: Vec<Spot> = parts.loops.iter().map(|part| part.spot).collect();
        let close = |state: &mut State, stated: &Stated, cautions: &mut Cautions| {
            closed((&model, &motions), state, stated, &spots, cautions)
        };
        let mut initial =
            initial_state(scene, &mut parts, (&bodies, &model), self.cautions, close)?;
        let widened = widen_limits(&mut parts, (&bodies, &model), &initial, self.cautions);
        if self.leave_out_overlaps((&parts, &bodies), (&model, &initial), &mut pairs) || widened {
            (model, _) = self.model(&parts, &mut pairs)?;
        }
        let settling = Settling { parts: &parts, ids: &bodies, model: &model, pairs: &pairs };
        settling.settle(scene, &mut initial)?;
        let start = Start {
            scene,
            parts: &parts,
            ids: &bodies,
            model: &model,
            state: &initial,
            pairs: &pairs,
        };
        let overlaps = start.check()?;
        let prescribed = prescribed(&parts, &bodies, &model);
        self.move_apart(overlaps, &model, (&mut initial, &prescribed))?;
        let piled = piles(scene, &parts)?;
        simplified(&parts, self.cautions);
        untouched(&parts, (&bodies, &model), (&pairs, &piled), self.cautions);
        let mut law = law(scene)?.unwrap_or_default();
        in_scope(scene, &law, &pairs)?;
        let options = options(scene)?;
        ends_later(scene, initial.t, options.solver.until)?;
        if options.solver.scheme == "moreau" {
            by_steps(scene, &mut law, &mut pairs, self.cautions);
        }
        let actuators = actuators(scene, &parts, &bodies, &model)?;
        let plant = Plant { model: &model, state: &initial, actuators: &actuators };
        let mut controllers = controllers(scene, &plant, (self.sources, &mut self.files))?;
        controllers.extend(feedback(&parts, &actuators)?);
        let forces = forces(scene, &model)?;
        let conditions = conditions(scene, &pairs, &model)?;
        Ok(Scene {
            forces,
            conditions,
            title: scene.text("title").map(str::to_string),
            description: scene.text("description").map(str::to_string),
            space: if scene.planar { Space::Planar } else { Space::Spatial },
            options,
            law,
            prescribed,
            actuators,
            runs: runs(scene)?,
            study: study(scene, (&parts, &bodies), &model, &controllers)?,
            controllers,
            pairs: pairs.into_iter().map(|p| p.info).collect(),
            warnings: Vec::new(),
            hash: String::new(),
            files: Vec::new(),
            model,
            initial,
        })
    }

    /// The model with all pairs whose shapes have a gap function, and the ids of its bodies.
    fn model(
        &mut self,
        parts: &Parts,
        pairs: &mut Vec<PairPart>,
    ) -> Result<(Model, Vec<BodyId>), Flaw> {
        let scene = self.scene;
        let mut builder = ModelBuilder::new();
        builder
            .gravity(gravity(scene, parts))
            .map_err(|source| scene.flaw("gravity", Fault::Model { source }))?;
        let mut assembly = assemble(parts, builder)?;
        add_pairs(&mut assembly, parts, pairs, scene.planar, self.cautions)?;
        add_piles(&mut assembly, &piles(scene, parts)?, pairs)?;
        let Assembly { builder, bodies, .. } = assembly;
        let model = builder.build().map_err(|source| model_flaw(scene, (parts, pairs), source))?;
        Ok((model, bodies))
    }

    /// Takes pairs of `self` out that overlap at the start, and tells of them; whether there were any.
    fn leave_out_overlaps(
        &mut self,
        (parts, ids): (&Parts, &[BodyId]),
        (model, state): (&Model, &State),
        pairs: &mut Vec<PairPart>,
    ) -> bool {
        let start = Start { scene: self.scene, parts, ids, model, state, pairs };
        let found = start.overlapping();
        for &(i, gap) in found.iter().rev() {
            let pair = pairs.remove(i);
            let (name, depth) = (pair.name, -gap);
            self.cautions.push((Caution::Overlaps { pair: name, depth }, pair.spot));
        }
        !found.is_empty()
    }

    /// Moves bodies apart that overlap, and tells of it.
    fn move_apart(
        &mut self,
        overlaps: Vec<Overlap>,
        model: &Model,
        (state, prescribed): (&mut State, &[Prescribed]),
    ) -> Result<(), Flaw> {
        let Some(first) = overlaps.first() else { return Ok(()) };
        let Some(q) = moved_apart(model, state.q.as_slice(), prescribed) else {
            let (pair, gap) = (first.pair.clone(), first.gap);
            let fault = Fault::Penetration { pair, gap, tolerance: f64::INFINITY, behind: None };
            return Err(Flaw::at(first.spot, fault));
        };
        state.q.copy_from_slice(&q);
        for overlap in overlaps {
            let (pair, depth) = (overlap.pair, -overlap.gap);
            self.cautions.push((Caution::MovedApart { pair, depth }, overlap.spot));
        }
        Ok(())
    }

    /// Bodies and features of included robots and of the scene itself, and what joins or pushes them.
    fn parts(&mut self) -> Result<Parts, Flaw> {
        let mut parts =
            urdf_table::robots(self.scene, self.sources, &mut self.files, self.cautions)?;
        let texts = (&mut *self.sources, &mut self.files);
        mjcf_table::models(self.scene, texts, &mut parts, self.cautions)?;
        let mut joints = self.joints(&mut parts)?;
        let links: HashMap<String, usize> =
            parts.bodies.iter().enumerate().map(|(i, b)| (b.name.clone(), i)).collect();
        let robots: Vec<String> = parts.bodies.iter().map(|b| b.name.clone()).collect();
        let mut shelf = Shelf::new(self.sources, &mut self.files);
        for (name, view) in self.scene.named("body", &BODY) {
            let number = match links.get(name) {
                Some(&i) => {
                    add_to_body(&mut parts.bodies[i], &view)?;
                    i
                }
                None => {
                    let outer = joints.remove(name);
                    let near = nearest(name, robots.iter().map(String::as_str));
                    parts.bodies.push(new_body((name, near), &view, outer, &mut shelf)?);
                    parts.bodies.len() - 1
                }
            };
            parts.features.extend(features(number, name, &view, &mut shelf)?);
        }
        dangling(joints, &parts)?;
        elements(self.scene, &mut parts)?;
        Ok(parts)
    }

    /// `[joint.NAME]`: additions to joints of robots, and new joints by their child.
    fn joints(&mut self, parts: &mut Parts) -> Result<HashMap<String, JointPart>, Flaw> {
        let of_robots: HashMap<String, usize> = parts
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, b)| !b.is_fixed_root)
            .map(|(i, b)| (b.joint.name.clone(), i))
            .collect();
        let links: HashMap<String, usize> =
            parts.bodies.iter().enumerate().map(|(i, b)| (b.name.clone(), i)).collect();
        let mut joints: HashMap<String, JointPart> = HashMap::new();
        for (name, view) in self.scene.named("joint", &JOINT) {
            if let Some(&i) = of_robots.get(name) {
                add_to_joint(&mut parts.bodies[i].joint, &view)?;
                continue;
            }
            let child = view.text("child").ok_or_else(|| {
                let known = parts.bodies.iter().filter(|b| !b.is_fixed_root);
                let known = known.map(|b| b.joint.name.as_str());
                let missing = view.missing("child", "the name of a body");
                misspelt(missing, "joint", name, nearest(name, known))
            })?;
            let part = joint(name, &view)?;
            let link = links.get(child).copied();
            if let Some(i) = link.filter(|&i| parts.bodies[i].is_fixed_root) {
                parts.bodies[i].joint = part;
                parts.bodies[i].is_fixed_root = false;
                continue;
            }
            let spot = view.spot_of("child");
            if let Some(first) = joints.get(child) {
                return Err(two_parents(child, &first.name, name, spot).also(first.spot));
            }
            if let Some(before) = link.map(|i| &parts.bodies[i].joint) {
                return Err(two_parents(child, &before.name, name, spot).also(before.spot));
            }
            joints.insert(child.to_string(), part);
        }
        Ok(joints)
    }
}

/// Time goes from the start to the end.
fn ends_later(scene: &View<'_>, start: f64, until: f64) -> Result<(), Flaw> {
    if start < until {
        return Ok(());
    }
    let fault = Fault::Range {
        owner: "initial".into(),
        key: "time".into(),
        value: start,
        allowed: format!("before solver.until = {until} s"),
    };
    match scene.sub("initial", &INITIAL) {
        Some(table) => Err(table.flaw("time", fault)),
        None => Err(Flaw::at(scene.spot, fault)),
    }
}

/// Laws that know contacts in the plane alone are refused where friction has two directions: they would answer nothing,
/// and every impact would be plastic.
fn in_scope(scene: &View<'_>, law: &LawChoice, pairs: &[PairPart]) -> Result<(), Flaw> {
    let planar = |law: &LawChoice| law.formulation.as_str() == "algebraic";
    let rough = |p: &PairPart| p.surface.static_friction > 0.0;
    let fault = |owner: &str| Fault::NotHere {
        owner: owner.into(),
        key: "formulation = \"algebraic\"".into(),
        because: "`algebraic` knows contacts in the plane, and here friction has two directions"
            .into(),
        instead: "choose newton, poisson, matrix, constraint, compliant or differential, or make the scene planar",
    };
    if scene.planar {
        return Ok(());
    }
    if planar(law) && pairs.iter().any(rough) {
        let table = scene.sub("law", &LAW);
        let spot = table.map_or(scene.spot, |table| table.key_spot("formulation"));
        return Err(Flaw::at(spot, fault("`law`")));
    }
    let own = |p: &&PairPart| p.info.law.as_ref().is_some_and(planar) && rough(p);
    match pairs.iter().find(own) {
        Some(pair) => Err(Flaw::at(pair.spot, fault("the law of a contact"))),
        None => Ok(()),
    }
}

/// Prescribed motions with their degrees of freedom.
fn prescribed(parts: &Parts, ids: &[BodyId], model: &Model) -> Vec<Prescribed> {
    let motions = parts.bodies.iter().zip(ids).filter_map(|(part, id)| {
        let motion = part.joint.prescribed.clone()?;
        Some(Prescribed { dof: model.v_range(*id).start, ..motion })
    });
    motions.collect()
}

fn two_parents(body: &str, first: &str, second: &str, spot: Spot) -> Flaw {
    let fault = Fault::TwoParents {
        what: "body",
        body: crate::source::shorten(body),
        first: first.into(),
        second: second.into(),
    };
    Flaw::word(spot, fault)
}

/// A joint whose child is no body.
fn dangling(joints: HashMap<String, JointPart>, parts: &Parts) -> Result<(), Flaw> {
    let first = joints.into_iter().min_by_key(|(_, joint)| joint.spot);
    let Some((child, joint)) = first else { return Ok(()) };
    let fault = Fault::UnknownName {
        owner: format!("joint `{}`", crate::source::shorten(&joint.name)),
        what: "body",
        name: crate::source::shorten(&child),
        suggestion: nearest(&child, parts.bodies.iter().map(|b| b.name.as_str())),
    };
    Err(Flaw::word(joint.spot, fault))
}

/// Gravity: stated in the scene, or by a robot file, or that of the Earth.
fn gravity(scene: &View<'_>, parts: &Parts) -> Vector3<f64> {
    let default = match scene.planar {
        true => Vector3::new(0.0, -9.81, 0.0),
        false => Vector3::new(0.0, 0.0, -9.81),
    };
    scene.vector("gravity").or(parts.gravity).unwrap_or(default)
}

/// A fault of the whole model, at the joint that it names.
fn model_flaw(
    scene: &View<'_>,
    (parts, pairs): (&Parts, &[PairPart]),
    source: carom::model::ModelError,
) -> Flaw {
    let named = match &source {
        carom::model::ModelError::Massless { joint } => Some(joint.as_str()),
        _ => None,
    };
    let spot = match &source {
        carom::model::ModelError::Thin { pair, .. }
        | carom::model::ModelError::Unsupported { pair, .. } => {
            pairs.iter().find(|known| known.name == *pair).map(|known| known.spot)
        }
        _ => parts.bodies.iter().find(|b| Some(b.joint.name.as_str()) == named).map(|b| b.spot),
    };
    Flaw::at(spot.unwrap_or(scene.spot), Fault::Model { source })
}
