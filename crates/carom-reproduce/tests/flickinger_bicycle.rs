//! The bicycle of Flickinger 2011 and of Flickinger & Bowling 2009: verdicts and the numbers behind them.

use carom_reproduce::flickinger::bicycle::{
    Setting, Wheels, coefficients, last_flight, slope_changes,
};
use carom_reproduce::flickinger::control::Control;
use carom_reproduce::{Context, Outcome, Verdict, find};

fn outcome(name: &str) -> Outcome {
    (find(name).unwrap().run)(&Context { fast: true }).unwrap()
}

fn verdict(outcome: &Outcome, words: &str) -> Verdict {
    outcome.claim_about("", words).unwrap_or_else(|| panic!("no claim about {words}")).verdict()
}

const OBLIQUE: Setting = Setting {
    wheels: Wheels::UPRIGHT,
    slope: 15.0,
    restitution: 0.75,
    control: Control::None,
    speed: 0.0,
    until: 5.0,
    interval: 0.01,
};

#[test]
fn feasibility() {
    let outcome = outcome("flickinger-feasibility");
    assert_eq!(verdict(&outcome, "every slip shown has a pushing"), Verdict::Agrees);
    assert_eq!(verdict(&outcome, "On level ground μd = 0.25 is infeasible"), Verdict::Agrees);
    assert_eq!(verdict(&outcome, "At 15° μs is feasible"), Verdict::Agrees);
    assert_eq!(verdict(&outcome, "between 0 and 1 m/s"), Verdict::Differs);
    assert_eq!(verdict(&outcome, "stick would have to pull"), Verdict::Differs);
    let limit = outcome.claim_about("4.3", "approach μ = 1.5").unwrap();
    assert!(limit.found.contains("flat ellipsoids: 1.501"), "{}", limit.found);
    // Upright ellipsoids satisfy most statements.
    let table = &outcome.tables[0];
    let holds = |row: &[String]| row[1].parse::<usize>().unwrap();
    assert_eq!(table.rows[0][0], "upright ellipsoids");
    assert!(table.rows[1..].iter().all(|row| holds(row) < holds(&table.rows[0])));
}

#[test]
fn oblique_impacts() {
    let outcome = outcome("flickinger-oblique");
    for words in ["comes at about 1 s", "There μs is feasible", "There μd is not feasible"] {
        assert_eq!(verdict(&outcome, words), Verdict::Agrees, "{words}");
    }
    assert_eq!(verdict(&outcome, "At 15° the first impact sticks"), Verdict::Agrees);
    assert_eq!(verdict(&outcome, "No values of the coefficient"), Verdict::Agrees);
    assert_eq!(verdict(&outcome, "settles into rolling after 2.5 s"), Verdict::Differs);
    assert!(matches!(verdict(&outcome, "At 45° stick is infeasible"), Verdict::Undecidable { .. }));
    // The reading that is drawn satisfies most statements.
    let holds: Vec<usize> = outcome.tables[0].rows.iter().map(|r| r[1].parse().unwrap()).collect();
    assert!(holds[1..].iter().all(|n| *n < holds[0]), "{holds:?}");
    assert_eq!(outcome.timings.len(), 4);
    assert!(outcome.timings.iter().all(|t| t.speed_up().unwrap() > 20.0));
}

/// First impacts by hand: a fall through 4.5 m on level ground, and there stick needs the friction that stops 2 m/s.
#[test]
fn eq1_eq2_coefficients() {
    let case = Setting { slope: 0.0, speed: 2.0, ..OBLIQUE }.run().unwrap();
    let uses = coefficients(&case).unwrap();
    let t = (2.0 * 4.5_f64 / 9.81).sqrt();
    assert!((uses[0].t - t).abs() < 1e-9);
    // Both wheels: G_t = 1/m' + r²/I with half of the mass each, I = m(a² + b²)/5, r = 0.5 m; G_n = 1/2.5 kg.
    let (mass, inertia) = (2.5, 2.0 * (0.25_f64.powi(2) + 0.25) / 5.0);
    let p_t = 2.0 / (1.0 / mass + 0.25 / inertia);
    let p_n = 1.75 * (2.0 * 9.81 * 4.5_f64).sqrt() * mass;
    for use_ in &uses[..2] {
        assert!(use_.sticks && use_.coefficient == 0.5);
        assert!((use_.needed - p_t / p_n).abs() < 1e-9, "{} {}", use_.needed, p_t / p_n);
        assert!((use_.ratio - use_.needed).abs() < 1e-9);
    }
    // At 45° the upright wheel slips with μd, as the source has it.
    let steep = Setting { slope: 45.0, ..OBLIQUE }.run().unwrap();
    let first = coefficients(&steep).unwrap()[0];
    assert!(!first.sticks && first.needed > 0.5);
    assert!((first.coefficient - 0.25).abs() < 1e-12 && (first.ratio - 0.25).abs() < 1e-9);
}

/// Sampling more densely finds no more slope changes of the normal forces: they are smooth between events. Round wheels
/// that both roll have constant ones.
#[test]
fn rolling_does_not_chatter() {
    let round = Setting { wheels: Wheels::Round, restitution: 0.25, until: 10.0, ..OBLIQUE };
    let ellipse = Setting { slope: 0.0, restitution: 0.25, speed: 2.0, ..OBLIQUE };
    for setting in [round, ellipse] {
        let coarse = slope_changes(&setting.run().unwrap());
        let fine = slope_changes(&Setting { interval: 0.0025, ..setting }.run().unwrap());
        assert!(coarse > 0 && fine <= coarse + 2, "{coarse} {fine}");
    }
    let case = round.run().unwrap();
    let from = case.events.last().unwrap().t;
    assert!(last_flight(&case).is_some_and(|t| t < from) && from < 9.0);
    let rolling: Vec<f64> =
        case.rows.iter().filter(|r| r.t > from).map(|r| r.forces[0][2]).collect();
    let mean = rolling.iter().sum::<f64>() / rolling.len() as f64;
    assert!(rolling.iter().all(|f| (f - mean).abs() < 1e-9 * mean));
}

#[test]
fn three_restitutions_on_the_wedge() {
    for name in ["flickinger-bicycle-wedge", "flickinger-bowling-bicycle"] {
        let outcome = outcome(name);
        for words in ["is lost at each impact", "bounces fewer times", "It rolls sooner"] {
            assert_eq!(verdict(&outcome, words), Verdict::Agrees, "{name}: {words}");
        }
        assert_eq!(verdict(&outcome, "The forces chatter"), Verdict::Differs, "{name}");
        assert_eq!(verdict(&outcome, "comes to rest a short way down"), Verdict::Differs, "{name}");
        // One reading of each rolls from the published time on: 2009 as semi-axes, the dissertation with round wheels.
        assert!(matches!(verdict(&outcome, "from about 3.5 s on"), Verdict::Undecidable { .. }));
    }
}

#[test]
fn energy_control() {
    let outcome = outcome("flickinger-bicycle-energy");
    let agrees = [
        "never comes to rest",
        "With e* = 0.95 no impact gains",
        "hits without rebound and begins to roll",
        "The energy is constant once it rolls",
    ];
    for words in agrees {
        assert_eq!(verdict(&outcome, words), Verdict::Agrees, "{words}");
    }
    assert_eq!(verdict(&outcome, "Some impacts gain energy"), Verdict::Differs);
    // Level ground and slope disagree, as they must.
    assert!(matches!(verdict(&outcome, "constant speed"), Verdict::Undecidable { .. }));
    assert!(matches!(verdict(&outcome, "tangential forces"), Verdict::Undecidable { .. }));
}
