//! One contact.

use carom::impact::spatial::resolve;

use crate::brute;
use crate::random::{Random, case};

#[test]
fn brute_force() {
    let mut rng = Random(1);
    let mut worst: f64 = 0.0;
    for i in 0..400 {
        let c = case(&mut rng, if i % 4 == 0 { 1e2 } else { 3.0 });
        let t = std::time::Instant::now();
        let Some(b) = brute::solve(&c) else { println!("{i} brute none {c:?}"); continue };
        let dt = t.elapsed();
        let s = resolve(&c.K, &c.u, &c.c, None).expect("resolves");
        let scale = c.u.amax().max(s.velocity.amax());
        let err = (0..3).map(|k| (s.velocity[k] - b.u[k]).abs() / scale).fold(0.0, f64::max);
        let errw = (s.normal_work - b.work_n).abs() / b.w_c.abs();
        worst = worst.max(err);
        if err > 1e-11 || errw > 1e-11 { println!("{i} err {err:e} {errw:e} pieces {} brute {dt:?} re {} \n  {c:?}\n {s:?}\n {b:?}", s.pieces, b.recompressed); }
    }
    println!("worst {worst:e}");
}
