//! The double pendulum of Flickinger 2011: verdicts and the numbers behind them.

use carom_reproduce::flickinger::pendulum::{SECTION_5_5, TABLE_2_4};
use carom_reproduce::{Cause, Context, Evidence, Outcome, Verdict, find};

fn outcome(name: &str) -> Outcome {
    (find(name).unwrap().run)(&Context { fast: true }).unwrap()
}

fn verdict(outcome: &Outcome, words: &str) -> Verdict {
    outcome.claim_about("", words).unwrap_or_else(|| panic!("no claim about {words}")).verdict()
}

fn cause(outcome: &Outcome, words: &str) -> Option<Cause> {
    let claim = outcome.claim_about("", words).unwrap_or_else(|| panic!("no claim about {words}"));
    claim.cause().map(|(cause, _)| cause)
}

#[test]
fn runs_of_table_2_4() {
    let outcome = outcome("flickinger-pendulum");
    let agrees = [
        "not at rest after 10 s",
        "rises at two impacts or more",
        "lost by friction alone",
        "the tip does not rebound",
        "at rest shortly after the first impact",
        "With e* = 1 no impact gains",
        "so that only impacts exert forces",
        "With e* = 0.5 it is at rest within 10 s",
        "leaves about half of the kinetic energy",
        "keeps the tip from slipping are constant",
        "a transition from slip to stick",
        "describe the same friction",
    ];
    for words in agrees {
        assert_eq!(verdict(&outcome, words), Verdict::Agrees, "{words}");
    }
    assert_eq!(cause(&outcome, "first impact gains nothing"), Some(Cause::Source));
    assert_eq!(cause(&outcome, "first impact is the same as without"), Some(Cause::Source));
    assert_eq!(cause(&outcome, "so many slip reversals"), Some(Cause::Reading));
    assert_eq!(cause(&outcome, "there is one gain, at about 6 s"), Some(Cause::Open));
    // The bound of (3.25) decides what the estimates do.
    for words in
        ["can make the estimated normal force negative", "All estimated normal forces push"]
    {
        assert!(matches!(verdict(&outcome, words), Verdict::Undecidable { .. }), "{words}");
        assert_eq!(cause(&outcome, words), Some(Cause::Reading), "{words}");
    }
    assert!(outcome.timings.iter().all(|t| t.ours.len() == 5 && t.speed_up().unwrap()[1] > 20.0));
}

#[test]
fn section_5_5() {
    let outcome = outcome("flickinger-pendulum-control");
    for words in
        ["first impact is at about 0.5 s", "It gains kinetic energy", "With either control"]
    {
        assert_eq!(verdict(&outcome, words), Verdict::Agrees, "{words}");
    }
    assert_eq!(cause(&outcome, "No later impact gains"), Some(Cause::SomeValues));
    // The floor is at no one height: all that round to the printed one are tried.
    let later = outcome.claim_about("5.5", "No later impact gains").unwrap();
    let Evidence::Scans(scans) = &later.evidence else { panic!("{later}") };
    assert!(scans.iter().flat_map(|s| s.answers()).count() > 2, "{later}");
    assert_eq!(cause(&outcome, "Both give similar velocities"), Some(Cause::Reading));
    for words in [
        "the same until the impact at about 3.25 s",
        "loses more kinetic energy",
        "near x = −0.5 m",
    ] {
        assert_eq!(cause(&outcome, words), Some(Cause::Source), "{words}");
    }
}

/// The first impact from the horizontal, known to many digits, and what sticking there gains.
#[test]
fn first_impact() {
    let case = TABLE_2_4[0].run().unwrap();
    let first = case.impacts().next().unwrap();
    // Global error of rtol = 1e-8 over the fall.
    assert!((first.t - 0.5153528907774).abs() < 1e-7, "{}", first.t);
    assert!(first.contacts[0].u_post[0].abs() < 1e-12);
    assert!((-first.energy_lost() - 14.30946).abs() < 1e-4, "{}", first.energy_lost());
}

/// With e* = 0.5 every impact of any size halves the energy, and the pendulum rests on its tip in equilibrium: moments
/// about the pivot and the elbow vanish.
#[test]
fn moderate_control_halves_the_energy_and_rests() {
    let case = TABLE_2_4[3].run().unwrap();
    let most = case.impacts().map(|e| e.energy_before).fold(0.0, f64::max);
    for event in case.impacts().filter(|e| e.energy_before > 1e-9 * most) {
        assert!((event.energy_after / event.energy_before - 0.5).abs() < 1e-9);
    }
    assert!(case.rest().unwrap() < 10.0);
    let last = case.rows.last().unwrap();
    assert!(last.v.iter().all(|v| *v == 0.0));
    let ([f_t, _, f_n], (a, b)) = (last.forces[0], (last.q[0], last.q[0] + last.q[1]));
    let weight = 4.04 * 9.81;
    // Lower bar about the elbow, both bars about the pivot; the tangent may point either way along x.
    let lower = |f: f64| b.cos() * f_n - b.sin() * f - 0.5 * weight * b.cos();
    let both = |f: f64| {
        let [x, y] = [a.cos() + b.cos(), a.sin() + b.sin()];
        x * f_n - y * f - weight * (1.5 * a.cos() + 0.5 * b.cos())
    };
    let worst = |f: f64| lower(f).abs().max(both(f).abs());
    assert!(worst(f_t).min(worst(-f_t)) < 1e-9 * weight, "{} {}", worst(f_t), worst(-f_t));
}

/// One contact, e = 1, two degrees of freedom: where the energy constraint binds, v⁺ = −v⁻, and a motion that started at
/// rest goes back to its start and comes again.
#[test]
fn the_constraint_turns_the_motion_back() {
    let case = SECTION_5_5[2].run().unwrap();
    let times: Vec<f64> = case.impacts().map(|e| e.t).collect();
    assert!(times.len() >= 4);
    for event in case.impacts() {
        for (a, b) in event.v_post.iter().zip(&event.v_pre) {
            assert!((a + b).abs() < 1e-6 * a.abs(), "{a} {b}");
        }
    }
    for (k, t) in times.iter().enumerate() {
        assert!((t - times[0] * (2 * k + 1) as f64).abs() < 1e-5, "{k}: {t}");
    }
    // Attenuation stops the slip instead and keeps the energy of the first impact.
    let case = SECTION_5_5[1].run().unwrap();
    let first = case.impacts().next().unwrap();
    assert!(first.contacts[0].u_post[0].abs() < 1e-9);
    assert!(first.energy_lost().abs() < 1e-9 * first.energy_before);
}
