//! The columns of a trajectory: one name and unit each, and a row for each sample.
//!
//! | column | meaning | unit |
//! |---|---|---|
//! | `t` | time; twice at an event, before and after | s |
//! | `q.NAME`, `v.NAME` | coordinates and velocities by the names of the model | per joint |
//! | `a.NAME` | accelerations, by the names of the velocities | per joint |
//! | `w.NAME.x`, `.y`, `.z` | angular velocity of a body that turns freely in the world, along the axes of the world (2) | rad/s |
//! | `energy.kinetic`, `energy.gravity`, `energy.spring`, `energy.stored` | now; the last is their sum | J |
//! | `work.applied`, `work.damping`, `work.attenuation`, `work.carried` | done on the mechanism so far, the last two by energy control and by time steps | J |
//! | `loss.SITE` | lost at the contact so far, by sliding and impacts | J |
//! | `gap.SITE` | gap, positive when apart | m (rad at a revolute limit) |
//! | `force.SITE.t1`, `.t2`, `.n` | contact force; as many tangents as the site has | N |
//! | `loop.NAME.fx`, `.fy`, `.fz` | force of a loop on its second body, along the axes of the world; no z in the plane | N |
//! | `loop.NAME.mx`, `.my`, `.mz` | moment of a hinge or weld on it, at the frame of the loop there; z alone in the plane | N·m |
//! | `torque.NAME` | force of a motor, within its limits | N·m or N |
//! | `mode.SITE` | `open`, `stick` or `slip` | – |
//!
//! With E₀ the first `energy.stored`, the energy ledger is
//! ```text
//! energy.stored = E₀ + work.applied + work.damping + work.attenuation + work.carried − Σ loss.SITE − loss.groups    (1)
//! ```
//!
//! `v.NAME.wx` of a free or spherical joint is along the axes of the body. Where the joint hangs on the world, with R the
//! rotation of its frame, w the first and a the other parts of its unit quaternion,
//! ```text
//! ω_world = R (ω + 2 a × (w ω + a × ω))                                                              (2)
//! ```
//!
//! # Tests
//! `tests/write_and_read.rs`: `eq1_ledger_in_the_file`, `eq2_turns_along_the_axes_of_the_world`.

use super::job::ActuatorRecord;
use carom::contact::{Mode, Site};
use carom::model::{JointKind, LoopKind, Model};
use carom::record::Sample;
use nalgebra::{Matrix3, Vector3};

/// Words of the contact modes, by code.
pub const MODE_WORDS: [&str; 3] = ["open", "stick", "slip"];

/// A column of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name in all files.
    pub name: String,
    /// Unit; empty for a pure number.
    pub unit: &'static str,
}

/// All columns of a run: numbers first, then one mode for each site.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    /// Columns of numbers, `t` first.
    pub numbers: Vec<Column>,
    /// Columns of modes.
    pub modes: Vec<String>,
    /// How many motors there are.
    torques: usize,
    /// Tangents of each site.
    tangents: Vec<usize>,
    /// Which of force x, y, z and moment x, y, z each loop has.
    loops: Vec<[bool; 6]>,
    /// Bodies that turn freely in the world.
    spins: Vec<Spin>,
    /// Whether there are groups whose contacts have no columns of their own.
    grouped: bool,
}

/// Where the angular velocity of a joint on the world is found.
#[derive(Debug, Clone, PartialEq)]
struct Spin {
    /// Name of the joint.
    name: String,
    /// First entries of the quaternion in q and of the angular velocity in v.
    q: usize,
    v: usize,
    /// The joint's frame.
    frame: Matrix3<f64>,
}

impl Spin {
    fn all(model: &Model) -> Vec<Self> {
        let (mut q, mut v) = (0, 0);
        let mut all = Vec::new();
        for body in model.bodies() {
            let (joint, kind) = (&body.joint, &body.joint.kind);
            if matches!(kind, JointKind::Free | JointKind::Spherical) && body.parent.is_none() {
                let (q, v) = (q + kind.plain(), v + kind.plain());
                all.push(Self { name: joint.name.clone(), q, v, frame: joint.placement.R });
            }
            q += kind.nq();
            v += kind.nv();
        }
        all
    }

    /// Equation (2).
    fn along_the_world(&self, q: &[f64], v: &[f64]) -> Vector3<f64> {
        let (w, a) = (q[self.q], Vector3::from_column_slice(&q[self.q + 1..self.q + 4]));
        let spin = Vector3::from_column_slice(&v[self.v..self.v + 3]);
        self.frame * (spin + a.cross(&(spin * w + a.cross(&spin))) * 2.0)
    }
}

