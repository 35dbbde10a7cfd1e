//! Numbers from a seed, a name and a row, without a state.
//!
//! ```text
//! m(z): z ← (z ⊕ z≫30)·c₁;  z ← (z ⊕ z≫27)·c₂;  z ⊕ z≫31                        (1)
//! h = m( m(seed + γ·FNV(name)) + γ·(row + 1) ),   u = ⌊h / 2¹¹⌋ / 2⁵³             (2)
//! ```
//! with the constants of SplitMix64. A name has its own stream, so that a parameter more or less changes no other.
//!
//! # Source
//! The finaliser (1) is that of SplitMix64 (Steele, Lea and Flood 2014, not opened), known by its first numbers.
//!
//! # Tests
//! `eq1_known_stream`, `eq2_is_even`.

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits, equation (1).
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of numbers that belongs to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream(u64);

impl Stream {
    /// The stream of a seed and a name.
    pub fn new(seed: u64, name: &str) -> Self {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(mix(seed.wrapping_add(GAMMA.wrapping_mul(hash))))
    }

    /// The bits of a row, equation (2).
    pub fn bits(self, row: u64) -> u64 {
        mix(self.0.wrapping_add(GAMMA.wrapping_mul(row.wrapping_add(1))))
    }

    /// A number in [0, 1) for a row, equation (2).
    pub fn unit(self, row: u64) -> f64 {
        unit(self.bits(row))
    }
}

/// The upper 53 bits as a number in [0, 1).
pub fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number of the normal distribution with mean 0 and deviation 1 (Box and Muller).
pub fn normal(stream: Stream, row: u64) -> f64 {
    let second = Stream(mix(stream.0 ^ GAMMA));
    let radius = (-2.0 * (1.0 - stream.unit(row)).ln()).sqrt();
    radius * (std::f64::consts::TAU * second.unit(row)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_known_stream() {
        // The first numbers of SplitMix64 from the state 0.
        let first = [1, 2, 3].map(|k| mix(GAMMA.wrapping_mul(k)));
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn eq2_is_even() {
        let stream = Stream::new(1, "x");
        let n = 100_000;
        let mean = (0..n).map(|row| stream.unit(row)).sum::<f64>() / n as f64;
        // Deviation of the mean: 1/√(12 n) = 9.1e-4.
        assert!((mean - 0.5).abs() < 4.0 * 9.2e-4, "{mean}");
        let both: f64 = (0..n)
            .map(|row| (stream.unit(row) - 0.5) * (Stream::new(1, "y").unit(row) - 0.5))
            .sum::<f64>()
            / n as f64;
        assert!(both.abs() < 4.0 / 12.0 / (n as f64).sqrt(), "{both}");
        let squares = (0..n).map(|row| normal(stream, row).powi(2)).sum::<f64>() / n as f64;
        assert!((squares - 1.0).abs() < 4.0 * (2.0 / n as f64).sqrt(), "{squares}");
    }
}
