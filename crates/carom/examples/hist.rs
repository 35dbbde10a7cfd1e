#![allow(non_snake_case)]
use carom::impact::Restitution;
use carom::impact::spatial::{Coefficients, resolve};
use nalgebra::{Matrix3, Vector3};
struct Random(u64);
impl Random {
    fn uniform(&mut self, a: f64, b: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        a + (b - a) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
fn main() {
    let mut rng = Random(7);
    let mut h = [[0usize; 2]; 200];
    for _ in 0..10000 {
        let A = Matrix3::from_fn(|_, _| rng.uniform(-1.0, 1.0));
        let K = A * A.transpose() + Matrix3::identity() * 0.05;
        let K = (K + K.transpose()) * 0.5;
        let u = Vector3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), -rng.uniform(0.1, 2.0));
        let (f, e) = (rng.uniform(0.0, 1.2), rng.uniform(0.0, 1.0));
        let c = Coefficients { friction: f, static_friction: f, restitution: e, definition: Restitution::Energetic };
        let s = resolve(&K, &u, &c, None).unwrap();
        h[s.pieces.min(199)][s.sticks as usize] += 1;
        if s.pieces > 60 { println!("{} {K:?} {u:?} {c:?} {s:?}", s.pieces); }
    }
    for (i, n) in h.iter().enumerate() { if n[0] + n[1] > 0 { println!("{i} {n:?}"); } }
}
