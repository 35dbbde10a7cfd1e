//! What the rows of a study say: outcomes, stance against capability, energy.
//!
//! # Checks
//! ```text
//! |closure| ≤ 100 rtol E,   gain ≤ 100 rtol E                          (1)
//! ```
//! for every jump, with E the largest energy stored in it: the integrator may err by rtol in each of
//! some thousand steps, partly with either sign.

use std::collections::BTreeMap;

use carom_agility::JumpOutcome;
use carom_scene::study::{Jump, correlation};

/// Capability below which the source finds stance growing with it, m/s².
const KNEE: f64 = 200.0;
/// Classes of capability in the table.
const CLASSES: usize = 8;

/// Whether a jump keeps equation (1).
pub fn closed(row: &Jump, rtol: f64) -> bool {
    let bound = 100.0 * rtol * row.measure.energy;
    row.measure.closure <= bound && row.measure.gain <= bound
}

/// The whole text.
pub fn table(rows: &[Jump], rtol: f64) -> String {
    let mut text = outcomes(rows);
    text.push_str(&stances(rows));
    text.push_str(&relation(rows));
    text.push_str(&energy(rows, rtol));
    text
}

fn mean(x: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = x.fold((0_usize, 0.0), |(n, s), x| (n + 1, s + x));
    sum / n as f64
}

fn outcomes(rows: &[Jump]) -> String {
    let mut text = format!(
        "{:<14}{:>7}{:>15}{:>15}{:>13}\n",
        "outcome", "jumps", "mean stance/ms", "mean rise/cm", "best rise/cm"
    );
    for outcome in JumpOutcome::ALL {
        let of: Vec<&Jump> = rows.iter().filter(|r| r.measure.outcome == outcome).collect();
        if of.is_empty() {
            text.push_str(&format!("{:<14}{:>7}\n", outcome.word(), 0));
            continue;
        }
        let stance = 1e3 * mean(of.iter().map(|r| r.measure.stance));
        let rise = 100.0 * mean(of.iter().map(|r| r.measure.rise));
        let best = 100.0 * of.iter().fold(0.0_f64, |b, r| b.max(r.measure.rise));
        text.push_str(&format!(
            "{:<14}{:>7}{stance:>15.3}{rise:>15.2}{best:>13.2}\n",
            outcome.word(),
            of.len()
        ));
    }
    text
}

/// Jumps with a stance whose capability by torques alone is known.
pub fn jumped(rows: &[Jump]) -> Vec<&Jump> {
    let keep = |r: &&Jump| r.measure.outcome == JumpOutcome::Jumped && r.dce.is_finite();
    rows.iter().filter(keep).collect()
}

fn stances(rows: &[Jump]) -> String {
    if !rows.iter().any(|r| r.measure.outcome == JumpOutcome::Jumped) {
        return String::new();
    }
    let jumped = jumped(rows);
    let top = jumped.iter().fold(0.0_f64, |m, r| m.max(r.dce));
    // Where nothing is above zero any width will do.
    let width = if top > 0.0 { round_up(top / CLASSES as f64) } else { 1.0 };
    let mut text = format!(
        "\n{:<20}{:>7}{:>15}{:>15}\n",
        "dce/(m/s²)", "jumps", "mean stance/ms", "mean rise/cm"
    );
    let mut class = |name: String, of: &[&&Jump]| {
        if !of.is_empty() {
            let stance = 1e3 * mean(of.iter().map(|r| r.measure.stance));
            let rise = 100.0 * mean(of.iter().map(|r| r.measure.rise));
            text.push_str(&format!("{name:<20}{:>7}{stance:>15.3}{rise:>15.2}\n", of.len()));
        }
    };
    // Postures that cannot even hold themselves against gravity in that direction.
    class("below 0".into(), &jumped.iter().filter(|r| r.dce < 0.0).collect::<Vec<_>>());
    for k in 0..CLASSES {
        let (low, high) = (width * k as f64, width * (k + 1) as f64);
        // A largest value that is round itself belongs to the last class.
        let within = |r: &&&Jump| r.dce >= low && (r.dce < high || k + 1 == CLASSES);
        let of: Vec<&&Jump> = jumped.iter().filter(within).collect();
        class(format!("{low} to {high}"), &of);
    }
    text.push_str(&without(rows));
    text
}

/// How many of those that jumped are in no class, and why, the most frequent cause first.
fn without(rows: &[Jump]) -> String {
    let all = || rows.iter().filter(|r| r.measure.outcome == JumpOutcome::Jumped);
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    for row in all().filter(|r| !r.dce.is_finite()) {
        *causes.entry(&row.no_dce).or_default() += 1;
    }
    let none: usize = causes.values().sum();
    let mut text = format!("{:<20}{none:>7}   of {} that jumped\n", "without a dce", all().count());
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    for (why, n) in causes {
        text.push_str(&format!("{:<20}{n:>7}   {why}\n", "  because"));
    }
    text
}

