//! SHA-256 of the texts of a scene, so that a result names what it was computed from.
//!
//! # Source
//! FIPS 180-4, sections 4.1.2, 5.1.1, 6.2. Constants are the fractional parts of square and cube
//! roots of primes and are computed as such. Tests: the standard's own examples.

/// The SHA-256 of a list of texts, each with its length before it, in hexadecimal.
pub(crate) fn hash<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    sha256(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

fn sha256(mut message: Vec<u8>) -> [u8; 32] {
    let bits = (message.len() as u64).wrapping_mul(8);
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend_from_slice(&bits.to_be_bytes());
    let primes = primes();
    let K: Vec<u32> = primes.iter().map(|&p| root_fraction(p, 3)).collect();
    let mut H: [u32; 8] = std::array::from_fn(|i| root_fraction(primes[i], 2));
    for block in message.chunks_exact(64) {
        compress(&mut H, block, &K);
    }
    let mut out = [0; 32];
    for (bytes, h) in out.chunks_exact_mut(4).zip(H) {
        bytes.copy_from_slice(&h.to_be_bytes());
    }
    out
}

fn compress(H: &mut [u32; 8], block: &[u8], K: &[u32]) {
    let mut W = [0u32; 64];
    for (w, b) in W.iter_mut().zip(block.chunks_exact(4)) {
        *w = u32::from_be_bytes([b[0], b[1], b[2], b[3]]);
    }
    for t in 16..64 {
        let s0 = W[t - 15].rotate_right(7) ^ W[t - 15].rotate_right(18) ^ (W[t - 15] >> 3);
        let s1 = W[t - 2].rotate_right(17) ^ W[t - 2].rotate_right(19) ^ (W[t - 2] >> 10);
        W[t] = W[t - 16].wrapping_add(s0).wrapping_add(W[t - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *H;
    for (&k, &w) in K.iter().zip(&W) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(k).wrapping_add(w);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    for (old, new) in H.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *old = old.wrapping_add(new);
    }
}

/// The first 64 primes.
fn primes() -> Vec<u64> {
    (2u64..).filter(|n| (2..*n).all(|d| n % d != 0)).take(64).collect()
}

/// The first 32 bits of the fraction of a root of a small number, by bisection in integers:
/// the largest x with xⁿ ≤ p·2³²ⁿ, without its whole part.
fn root_fraction(p: u64, n: u32) -> u32 {
    let target = u128::from(p) << (32 * n);
    let (mut low, mut high) = (0u128, 1u128 << 38);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.checked_pow(n).is_some_and(|power| power <= target) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low & 0xffff_ffff) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> String {
        sha256(text.as_bytes().to_vec()).iter().map(|b| format!("{b:02x}")).collect()
    }

    #[test]
    fn examples_of_the_standard() {
        assert_eq!(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(
            hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(root_fraction(2, 2), 0x6a09_e667);
        assert_eq!(root_fraction(2, 3), 0x428a_2f98);
    }

    #[test]
    fn lists_of_texts_do_not_run_together() {
        let of = |list: &[&str]| hash(list.iter().copied());
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}
