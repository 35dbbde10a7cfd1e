//! Bicycle on a wedge: after the last bounce it rolls with a = g sin α · M/(M + Σ I/r²) = 5/7 g sin α,
//! and the load stays as it is: no chatter.

use super::support::{G, jumps, load, run};
use carom::contact::Mode;

#[test]
fn rolls_without_chatter() {
    let scene = load("bicycle.toml", &[]);
    let run = run(&scene);
    let last = run.events().last().unwrap().t;
    assert!(last < 8.0, "events until t = {last}");
    assert!(!jumps(&run).is_empty());
    let r = &run.recording;
    let rolling: Vec<usize> = (0..r.t.len()).filter(|&i| r.t[i] > last).collect();
    assert!(rolling.len() > 100);
    let alpha = 15f64.to_radians();
    let a = 5.0 / 7.0 * G * alpha.sin();
    let speed = |i: usize| r.v[i][0] * alpha.cos() - r.v[i][1] * alpha.sin();
    let (first, end) = (rolling[0], rolling[rolling.len() - 1]);
    let mean = (speed(end) - speed(first)) / (r.t[end] - r.t[first]);
    // rtol of the scene times the speed at the end.
    assert!((mean - a).abs() < 1e-8 * speed(end), "{mean} {a}");
    let load_sum = 5.0 * G * alpha.cos();
    let load = |i: usize| [r.forces[i][0][2], r.forces[i][1][2]];
    for &i in &rolling {
        assert!(r.modes[i].iter().all(|m| *m == Mode::Stick), "t = {}", r.t[i]);
        assert!((load(i)[0] + load(i)[1] - load_sum).abs() < 1e-7 * load_sum);
        for k in 0..2 {
            assert!((load(i)[k] - load(first)[k]).abs() < 1e-6 * load_sum, "t = {}", r.t[i]);
        }
    }
}
