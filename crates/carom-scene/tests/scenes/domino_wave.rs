//! The wave along a row of dominoes, and the speed at which a long row falls.
//!
//! # Law
//! Dominoes of height h and thickness d stand L apart, only topple, about their front feet, and do not rebound: those behind
//! lean on the one in front, so that one angle, that of the foremost, tells all others (the train of Shaw 1978, as van
//! Leeuwen tells it in the introductions of arXiv:physics/0401018 and arXiv:1301.0615; the equations are worked out here). The
//! upper front edge of domino i + 1 touches the back of domino i, the one in front of it, where
//! ```text
//! h sin Δᵢ = L cos θᵢ − d,  Δᵢ = θᵢ₊₁ − θᵢ                                                   (1)
//! ½ I Σ θ̇ᵢ² + m g Σ (h cos θᵢ + d sin θᵢ)/2 = const between two hits,  I = m (h² + d²)/3        (2)
//! ω⁺ Σ wᵢ² = Σ wᵢ θ̇ᵢ⁻,  wᵢ = ∂θᵢ/∂θ₀ of the longer train                                      (3)
//! ```
//! (3) is a plastic impact: what the impulses between dominoes do on the motion that is left is zero. Behind the head of an
//! endless train all lie at cos θ∞ = d/L, and S = Σ wᵢ² and the height V of the centres, less that of dominoes which lie, are
//! sums that exist. A train whose head stands, hit by the one behind at θ = θ_c, is that train and one more, so that (2) and (3)
//! have a steady wave:
//! ```text
//! ω² = (2 E/I) S_c/(1 + S_c),  E = ½ m g (h − h cos θ∞ − d sin θ∞),  sin θ_c = (L − d)/h        (4)
//! v = L/∫₀^θ_c dθ/θ̇,  I S θ̇² = I (1 + S_c) ω² + 2 m g (V(0) − V(θ))                            (5)
//! ```
//! With friction µ between dominoes, whose edges slip down the backs in front of them, a normal force N on a back presses with
//! the moment N α and holds the one that leans with N β; what they do together has no force in it with rᵢ:
//! ```text
//! rᵢ₊₁ βᵢ = rᵢ αᵢ,  αᵢ = h cos Δᵢ − L sin θᵢ − µ d,  βᵢ = h (cos Δᵢ + µ sin Δᵢ),  r₀ = 1
//! I Σ rᵢ θ̈ᵢ = ½ m g Σ rᵢ (h sin θᵢ − d cos θᵢ),  Σ rᵢ (θ̇ᵢ⁺ − θ̇ᵢ⁻) = 0 at a hit                    (6)
//! ```
//! McLachlan et al. 1983, as (1) of arXiv:0707.2618 gives it, have v = √(g h) G(L/h) of dominoes without thickness, by dimension
//! alone; with one it is
//! ```text
//! v = √(g h) G(L/h, d/h, µ)                                                                (7)
//! ```
//! arXiv:1301.0615 says of measured waves that they run at the order of a metre per second; no table of measured speeds could be
//! read for this file.

use super::support::{G, integral, jumps, load, run};
use carom::hybrid::Run;
use carom_scene::Scene;

/// Dominoes behind the head that are told apart: θᵢ goes to θ∞ by a factor of 0.62 from one to the next, in θ and in w.
const ENDLESS: usize = 80;

/// A row: height, thickness, distance from front to front in m, friction, gravity in m/s².
struct Row {
    h: f64,
    d: f64,
    l: f64,
    mu: f64,
    g: f64,
}

/// That of the scene.
const ROW: Row = Row { h: 0.048, d: 0.008, l: 0.02, mu: 0.0, g: G };

/// The dominoes of a train from its head on.
struct Train {
    /// θ, and its first two derivatives by that of the head.
    angles: Vec<f64>,
    slopes: Vec<f64>,
    bends: Vec<f64>,
    /// r of (6).
    shares: Vec<f64>,
}

