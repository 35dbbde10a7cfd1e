//! Random numbers that are the same everywhere.

/// SplitMix64.
pub struct Random(u64);

impl Random {
    /// The stream of one problem.
    pub fn new(seed: u64, kind: u64, index: u64) -> Self {
        let mut r =
            Self(seed ^ kind.wrapping_mul(0x9e37_79b9) ^ index.wrapping_mul(0x2545_f491_4f6c_dd1d));
        r.bits();
        r
    }

    pub fn bits(&mut self) -> u64 {
        carom_testing::splitmix64(&mut self.0)
    }

    /// Uniform in [a, b).
    pub fn uniform(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Log-uniform in [a, b).
    pub fn log(&mut self, a: f64, b: f64) -> f64 {
        self.uniform(a.ln(), b.ln()).exp()
    }

    pub fn normal(&mut self) -> f64 {
        let (a, b) = (self.uniform(1e-300, 1.0), self.uniform(0.0, 1.0));
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn friction(&mut self) -> f64 {
        match self.below(6) {
            0 => 0.0,
            1 => self.uniform(1.0, 5.0),
            _ => self.uniform(0.0, 1.2),
        }
    }

    pub fn restitution(&mut self) -> f64 {
        match self.below(6) {
            0 => 0.0,
            1 => 1.0,
            2 => self.log(1e-4, 1.0),
            _ => self.uniform(0.0, 1.0),
        }
    }
}