/// The next of 1, 2, 5 times a power of ten.
fn round_up(x: f64) -> f64 {
    let power = 10.0_f64.powf(x.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= x).unwrap_or(10.0);
    factor * power
}

/// Correlation of stance and capability below the knee of the source.
fn below_the_knee(rows: &[Jump]) -> Option<(usize, f64)> {
    let (dce, stance): (Vec<f64>, Vec<f64>) = jumped(rows)
        .into_iter()
        .filter(|r| (0.0..KNEE).contains(&r.dce))
        .map(|r| (r.dce, r.measure.stance))
        .unzip();
    (dce.len() >= 3).then(|| (dce.len(), correlation(&dce, &stance)))
}

fn relation(rows: &[Jump]) -> String {
    match below_the_knee(rows) {
        Some((n, r)) => format!(
            "\nstance against dce (capability by torques alone) from 0 to {KNEE} m/s²: correlation {r:.3} in {n} jumps\n"
        ),
        None => String::new(),
    }
}

fn energy(rows: &[Jump], rtol: f64) -> String {
    let worst = |of: fn(&Jump) -> f64| rows.iter().map(of).fold(0.0_f64, f64::max);
    let open = rows.iter().filter(|r| !closed(r, rtol)).count();
    let verdict = match open {
        0 => "kept by every jump".to_string(),
        n => format!("NOT kept by {n} jumps"),
    };
    format!(
        "\nledger: worst closure {:.1e} J, worst gain beyond the motors' work {:.1e} J, of {:.2} J; \
         bound 100 rtol E {verdict}\n",
        worst(|r| r.measure.closure),
        worst(|r| r.measure.gain),
        worst(|r| r.measure.energy),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_agility::JumpMeasure;

    fn jump(dce: f64, outcome: JumpOutcome) -> Jump {
        let measure = JumpMeasure {
            outcome,
            stance: 1e-3,
            rise: 0.1,
            least_distance: 1.0,
            last_distance: 1.0,
            largest_force: 1.0,
            impacts: 0,
            saturations: 0,
            applied: 0.0,
            lost: 0.0,
            gain: 0.0,
            closure: 0.0,
            energy: 1.0,
        };
        let (at, ended) = (vec![0.0], "reached-end".into());
        let no_dce = if dce.is_nan() { "too weak".into() } else { String::new() };
        Jump { sample: 0, at, capability: dce, dce, no_dce, measure, steps: 1, ended }
    }

    /// Every jump is in one row: those that fall, the largest, and those that have no value too.
    #[test]
    fn no_jump_drops_out() {
        let values = [-700.0, -1e-9, 0.0, 99.9, 100.0, 799.0, 800.0, f64::NAN, f64::NAN];
        let mut rows: Vec<Jump> = values.map(|x| jump(x, JumpOutcome::Jumped)).to_vec();
        rows.push(jump(50.0, JumpOutcome::Stopped));
        let mut other = jump(f64::NAN, JumpOutcome::Jumped);
        other.no_dce = "the feet cannot all be kept".into();
        rows.push(other);
        let text = stances(&rows);
        let count = |start: &str| -> usize {
            let line =
                text.lines().find(|l| l.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
            line[start.len()..].split_whitespace().next().unwrap().parse().unwrap()
        };
        assert_eq!([count("below 0"), count("0 to 100"), count("100 to 200")], [2, 2, 1], "{text}");
        assert_eq!([count("700 to 800"), count("without a dce")], [2, 3], "{text}");
        let end = "without a dce             3   of 10 that jumped\n  \
                   because                 2   too weak\n  \
                   because                 1   the feet cannot all be kept\n";
        assert!(text.ends_with(end), "{text}");
        // The relation of the source is about values from 0 to 200 m/s².
        assert_eq!(below_the_knee(&rows).map(|(n, _)| n), Some(3));
    }

    /// Where no jump has a value, or none above zero, the table says so instead of being left out.
    #[test]
    fn a_study_without_values_says_why() {
        let text = stances(&[jump(f64::NAN, JumpOutcome::Jumped)]);
        assert!(text.contains("without a dce             1   of 1 that jumped"), "{text}");
        let text = stances(&[jump(-3.0, JumpOutcome::Jumped)]);
        assert!(text.contains("below 0                   1 ") && !text.contains(" to "), "{text}");
        assert_eq!(stances(&[jump(5.0, JumpOutcome::AtOnce)]), "");
    }

    #[test]
    fn classes_are_round() {
        for (x, up) in [(0.9, 1.0), (1.1, 2.0), (31.0, 50.0), (0.06, 0.1), (500.0, 500.0)] {
            assert!((round_up(x) - up).abs() < 1e-12 * up, "{x}");
        }
    }
}