impl Row {
    /// By (1) and (6).
    fn train(&self, head: f64, behind: usize) -> Train {
        let Row { h, d, l, mu, .. } = *self;
        let (mut angles, mut slopes) = (vec![head], vec![1.0]);
        let (mut bends, mut shares) = (vec![0.0], vec![1.0]);
        for k in 0..behind {
            let (sine, cosine) = angles[k].sin_cos();
            let s: f64 = (l * cosine - d) / h;
            let c = (1.0 - s * s).sqrt();
            let ds = -l * sine / h;
            let slope = 1.0 + ds / c;
            let bend = -l * cosine / (h * c) + ds * ds * s / c.powi(3);
            let (alpha, beta) = (h * c - l * sine - mu * d, h * (c + mu * s));
            angles.push(angles[k] + s.asin());
            bends.push(bends[k] * slope + slopes[k] * slopes[k] * bend);
            slopes.push(slopes[k] * slope);
            shares.push(shares[k] * alpha / beta);
        }
        Train { angles, slopes, bends, shares }
    }

    /// θ_c of (4).
    fn hit(&self) -> f64 {
        ((self.l - self.d) / self.h).asin()
    }

    /// I/m.
    fn inertia(&self) -> f64 {
        (self.h * self.h + self.d * self.d) / 3.0
    }

    /// Potential energies of dominoes over their mass, those that lie being at zero.
    fn height(&self, angles: &[f64]) -> f64 {
        let lying = (self.d / self.l).acos();
        let of = |a: f64| 0.5 * self.g * (self.h * a.cos() + self.d * a.sin());
        angles.iter().map(|&a| of(a) - of(lying)).sum()
    }

    /// How fast the head turns once it is hit, from how fast it did that hits it: (6), which is (3) without friction.
    fn after(&self, rate: f64, behind: usize) -> f64 {
        let (before, after) = (self.train(self.hit(), behind), self.train(0.0, behind + 1));
        rate * dot(&after.shares[1..], &before.slopes) / dot(&after.shares, &after.slopes)
    }

    /// When each domino is hit, s, and how fast it turns then, rad/s, by the energy: (2) and (3).
    fn wave(&self, count: usize, start: f64) -> Vec<(f64, f64)> {
        let (mut t, mut rate, mut all) = (0.0, start, Vec::new());
        for behind in 0..count - 1 {
            let first = self.train(0.0, behind);
            let energy = 0.5 * self.inertia() * rate * rate * dot(&first.slopes, &first.slopes)
                + self.height(&first.angles);
            let speed = |head: f64| {
                let train = self.train(head, behind);
                let left = 2.0 * (energy - self.height(&train.angles)) / self.inertia();
                (left / dot(&train.slopes, &train.slopes)).sqrt()
            };
            t += integral(40, 0.0, self.hit(), |head| 1.0 / speed(head));
            rate = self.after(speed(self.hit()), behind);
            all.push((t, rate));
        }
        all
    }

    /// The same by the moments, with friction: (6). The square of the rate is integrated over the angle by Runge and Kutta's
    /// method of order four in `parts` steps of two halves, the time by Simpson's rule.
    fn wave_with_friction(&self, count: usize, start: f64, parts: usize) -> Vec<(f64, f64)> {
        let (mut t, mut rate, mut all) = (0.0, start, Vec::new());
        let step = 0.5 * self.hit() / parts as f64;
        for behind in 0..count - 1 {
            let slope = |head: f64, square: f64| {
                let Train { angles, slopes, bends, shares } = self.train(head, behind);
                let moment = |&a: &f64| 0.5 * self.g * (self.h * a.sin() - self.d * a.cos());
                let moments: Vec<f64> = angles.iter().map(moment).collect();
                let bias = dot(&shares, &bends) * square;
                2.0 * (dot(&shares, &moments) / self.inertia() - bias) / dot(&shares, &slopes)
            };
            let mut square = rate * rate;
            for k in 0..parts {
                let mut paces = [1.0 / square.sqrt(), 0.0, 0.0];
                for (half, pace) in paces[1..].iter_mut().enumerate() {
                    let at = step * (2 * k + half) as f64;
                    let k1 = slope(at, square);
                    let k2 = slope(at + 0.5 * step, square + 0.5 * step * k1);
                    let k3 = slope(at + 0.5 * step, square + 0.5 * step * k2);
                    let k4 = slope(at + step, square + step * k3);
                    square += step / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
                    *pace = 1.0 / square.sqrt();
                }
                t += step / 3.0 * (paces[0] + 4.0 * paces[1] + paces[2]);
            }
            rate = self.after(square.sqrt(), behind);
            all.push((t, rate));
        }
        all
    }

