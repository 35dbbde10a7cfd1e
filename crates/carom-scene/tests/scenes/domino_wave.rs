//! The wave along a row of dominoes.
//!
//! # Law
//! Dominoes of height h and thickness d stand L apart, do not slip on the floor, have no friction between them and do not
//! rebound: those behind lean on the one in front, so that one angle, that of the foremost, tells all others
//! (the train of Shaw 1978, as van Leeuwen tells it in the introductions of arXiv:physics/0401018 and arXiv:1301.0615;
//! the equations are worked out here). The upper front edge of domino i touches the back of domino i + 1 where
//! ```text
//! h sin(θᵢ − θᵢ₊₁) = L cos θᵢ₊₁ − d                                                          (1)
//! ½ I Σ θ̇ᵢ² + m g Σ (h cos θᵢ + d sin θᵢ)/2 = const between two hits,  I = m (h² + d²)/3        (2)
//! ω⁺ Σ wᵢ² = Σ wᵢ θ̇ᵢ⁻,  wᵢ = ∂θᵢ/∂θ_head of the longer train                                  (3)
//! ```
//! (3) is a plastic impact: what the impulses between dominoes do on the motion that is left is zero.

use super::support::{G, integral, jumps, load, run};

const H: f64 = 0.048;
const D: f64 = 0.008;
const L: f64 = 0.02;

/// Angles of the train from its head on, and their slopes by that of the head.
fn train(head: f64, behind: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut angles, mut slopes) = (vec![head], vec![1.0]);
    for k in 0..behind {
        let s = (L * angles[k].cos() - D) / H;
        slopes.push(slopes[k] * (1.0 - L * angles[k].sin() / (H * (1.0 - s * s).sqrt())));
        angles.push(angles[k] + s.asin());
    }
    (angles, slopes)
}

fn square(w: &[f64]) -> f64 {
    w.iter().map(|w| w * w).sum()
}

/// When each domino is hit, s, and how fast it turns then, rad/s.
fn wave(count: usize, start: f64) -> Vec<(f64, f64)> {
    let inertia = (H * H + D * D) / 3.0;
    let height = |a: &[f64]| a.iter().map(|a| 0.5 * G * (H * a.cos() + D * a.sin())).sum::<f64>();
    let hit = ((L - D) / H).asin();
    let (mut t, mut rate, mut all) = (0.0, start, Vec::new());
    for behind in 0..count - 1 {
        let (angles, slopes) = train(0.0, behind);
        let energy = 0.5 * inertia * rate * rate * square(&slopes) + height(&angles);
        let speed = |head: f64| {
            let (angles, slopes) = train(head, behind);
            (2.0 * (energy - height(&angles)) / (inertia * square(&slopes))).sqrt()
        };
        t += integral(40, 0.0, hit, |head| 1.0 / speed(head));
        let (_, before) = train(hit, behind);
        let (_, after) = train(0.0, behind + 1);
        let pushed = after[1..].iter().zip(&before).map(|(w, u)| w * u).sum::<f64>();
        rate = pushed * speed(hit) / square(&after);
        all.push((t, rate));
    }
    all
}

/// Times to the tolerance of the integration over a few hits, rates likewise.
#[test]
fn eq1_to_eq3_the_wave_is_that_of_the_train() {
    let scene = load("domino_wave.toml", &[]);
    let done = run(&scene);
    assert_eq!(done.statistics.rescues.iter().sum::<u64>(), 0);
    let theory = wave(12, 6.0);
    let hits = jumps(&done);
    assert_eq!(hits.len(), theory.len());
    for (k, (event, (t, rate))) in hits.iter().zip(&theory).enumerate() {
        assert!((event.t - t).abs() < 1e-9, "hit {k}: {} {t}", event.t);
        let turns = -event.v_post[3 * (k + 1) + 2];
        assert!((turns - rate).abs() < 1e-7, "hit {k}: {turns} {rate}");
    }
    // It runs faster from domino to domino, towards a limit.
    let speeds: Vec<f64> = hits.windows(2).map(|e| L / (e[1].t - e[0].t)).collect();
    assert!(speeds.windows(2).all(|v| v[0] < v[1]), "{speeds:?}");
}
