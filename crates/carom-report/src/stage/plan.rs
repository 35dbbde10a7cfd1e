//! Everything that is to be drawn and does not change.

use super::fixtures::{Pin, SpringLine, closures, pins, rods, springs};
use super::skeleton::{Line, skeleton};
use super::solids::solids;
use super::{Bounds, Drawn};
use carom::contact::{Site, sites};
use carom::model::tree::WORLD;
use carom::model::{BodyId, Model};
use carom::spatial::Pose;
use carom_scene::{Scene, Space};
use nalgebra::{Matrix3, Vector3};

/// A body that moves.
#[derive(Debug, Clone, PartialEq)]
pub struct StageBody {
    /// The body of the model.
    pub id: BodyId,
    /// Its name.
    pub name: String,
    /// The body that carries it: place in [`Stage::bodies`]; none is the world.
    pub parent: Option<usize>,
    /// Its shapes, in its frame.
    pub shapes: Vec<Drawn>,
    /// Mass, kg; zero for a body that only carries others.
    pub mass: f64,
    /// Centre of mass in its frame, m.
    pub com: Vector3<f64>,
    /// Inertia about its centre of mass, along the axes of its frame, kg·m².
    pub inertia: Matrix3<f64>,
}

/// What is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Whether it is drawn in the x–y plane or in space.
    pub space: Space,
    /// Against gravity; y (planar) or z without gravity.
    pub up: Vector3<f64>,
    /// Moving bodies.
    pub bodies: Vec<StageBody>,
    /// Shapes fixed to the world, planes included.
    pub fixed: Vec<Drawn>,
    /// Lines that show bodies without shapes, and rods of loops.
    pub links: Vec<Line>,
    /// Joints, then pins of loops.
    pub joints: Vec<Pin>,
    /// Springs along slides and between points.
    pub springs: Vec<SpringLine>,
    /// Places where contact may happen, as the simulator has them.
    pub sites: Vec<Site>,
}

impl Stage {
    /// The stage of a scene.
    pub fn of(scene: &Scene) -> Self {
        Self::new(&scene.model, scene.space)
    }

    /// The stage of a model.
    pub fn new(model: &Model, space: Space) -> Self {
        let planar = space == Space::Planar;
        let moves = |id: BodyId| model.tree().seats[id.index()].link != WORLD;
        let ids: Vec<BodyId> = model.body_ids().filter(|id| moves(*id)).collect();
        let place = |id: BodyId| ids.iter().position(|other| *other == id);
        let bodies: Vec<StageBody> = ids
            .iter()
            .map(|id| {
                let parent = model.body(*id).parent.and_then(place);
                StageBody { parent, ..body(model, *id, planar) }
            })
            .collect();
        Self {
            space,
            up: up(model, planar),
            fixed: fixed(model, planar),
            links: [skeleton(model, &bodies, place), rods(model, place)].concat(),
            joints: [pins(model, &bodies), closures(model, planar, place)].concat(),
            springs: springs(model, &bodies, place),
            sites: sites(model),
            bodies,
        }
    }

    /// Whether it is drawn in the x–y plane.
    pub fn is_planar(&self) -> bool {
        self.space == Space::Planar
    }

    /// Widens `bounds` so that it holds all moving shapes, lines and springs; `poses` as
    /// [`super::Posture::poses`] gives them.
    pub fn widen(&self, poses: &[Pose], bounds: &mut Bounds) {
        for (body, X) in self.bodies.iter().zip(poses) {
            bounds.add(&X.point(&body.com));
            for shape in &body.shapes {
                if let Some([low, high]) = shape.extent(X) {
                    bounds.add(&low);
                    bounds.add(&high);
                }
            }
        }
        for end in self.links.iter().chain(&self.springs).flatten() {
            bounds.add(&match end.body {
                Some(index) => poses[index].point(&end.point),
                None => end.point,
            });
        }
    }
}

fn body(model: &Model, id: BodyId, planar: bool) -> StageBody {
    let body = model.body(id);
    let own = model.features().iter().filter(|f| f.body == Some(id));
    StageBody {
        id,
        name: body.name.clone(),
        parent: None,
        shapes: solids(own, planar),
        mass: body.inertia.mass,
        com: body.inertia.com,
        inertia: body.inertia.about_com,
    }
}

/// Shapes of the world and of bodies that never move, in the world.
fn fixed(model: &Model, planar: bool) -> Vec<Drawn> {
    let mut all = solids(model.features().iter().filter(|f| f.body.is_none()), planar);
    for id in model.body_ids() {
        let seat = model.tree().seats[id.index()];
        if seat.link != WORLD {
            continue;
        }
        let own = model.features().iter().filter(|f| f.body == Some(id));
        for mut drawn in solids(own, planar) {
            drawn.pose = seat.pose.then(&drawn.pose);
            all.push(drawn);
        }
    }
    all
}

fn up(model: &Model, planar: bool) -> Vector3<f64> {
    let g = model.gravity();
    match g.norm() {
        0.0 if planar => Vector3::y(),
        0.0 => Vector3::z(),
        // 0 − x, not −x: an entry without gravity is +0.
        size => g.map(|x| 0.0 - x / size),
    }
}