    /// Rate of a head that was hit, rad/s, and speed of the wave, m/s, in an endless row without friction: (4) and (5).
    fn endless(&self) -> (f64, f64) {
        let sum = |head: f64| {
            let train = self.train(head, ENDLESS);
            (dot(&train.slopes, &train.slopes), self.height(&train.angles))
        };
        let (s_hit, _) = sum(self.hit());
        let square = 2.0 * self.height(&[0.0]) / self.inertia() * s_hit / (1.0 + s_hit);
        let (_, v_standing) = sum(0.0);
        let speed = |head: f64| {
            let (s, v) = sum(head);
            (((1.0 + s_hit) * square + 2.0 * (v_standing - v) / self.inertia()) / s).sqrt()
        };
        (square.sqrt(), self.l / integral(40, 0.0, self.hit(), |head| 1.0 / speed(head)))
    }

    /// The row as free bodies on a floor on which they do not slip, or hinged at their front feet; the first is pushed.
    fn scene(&self, count: usize, start: f64, until: f64, hinged: bool) -> Scene {
        let Row { h, d, l, mu, g } = *self;
        let mut text = format!(
            "space = \"planar\"\ngravity = [0, {}]\nlaw = {{ formulation = \"newton\" }}\n",
            -g
        );
        for k in 0..count {
            let (x, rate) = (l * k as f64, if k == 0 { start } else { 0.0 });
            let body = if hinged {
                format!(
                    "shape = {{ box = [{d}, {h}], position = [{}, {}] }}\n\
                     joint = {{ name = \"foot{k}\", type = \"revolute\", position = [{x}, 0], \
                     limits = [\"-170deg\", 0], initial_rate = {} }}\n",
                    -0.5 * d,
                    0.5 * h,
                    -rate
                )
            } else {
                format!(
                    "shape = {{ box = [{d}, {h}] }}\nposition = [{x}, {}]\n\
                     angular_velocity = {}\nvelocity = [{}, {}]\n",
                    0.5 * h,
                    -rate,
                    0.5 * rate * h,
                    0.5 * rate * d
                )
            };
            text += &format!("[body.d{k}]\nmass = 0.01\n{body}");
        }
        for k in 1..count {
            let pair = format!("between = [\"d{}\", \"d{k}\"]", k - 1);
            text += &format!("[[contact]]\n{pair}\nrestitution = 0\nfriction = {mu}\n");
        }
        if !hinged {
            text += "[body.floor]\nshape = \"plane\"\n[[contact]]\nbetween = [\"d*\", \"floor\"]\n\
                     restitution = 0\nfriction = 5\n";
        }
        text += &format!("[solver]\nuntil = {until}\nrtol = 1e-10\natol = 1e-12\n");
        Scene::parse_with::<&str>(&text, "row", &[]).unwrap_or_else(|e| panic!("{}", e.report()))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Every hit at its time, to the tolerance of the integration over the row, and the rate of the domino that was hit: the
/// `per`-th coordinates from `at` on are the angles.
fn agrees(done: &Run, theory: &[(f64, f64)], per: usize, at: usize) {
    assert_eq!(done.statistics.rescues.iter().sum::<u64>(), 0);
    let hits = jumps(done);
    assert_eq!(hits.len(), theory.len());
    for (k, (event, (t, rate))) in hits.iter().zip(theory).enumerate() {
        assert!((event.t - t).abs() < 1e-9, "hit {k}: {} {t}", event.t);
        let turns = -event.v_post[per * (k + 1) + at];
        assert!((turns - rate).abs() < 1e-7, "hit {k}: {turns} {rate}");
    }
}

/// From hit to hit, m/s.
fn speeds(row: &Row, done: &Run) -> Vec<f64> {
    jumps(done).windows(2).map(|e| row.l / (e[1].t - e[0].t)).collect()
}

#[test]
fn eq1_to_eq3_the_wave_is_that_of_the_train() {
    let done = run(&load("domino_wave.toml", &[]));
    agrees(&done, &ROW.wave(12, 6.0), 3, 2);
    // It runs faster from domino to domino, towards a limit.
    let speeds = speeds(&ROW, &done);
    assert!(speeds.windows(2).all(|v| v[0] < v[1]), "{speeds:?}");
}

/// A long row comes to the speed of an endless one, however it was pushed; pushed harder still, a foot of the first would leave the
/// floor. From one hit to the next what is missing of the squared rate shrinks by S_c/(1 + S_c) = 0.737, once the train behind is
/// long: 2e-5 after the last thirty-five.
#[test]
fn eq4_eq5_a_long_row_falls_at_the_speed_of_an_endless_one() {
    let (rate, speed) = ROW.endless();
    assert!((speed - 1.296).abs() < 5e-4 && (rate - 14.02).abs() < 5e-3, "{speed} {rate}");
    for start in [12.0, 18.0] {
        let theory = ROW.wave(40, start);
        let done = run(&ROW.scene(40, start, theory[38].0 + 1e-3, false));
        agrees(&done, &theory, 3, 2);
        let speeds = speeds(&ROW, &done);
        assert!((speeds[37] / speed - 1.0).abs() < 1e-4, "{start} rad/s: {} {speed}", speeds[37]);
        let shrinks = (speeds[37] - speed) / (speeds[36] - speed);
        assert!((shrinks - 0.737).abs() < 0.01, "{shrinks}");
    }
}

/// Hinged at their feet, as the law has them: with friction a free foot could leave the floor.
#[test]
fn eq6_friction_between_dominoes_slows_the_wave() {
    // Without friction moments and energy say the same.
    for (a, b) in ROW.wave_with_friction(12, 6.0, 100).iter().zip(ROW.wave(12, 6.0)) {
        assert!((a.0 - b.0).abs() < 1e-10 && (a.1 - b.1).abs() < 1e-8, "{a:?} {b:?}");
    }
    for (mu, limit) in [(0.1, 1.1148), (0.2, 0.9746)] {
        let row = Row { mu, ..ROW };
        let theory = row.wave_with_friction(40, 12.0, 100);
        let done = run(&row.scene(40, 12.0, theory[38].0 + 1e-3, true));
        agrees(&done, &theory, 1, 0);
        let speeds = speeds(&row, &done);
        assert!((speeds[37] - limit).abs() < 1e-4, "{mu}: {}", speeds[37]);
        assert!((speeds[37] - speeds[36]).abs() < 1e-4, "{mu}: {speeds:?}");
    }
}

/// Rows of one form but other sizes, gravities and masses over lengths have one G, and the dominoes one plays with fall at the order
/// of a metre per second.
#[test]
fn eq7_speeds_scale_as_by_dimension() {
    let long = Row { h: 2.4, d: 0.4, l: 1.0, g: 1.62, ..ROW };
    let scale = (long.g * long.h / (ROW.g * ROW.h)).sqrt();
    // ω √(h/g) is the same.
    let start = 12.0 * (long.g * ROW.h / (ROW.g * long.h)).sqrt();
    let of = |row: &Row, start: f64| {
        let until = row.wave(20, start)[18].0 + 1e-3;
        speeds(row, &run(&row.scene(20, start, until, false)))
    };
    let (small, large) = (of(&ROW, 12.0), of(&long, start));
    for (a, b) in small.iter().zip(&large) {
        assert!((b / a / scale - 1.0).abs() < 1e-7, "{a} {b} {scale}");
    }
    assert!((0.3..3.0).contains(&small[17]), "{}", small[17]);
}
