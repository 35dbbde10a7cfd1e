//! A mechanism that stands on contacts and wants to accelerate a point.

use super::names::Names;
use super::task::{Hold, Task};
use carom::contact::Site;
use carom::control::{Actuator, Prescribed};
use carom::dynamics::loops::LoopRows;
use carom::model::Model;
use std::sync::Arc;

/// Everything about the question but the posture.
#[derive(Debug, Clone)]
pub struct Stance<'m> {
    model: &'m Model,
    actuators: Vec<Actuator>,
    contacts: Vec<Site>,
    prescribed: Vec<Prescribed>,
    task: Task,
    names: Arc<Names>,
}

impl<'m> Stance<'m> {
    /// A mechanism with its motors and a task, standing on nothing.
    pub fn new(model: &'m Model, actuators: &[Actuator], task: Task) -> Self {
        let names = Arc::default();
        let actuators = actuators.to_vec();
        let (contacts, prescribed) = (Vec::new(), Vec::new());
        let mut stance = Self { model, actuators, contacts, prescribed, task, names };
        stance.rename();
        stance
    }

    /// Contacts that are kept.
    pub fn standing_on(mut self, contacts: Vec<Site>) -> Self {
        self.contacts = contacts;
        self.rename();
        self
    }

    /// Joints that follow a prescribed motion.
    pub fn prescribed(mut self, motions: &[Prescribed]) -> Self {
        self.prescribed = motions.to_vec();
        self
    }

    /// The same with another task.
    pub fn with_task(mut self, task: Task) -> Self {
        self.task = task;
        self.rename();
        self
    }

    fn rename(&mut self) {
        let across = ["first across the direction", "second across the direction"];
        let turns = ["angular about x", "angular about y", "angular about z"];
        let held: Vec<&str> = match self.task.hold {
            Hold::Nothing => Vec::new(),
            Hold::Line => across.to_vec(),
            Hold::Body => across.into_iter().chain(turns).collect(),
        };
        self.names = Arc::new(Names {
            motors: self.actuators.iter().map(|a| a.name.clone()).collect(),
            contacts: self.contacts.iter().map(|s| s.name.clone()).collect(),
            held: held.into_iter().map(String::from).collect(),
        });
    }

    /// The mechanism.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Its motors.
    pub fn actuators(&self) -> &[Actuator] {
        &self.actuators
    }

    /// The contacts that are kept.
    pub fn contacts(&self) -> &[Site] {
        &self.contacts
    }

    /// Prescribed motions.
    pub fn motions(&self) -> &[Prescribed] {
        &self.prescribed
    }

    /// Which point where to.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// What things are called.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// Rows of contacts and ties.
    pub(super) fn row_count(&self) -> usize {
        let contacts: usize = self.contacts.iter().map(|s| s.tangents + 1).sum();
        let planar = self.model.moves_in_plane();
        let loops = self.model.loops().iter().map(|one| LoopRows::count(&one.kind, planar));
        contacts + self.model.couplings().len() + self.prescribed.len() + loops.sum::<usize>()
    }

    /// Rows of held accelerations.
    pub(super) fn held_count(&self) -> usize {
        self.names.held.len()
    }
}
