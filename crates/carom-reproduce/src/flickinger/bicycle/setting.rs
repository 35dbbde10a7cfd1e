//! What makes one run differ from the others.

use crate::error::Trouble;
use carom_scene::Scene;

use crate::flickinger::case::{Case, Row};
use crate::flickinger::control::Control;
use crate::flickinger::scenes::{BICYCLE_ELLIPSE, BICYCLE_ROUND};

/// v_s of section 4.1, m/s.
const SLIP_SPEED: f64 = 1.4e-4;

/// The wheels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wheels {
    /// Ellipses with semi-axes along and across the bar at the start, m; inertia m(a² + b²)/5.
    Ellipse([f64; 2]),
    /// Disks of 1 m diameter.
    Round,
}

impl Wheels {
    /// Tables 3.4 and 4.1: d1 = 0.5 and d2 = 0.25 as semi-axes, lying flat.
    pub const FLAT: Self = Self::Ellipse([0.5, 0.25]);
    /// The same ellipses standing upright: d1 across the bar, or table I of 2009 with d1 and d2 as diameters. Of all
    /// readings it fits most statements on oblique impacts, see `feasibility`.
    pub const UPRIGHT: Self = Self::Ellipse([0.25, 0.5]);

    /// How their files are named.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Ellipse([a, b]) if a > b => "flat",
            Self::Ellipse(_) => "upright",
            Self::Round => "round",
        }
    }

    /// How they are named in lists of readings.
    pub fn short(self) -> String {
        match self {
            Self::Ellipse([a, b]) => format!("{} {a} × {b} m", self.slug()),
            Self::Round => "round".into(),
        }
    }

    /// How they are named in tables: posture and semi-axes.
    pub fn label(self) -> String {
        match self {
            Self::Ellipse([a, b]) => {
                format!("{} ellipses {a} × {b} m", self.slug())
            }
            Self::Round => "round wheels".into(),
        }
    }
}

/// One run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// The wheels.
    pub wheels: Wheels,
    /// Angle of the surface below the horizontal, toward +x, degrees.
    pub slope: f64,
    /// e.
    pub restitution: f64,
    /// Energy control.
    pub control: Control,
    /// Speed along +x at the start, m/s.
    pub speed: f64,
    /// End, s.
    pub until: f64,
    /// Time between samples, s.
    pub interval: f64,
}

impl Setting {
    /// Runs it.
    pub fn run(&self) -> Result<Case, Trouble> {
        Case::under(self.scene()?, &self.control.law(SLIP_SPEED))
    }

    /// Goes on for so many seconds from a sample of its scene, without energy control.
    pub fn step(&self, scene: &Scene, from: Row, seconds: f64) -> Result<Row, Trouble> {
        let mut scene = scene.clone();
        scene.initial.t = from.t;
        scene.initial.q.copy_from_slice(&from.q);
        scene.initial.v.copy_from_slice(&from.v);
        scene.options.solver.until = from.t + seconds;
        let case = Case::under(scene, &Control::None.law(SLIP_SPEED))?;
        Ok(case.rows.last().cloned().unwrap_or(from))
    }

    fn scene(&self) -> Result<Scene, Trouble> {
        let mut set = vec![
            format!("body.wedge.shape={{ plane = {{ slope = \"{}deg\" }} }}", -self.slope),
            format!("contact.0.restitution={}", self.restitution),
            format!("contact.1.restitution={}", self.restitution),
            format!("body.bar.velocity=[{}, 0]", self.speed),
            format!("solver.until={}", self.until),
            format!("output.interval={}", self.interval),
        ];
        let text = match self.wheels {
            Wheels::Round => BICYCLE_ROUND,
            Wheels::Ellipse([a, b]) => {
                for wheel in ["rear", "front"] {
                    let inertia = 2.0 * (a * a + b * b) / 5.0;
                    set.push(format!("body.{wheel}.shape={{ ellipse = [{a}, {b}] }}"));
                    set.push(format!("body.{wheel}.inertia={inertia}"));
                }
                BICYCLE_ELLIPSE
            }
        };
        text.read(&set)
    }
}
