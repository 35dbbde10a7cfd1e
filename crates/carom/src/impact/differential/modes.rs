//! Which contacts press, stick and slip during a stage: equations (1) to (3) of the parent.

/// Largest number of combinations that is tried exhaustively; 4 resting contacts have at most 4⁴ = 256.
pub const ENUMERATED: usize = 4096;
/// Relative violation of (1) and (3) that is round-off: of the largest rate for impulses, of Σ|G ṗ| for velocities.
pub const TOLERANCE: f64 = 1e-10;
/// Two solutions whose velocity rates agree to this fraction are one.
pub(crate) const SAME: f64 = 1e-7;

/// Tangential mode of a contact that presses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangent {
    /// u̇ₜ = 0.
    Stick,
    /// Slips, or begins to, in direction ±1.
    Slip(f64),
    /// No friction: no tangent, or μ = 0.
    Free,
}

/// What a contact may do in this stage, decided by its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duty {
    /// Row of the normal.
    pub normal: usize,
    /// Row of the tangent, if there is one with friction.
    pub tangent: Option<usize>,
    /// μd.
    pub friction: f64,
    /// μs.
    pub static_friction: f64,
    /// Prescribed part d of ṗₙ.
    pub drive: f64,
    /// Least rate r of uₙ, if the contact is closed.
    pub floor_rate: f64,
    /// Whether uₙ is at its floor, so that (1) holds; else x = 0.
    pub closed: bool,
    /// Direction of slip, 0 at rest.
    pub slip: f64,
}

/// Mode of one contact: does x act, and what does the tangent do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mode {
    pub on: bool,
    pub tangent: Tangent,
}

impl Mode {
    pub const OFF: Self = Self { on: false, tangent: Tangent::Free };
}

impl Duty {
    fn tangents(&self) -> &'static [Tangent] {
        const REST: [Tangent; 3] = [Tangent::Stick, Tangent::Slip(1.0), Tangent::Slip(-1.0)];
        match (self.tangent, self.slip) {
            (None, _) => &[Tangent::Free],
            (_, s) if s > 0.0 => &REST[1..2],
            (_, s) if s < 0.0 => &REST[2..3],
            _ => &REST,
        }
    }

    /// Number of modes; pressing ones come first, so that redundant sets are met before their parts.
    pub fn count(&self) -> usize {
        let t = self.tangents().len();
        match (self.closed, self.drive > 0.0) {
            (true, true) => 2 * t,
            (true, false) => t + 1,
            (false, true) => t,
            (false, false) => 1,
        }
    }

    pub fn mode(&self, index: usize) -> Mode {
        let tangents = self.tangents();
        let on = self.closed && index < tangents.len();
        if !on && self.drive <= 0.0 {
            return Mode::OFF;
        }
        Mode { on, tangent: tangents[index % tangents.len()] }
    }

    /// First guess of the pivoting: press and stick, or slip as it does.
    pub fn press(&self) -> Mode {
        Mode { on: self.closed, tangent: self.tangents()[0] }
    }
}

/// A certified solution of one stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    /// dp/ds, all rows.
    pub p: Vec<f64>,
    /// du/ds, all rows.
    pub u: Vec<f64>,
    /// Σ|G ṗ| per row: scale of the round-off in `u`.
    pub scale: Vec<f64>,
    /// Modes in the order of the duties.
    pub modes: Vec<Mode>,
}

impl Rates {
    pub fn reserve(&mut self, rows: usize, contacts: usize) {
        for x in [&mut self.p, &mut self.u, &mut self.scale] {
            x.clear();
            x.resize(rows, 0.0);
        }
        self.modes.clear();
        self.modes.resize(contacts, Mode::OFF);
    }

    pub fn copy_from(&mut self, other: &Self) {
        self.p.copy_from_slice(&other.p);
        self.u.copy_from_slice(&other.u);
        self.scale.copy_from_slice(&other.scale);
        self.modes.copy_from_slice(&other.modes);
    }

    pub fn norm(&self) -> f64 {
        self.p.iter().map(|x| x * x).sum()
    }

    pub fn same_motion(&self, other: &Self) -> bool {
        (0..self.u.len()).all(|i| {
            let scale = self.scale[i].max(other.scale[i]);
            (self.u[i] - other.u[i]).abs() <= SAME * scale
        })
    }
}

/// Why no rates were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paradox {
    None { residual: f64 },
    Several { count: usize },
}
