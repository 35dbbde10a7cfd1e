//! The runs.

use carom::record::Event;

use crate::error::Trouble;
use crate::experiment::Context;
use crate::flickinger::case::Case;
use crate::flickinger::control::Control;
use crate::flickinger::scenes::DOUBLE_PENDULUM;

/// v_s of table 2.1, m/s.
pub const SLIP_SPEED: f64 = 1e-5;

/// L3 of table 2.1, taken as the height of the pivot above the floor, m.
pub const FLOOR: f64 = 1.5;

/// Heights that round to L3, m.
pub fn floors(context: &Context) -> Vec<f64> {
    let count = context.pick(10, 2);
    (0..=count).map(|i| FLOOR - 0.05 + 0.1 * f64::from(i) / f64::from(count)).collect()
}

/// What makes one run differ from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Name of its files.
    pub name: &'static str,
    /// What it is, and where.
    pub title: &'static str,
    /// Published figures of it.
    pub figures: &'static str,
    /// e.
    pub restitution: f64,
    /// Energy control.
    pub control: Control,
    /// q1 and q2 at the start.
    pub start: [&'static str; 2],
    /// End, s.
    pub until: f64,
    /// Published CPU time, s.
    pub published: Option<f64>,
}

const fn level(
    name: &'static str,
    [title, figures]: [&'static str; 2],
    (restitution, limit): (f64, f64),
    published: f64,
) -> Setting {
    Setting {
        name,
        title,
        figures,
        restitution,
        control: Control::Attenuation(limit),
        start: ["0deg", "0deg"],
        until: 10.0,
        published: Some(published),
    }
}

/// The runs of table 2.4 that start from the horizontal.
pub const TABLE_2_4: [Setting; 5] = [
    level("no_control", ["no energy control, 3.4.1", "figures 3.2 to 3.4"], (1.0, 5.0), 849.45),
    level("low_restitution", ["low restitution, 3.6.1", "figures 3.8, 3.9"], (0.0, 0.5), 490.86),
    level("minimum", ["minimum energy control, 5.2.1", "figures 5.2, 5.3"], (1.0, 1.0), 54.32),
    level("moderate", ["moderate energy control, 5.2.2", "figures 5.4, 5.5"], (1.0, 0.5), 67.04),
    level(
        "moderate_low",
        ["moderate energy control, low restitution, 5.2.3", "figures 5.6, 5.7"],
        (0.1, 0.5),
        63.88,
    ),
];

const fn raised(
    name: &'static str,
    title: &'static str,
    control: Control,
    published: Option<f64>,
) -> Setting {
    let start = ["pi/4", "-3pi/4"];
    let figures = "figures 5.14 to 5.16";
    Setting { name, title, figures, restitution: 1.0, control, start, until: 5.0, published }
}

/// The runs of section 5.5.
pub const SECTION_5_5: [Setting; 3] = [
    raised("none", "without energy control, 5.5", Control::None, None),
    raised("attenuation", "with velocity attenuation, 5.5", Control::Attenuation(1.0), Some(91.42)),
    raised("constraint", "with energy constraint, 5.5", Control::Constraint(1.0), Some(244.73)),
];

impl Setting {
    /// Runs it with the friction layer of table 2.1.
    pub fn run(&self) -> Result<Case, Trouble> {
        self.run_with(SLIP_SPEED)
    }

    /// Runs it with the floor so many metres below the pivot.
    pub fn run_over(&self, floor: f64) -> Result<Case, Trouble> {
        self.run_as(SLIP_SPEED, floor)
    }

    /// Runs it with another v_s, m/s.
    pub fn run_with(&self, slip_speed: f64) -> Result<Case, Trouble> {
        self.run_as(slip_speed, FLOOR)
    }

    fn run_as(&self, slip_speed: f64, floor: f64) -> Result<Case, Trouble> {
        let set = [
            format!("body.floor.position=[0, {}]", -floor),
            format!("body.upper.joint.initial=\"{}\"", self.start[0]),
            format!("body.lower.joint.initial=\"{}\"", self.start[1]),
            format!("contact.0.restitution={}", self.restitution),
            format!("solver.until={}", self.until),
        ];
        Case::under(DOUBLE_PENDULUM.read(&set)?, &self.control.law(slip_speed))
    }
}

/// Elbow and tip in the plane, m.
pub fn joints(q: &[f64]) -> [[f64; 2]; 2] {
    let (a, b) = (q[0], q[0] + q[1]);
    let elbow = [a.cos(), a.sin()];
    [elbow, [elbow[0] + b.cos(), elbow[1] + b.sin()]]
}

/// Where the tip is at an event, along the floor, m.
pub fn tip_at(event: &Event) -> f64 {
    joints(&event.q)[1][0]
}
