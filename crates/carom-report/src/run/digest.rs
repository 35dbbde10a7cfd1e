//! The result hash: FNV-1a, 64 bits, over every number of every sample and event.
//!
//! ```text
//! h₀ = 0xcbf29ce484222325,  hᵢ₊₁ = (hᵢ xor byteᵢ) · 0x100000001b3 mod 2⁶⁴         (1)
//! ```
//! Numbers enter as the eight bytes of their bits, least significant first, so two runs have the
//! same hash if and only if (but for a chance of 2⁻⁶⁴) they agree to the last bit; +0 and −0 differ.
//! A byte that is zero only multiplies, so that the k zero bytes that a number begins with, eight of the forces of most contacts, six of their
//! gaps, which are infinite, are one multiplication by
//! ```text
//! 0x100000001b3ᵏ mod 2⁶⁴                                                           (2)
//! ```
//! It guards against accidents, not against forgery, which needs no cryptography and no crate.
//! Wall time, names of files and versions do not enter.
//!
//! # Source
//! IETF draft "The FNV Non-Cryptographic Hash Algorithm"; test vectors from there.
//!
//! # Tests
//! `eq1_vectors`, `eq2_zeros_are_bytes_too` below; `tests/write_and_read.rs`: `same_run_same_bytes`.

use carom::contact::Mode;
use carom::record::{Event, Sample};

/// The multiplier of (1).
const PRIME: u64 = 0x0100_0000_01b3;

/// The multipliers of (2).
const ZEROS: [u64; 9] = {
    let mut powers = [1; 9];
    let mut k = 1;
    while k < 9 {
        powers[k] = PRIME.wrapping_mul(powers[k - 1]);
        k += 1;
    }
    powers
};

/// A hash in the making, equation (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// The hash of what was added so far.
    pub fn value(&self) -> u64 {
        self.0
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds numbers by their bits.
    pub fn numbers(&mut self, numbers: &[f64]) {
        for x in numbers {
            let zeros = (x.to_bits().trailing_zeros() / 8) as usize;
            self.0 = self.0.wrapping_mul(ZEROS[zeros]);
            self.bytes(&x.to_bits().to_le_bytes()[zeros..]);
        }
    }

    /// Adds a sample.
    pub fn sample(&mut self, sample: &Sample<'_>) {
        self.bytes(b"S");
        self.numbers(&[sample.t]);
        self.numbers(sample.q);
        self.numbers(sample.v);
        for mode in sample.modes {
            self.mode(mode);
        }
        for force in sample.forces {
            self.numbers(force);
        }
        self.numbers(sample.gaps);
        self.numbers(sample.torques);
        let l = sample.ledger;
        self.numbers(&[l.initial, l.kinetic, l.gravity, l.spring, l.applied, l.damping]);
        if l.attenuation != 0.0 {
            self.numbers(&[l.attenuation]);
        }
        for site in &l.sites {
            self.numbers(&[site.sliding, site.impact_normal, site.impact_friction]);
        }
    }

    /// Adds an event.
    pub fn event(&mut self, event: &Event) {
        self.bytes(b"E");
        self.bytes(event.kind.word().as_bytes());
        self.numbers(&[event.t]);
        for c in &event.contacts {
            self.bytes(&(c.site as u64).to_le_bytes());
            self.mode(&c.before);
            self.mode(&c.after);
            self.numbers(&c.u_pre);
            self.numbers(&c.u_post);
            self.numbers(&c.impulse);
            self.numbers(&[c.normal_work, c.friction_work]);
        }
        for a in &event.actuators {
            self.bytes(&(a.actuator as u64).to_le_bytes());
            self.bytes(a.before.word().as_bytes());
            self.bytes(a.after.word().as_bytes());
            self.numbers(&[a.torque]);
        }
        self.numbers(&event.q);
        self.numbers(&event.v_pre);
        self.numbers(&event.v_post);
        self.numbers(&[event.energy_before, event.energy_after]);
        self.numbers(event.remaining_time.as_slice());
    }

    fn mode(&mut self, mode: &Mode) {
        self.bytes(mode.word().as_bytes());
        if let Mode::Slip { reference } = mode {
            self.numbers(reference.as_slice());
        }
    }

    /// The hash in hexadecimal, 16 digits.
    pub fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_vectors() {
        for (text, hex) in
            [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
        {
            let mut digest = Digest::default();
            digest.bytes(text.as_bytes());
            assert_eq!(digest.hex(), hex);
        }
    }

    #[test]
    fn eq2_zeros_are_bytes_too() {
        let numbers = [0.0, 1.5, 0.0, 0.0, -0.0, 2.5e-310, f64::INFINITY, 0.1, 5e-324];
        let (mut fast, mut plain) = (Digest::default(), Digest::default());
        fast.numbers(&numbers);
        numbers.iter().for_each(|x| plain.bytes(&x.to_bits().to_le_bytes()));
        assert_eq!(fast, plain);
    }

    #[test]
    fn last_bit_and_sign_of_zero_count() {
        let of = |x: f64| {
            let mut digest = Digest::default();
            digest.numbers(&[x]);
            digest
        };
        assert_ne!(of(1.0), of(1.0 + f64::EPSILON));
        assert_ne!(of(0.0), of(-0.0));
    }
}
