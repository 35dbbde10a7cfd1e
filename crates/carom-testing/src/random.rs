//! Random numbers that are the same everywhere.

/// The next number of SplitMix64 (Steele, Lea and Flood 2014); the state begins with the seed.
pub fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the seed 1234567 in the published test vectors.
    #[test]
    fn published_numbers() {
        let mut state = 1_234_567;
        let numbers = [(); 2].map(|()| splitmix64(&mut state));
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
