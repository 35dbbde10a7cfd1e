//! Latin hypercubes, row by row.
//!
//! ```text
//! x(row) = (π(row mod n) + u(row)) / n                                            (1)
//! ```
//! with a permutation π of 0…n−1 for each parameter and each block of n rows: each block has one row in each of n
//! equal intervals of each parameter. The permutation is computed, not stored: a Feistel network on the smallest even
//! number of bits that holds n, repeated until it lands below n.
//!
//! # Tests
//! `eq1_one_row_in_each_interval`.

use super::random::{Stream, mix};

/// Rounds of the network.
const ROUNDS: u64 = 6;

/// The coordinate of a row in [0, 1), equation (1).
pub fn latin(stream: Stream, row: u64, n: u64) -> f64 {
    let (block, index) = (row / n, row % n);
    let key = stream.bits(block.wrapping_mul(2).wrapping_add(1 << 63));
    (permuted(index, n, key) as f64 + stream.unit(row)) / n as f64
}

/// The place of `index` < n in a permutation of 0…n−1.
fn permuted(index: u64, n: u64, key: u64) -> u64 {
    let half = (64 - (n - 1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut x = index;
    loop {
        let (mut left, mut right) = (x >> half, x & mask);
        for round in 0..ROUNDS {
            let f = mix(right ^ key.wrapping_add(round.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            (left, right) = (right, left ^ (f & mask));
        }
        x = left << half | right;
        if x < n {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_one_row_in_each_interval() {
        for n in [1, 2, 3, 10, 64, 1000] {
            for block in 0..3 {
                let mut seen = vec![0; n as usize];
                for row in block * n..(block + 1) * n {
                    seen[(latin(Stream::new(5, "a"), row, n) * n as f64) as usize] += 1;
                }
                assert!(seen.iter().all(|k| *k == 1), "{n}, block {block}");
            }
        }
        // Blocks and parameters have permutations of their own.
        let places = |stream: Stream, block: u64| -> Vec<u64> {
            (0..20).map(|i| (latin(stream, block * 20 + i, 20) * 20.0) as u64).collect()
        };
        let (a, b) = (Stream::new(5, "a"), Stream::new(5, "b"));
        assert_ne!(places(a, 0), places(a, 1));
        assert_ne!(places(a, 0), places(b, 0));
    }
}
