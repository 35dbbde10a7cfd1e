//! The oscillator and the motion of its support.

use std::f64::consts::TAU;

/// Motion of the support, A sin(2π f t).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forcing {
    /// A, m.
    pub amplitude: f64,
    /// f, Hz.
    pub frequency: f64,
}

/// Forcings under which the statements are tested; the first is the one that is drawn. Below, near and above the
/// natural frequency of 4.42 Hz; all of them make the damper both slip and stick.
pub const FORCINGS: [Forcing; 4] = [
    Forcing { amplitude: 0.010, frequency: 3.0 },
    Forcing { amplitude: 0.020, frequency: 2.0 },
    Forcing { amplitude: 0.005, frequency: 4.0 },
    Forcing { amplitude: 0.003, frequency: 6.0 },
];

impl Forcing {
    /// Short name.
    pub fn label(&self) -> String {
        format!("{} mm at {} Hz", self.amplitude * 1e3, self.frequency)
    }
}

/// The oscillator of table A.1 in SI units, on a moving support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct System {
    /// n² = K/M, 1/s².
    pub stiffness: f64,
    /// Static friction per mass, μs g, m/s².
    pub hold: f64,
    /// Dynamic friction per mass, μd g, m/s².
    pub drag: f64,
    /// The support.
    pub forcing: Forcing,
}

impl System {
    /// Table A.1: M = 1/386 lbf s²/in, K = 2 lbf/in, μs = 0.3, μd = 0.2; the damper carries the weight of the block.
    pub fn new(forcing: Forcing) -> Self {
        // K/M = 772 s⁻² whatever the unit of force; g = 386 in/s².
        const INCH: f64 = 0.0254;
        let g = 386.0 * INCH;
        Self { stiffness: 2.0 * 386.0, hold: 0.3 * g, drag: 0.2 * g, forcing }
    }

    /// n, rad/s.
    pub fn natural(&self) -> f64 {
        self.stiffness.sqrt()
    }

    /// w, rad/s.
    pub fn rate(&self) -> f64 {
        TAU * self.forcing.frequency
    }

    /// A w², m/s².
    pub fn shake(&self) -> f64 {
        self.forcing.amplitude * self.rate().powi(2)
    }

    /// r(x, t) of equation (1): what pulls at the block per mass, friction apart, m/s².
    pub fn pull(&self, x: f64, t: f64) -> f64 {
        self.shake() * (self.rate() * t).sin() - self.stiffness * x
    }

    /// U(t), m.
    pub fn support(&self, t: f64) -> f64 {
        self.forcing.amplitude * (self.rate() * t).sin()
    }
}