impl Columns {
    /// The columns of a model and its sites.
    pub fn new(model: &Model, sites: &[Site]) -> Self {
        let mut numbers = Vec::new();
        let mut add = |name: String, unit| numbers.push(Column { name, unit });
        add("t".into(), "s");
        for (name, unit) in model.q_names().iter().zip(q_units(model)) {
            add(format!("q.{name}"), unit);
        }
        for (name, unit) in model.v_names().iter().zip(v_units(model)) {
            add(format!("v.{name}"), unit);
        }
        for (name, unit) in model.v_names().iter().zip(v_units(model)) {
            add(format!("a.{name}"), if unit == "rad/s" { "rad/s²" } else { "m/s²" });
        }
        let spins = Spin::all(model);
        for spin in &spins {
            for axis in ["x", "y", "z"] {
                add(format!("w.{}.{axis}", spin.name), "rad/s");
            }
        }
        for name in ["kinetic", "gravity", "spring", "stored"] {
            add(format!("energy.{name}"), "J");
        }
        for name in ["applied", "damping", "attenuation", "carried"] {
            add(format!("work.{name}"), "J");
        }
        let grouped = model.groups().iter().any(|group| !group.is_written_out());
        if grouped {
            add("loss.groups".into(), "J");
        }
        for site in sites {
            let turns = turns(model, site);
            add(format!("loss.{}", site.name), "J");
            add(format!("gap.{}", site.name), if turns { "rad" } else { "m" });
            let force = if turns { "N·m" } else { "N" };
            let moment = if site.follows().is_some() { "N·m" } else { force };
            for axis in ["t1", "t2"].iter().take(site.tangents) {
                add(format!("force.{}.{axis}", site.name), moment);
            }
            add(format!("force.{}.n", site.name), force);
        }
        let loops: Vec<[bool; 6]> =
            model.loops().iter().map(|one| parts(&one.kind, model.moves_in_plane())).collect();
        for (one, parts) in model.loops().iter().zip(&loops) {
            let all = ["fx", "fy", "fz", "mx", "my", "mz"].iter().zip(parts).enumerate();
            for (k, (part, _)) in all.filter(|(_, (_, there))| **there) {
                add(format!("loop.{}.{part}", one.name), if k < 3 { "N" } else { "N·m" });
            }
        }
        Self {
            numbers,
            loops,
            modes: sites.iter().map(|s| format!("mode.{}", s.name)).collect(),
            torques: 0,
            grouped,
            tangents: sites.iter().map(|s| s.tangents).collect(),
            spins,
        }
    }

    /// The same with columns for motors, after all other numbers.
    pub fn with_torques(mut self, actuators: &[ActuatorRecord]) -> Self {
        for actuator in actuators {
            let unit = if actuator.unit == "N" { "N" } else { "N·m" };
            self.numbers.push(Column { name: format!("torque.{}", actuator.name), unit });
        }
        self.torques = actuators.len();
        self
    }

    /// Puts a sample into a row of numbers and a row of mode codes.
    pub fn fill(&self, sample: &Sample<'_>, row: &mut Vec<f64>, modes: &mut Vec<u8>) {
        row.clear();
        modes.clear();
        row.push(sample.t);
        row.extend_from_slice(sample.q);
        row.extend_from_slice(sample.v);
        row.extend_from_slice(sample.vdot);
        for spin in &self.spins {
            row.extend_from_slice(spin.along_the_world(sample.q, sample.v).as_slice());
        }
        let l = sample.ledger;
        row.extend([
            l.kinetic,
            l.gravity,
            l.spring,
            l.stored(),
            l.applied,
            l.damping,
            l.attenuation,
            l.carried,
        ]);
        if self.grouped {
            row.push(0.0 - l.groups.total());
        }
        for (k, tangents) in self.tangents.iter().enumerate() {
            // 0 − x, not −x: nothing lost is +0.
            row.push(0.0 - l.sites[k].total());
            row.push(sample.gaps[k]);
            row.extend_from_slice(&sample.forces[k][..*tangents]);
            row.push(sample.forces[k][2]);
            modes.push(mode_code(&sample.modes[k]));
        }
        for (force, parts) in sample.loops.iter().zip(&self.loops) {
            let all = force.f.iter().chain(force.n.iter()).zip(parts);
            row.extend(all.filter(|(_, there)| **there).map(|(x, _)| *x));
        }
        row.extend((0..self.torques).map(|i| sample.torques.get(i).copied().unwrap_or(0.0)));
        debug_assert_eq!(row.len(), self.numbers.len());
    }
}

/// Which of force x, y, z and moment x, y, z a loop has.
fn parts(kind: &LoopKind, planar: bool) -> [bool; 6] {
    let moment = match kind {
        LoopKind::Point | LoopKind::Distance { .. } => [false; 3],
        LoopKind::Hinge => [!planar; 3],
        LoopKind::Weld => [!planar, !planar, true],
    };
    [true, true, !planar, moment[0], moment[1], moment[2]]
}

/// The code of a mode: its place in [`MODE_WORDS`].
pub fn mode_code(mode: &Mode) -> u8 {
    match mode {
        Mode::Open => 0,
        Mode::Stick => 1,
        Mode::Slip { .. } => 2,
    }
}

/// Whether a site is the limit, or the friction, of a joint that turns.
fn turns(model: &Model, site: &Site) -> bool {
    site.joint().is_some_and(|dof| v_units(model)[dof] == "rad/s")
}

/// Units of q; empty for the parts of a quaternion.
pub fn q_units(model: &Model) -> Vec<&'static str> {
    units(model, |kind| match kind {
        JointKind::Fixed => &[],
        JointKind::Revolute { .. } => &["rad"],
        JointKind::Prismatic { .. } => &["m"],
        JointKind::Planar => &["m", "m", "rad"],
        JointKind::Spherical => &[""; 4],
        JointKind::Free => &["m", "m", "m", "", "", "", ""],
    })
}

/// Units of v.
pub fn v_units(model: &Model) -> Vec<&'static str> {
    units(model, |kind| match kind {
        JointKind::Fixed => &[],
        JointKind::Revolute { .. } => &["rad/s"],
        JointKind::Prismatic { .. } => &["m/s"],
        JointKind::Planar => &["m/s", "m/s", "rad/s"],
        JointKind::Spherical => &["rad/s"; 3],
        JointKind::Free => &["m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"],
    })
}

fn units(model: &Model, of: impl Fn(&JointKind) -> &'static [&'static str]) -> Vec<&'static str> {
    model.bodies().iter().flat_map(|body| of(&body.joint.kind)).copied().collect()
}
