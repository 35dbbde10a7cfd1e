//! The bicycle of Flickinger 2011 and of Flickinger & Bowling 2009: verdicts and the numbers behind them.

use carom_reproduce::flickinger::bicycle::{
    Setting, Succession, Wheels, coefficients, last_flight, slope_changes,
};
use carom_reproduce::flickinger::case::Row;
use carom_reproduce::flickinger::control::Control;
use carom_reproduce::{Cause, Context, Evidence, Outcome, Speed, Verdict, find};

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
    assert_eq!(cause(&outcome, "between 0 and 1 m/s"), Some(Cause::Source));
    assert_eq!(cause(&outcome, "stick would have to pull"), Some(Cause::Open));
    // Where the infeasible region begins is known; whether it was drawn depends on the axis.
    let region = outcome.claim_about("4.3", "needs a pulling normal impulse").unwrap();
    assert_eq!(region.cause().unwrap().0, Cause::SomeValues);
    assert!(region.found.contains("upright ellipsoids: from 70.8"), "{}", region.found);
    let limit = outcome.claim_about("4.3", "approach μ = 1.5").unwrap();
    assert!(limit.found.contains("flat ellipsoids: 1.501"), "{}", limit.found);
    // Figures 4.2 to 4.5 go over a few m/s; the region that is infeasible is hatched where it lies.
    let panels = |name: &str| {
        let plate = outcome.figures.iter().find(|p| p.name == name).expect("the figure");
        plate.figure.panels().iter().map(|p| format!("{p:?}")).collect::<Vec<String>>()
    };
    let near = panels("figures_4_2_to_4_5");
    assert!(near.len() == 4 && near.iter().all(|p| p.contains("range: Some([-5.0, 5.0])")));
    assert!(panels("wide_range")[1..].iter().all(|p| p.contains("infeasible: pulls")));
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
    assert!(matches!(verdict(&outcome, "At 45° stick is infeasible"), Verdict::Undecidable { .. }));
    assert_eq!(cause(&outcome, "At 15° it bounces down"), Some(Cause::SomeValues));
    assert_eq!(cause(&outcome, "it chatters, the wheels bouncing in turn"), Some(Cause::Open));
    // Restitutions, slopes and wheels are not stated: no verdict from one value of them.
    for words in [
        "settles into rolling after 2.5 s",
        "The steeper the slope, the more kinetic energy",
        "Wherever a wheel slips, μd is feasible",
    ] {
        let claim = outcome.claim_about("4.2", words).unwrap_or_else(|| panic!("{words}"));
        assert!(claim.cause().is_some(), "{claim}");
        assert!(matches!(claim.evidence, Evidence::Scans(_) | Evidence::Readings(_)), "{claim}");
    }
    // Five restitutions in the fast form, each with its count.
    assert_eq!(outcome.tables[0].rows.len(), 5);
    assert_eq!(outcome.timings.len(), 4);
    assert!(outcome.timings.iter().all(|t| t.speed_up().unwrap()[1] > 20.0));
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
    let mut timings = Vec::new();
    for name in ["flickinger-bicycle-wedge", "flickinger-bowling-bicycle"] {
        let outcome = outcome(name);
        assert_eq!(verdict(&outcome, "is lost at each impact"), Verdict::Agrees, "{name}");
        assert_eq!(cause(&outcome, "The forces chatter"), Some(Cause::Source), "{name}");
        // What e* the lower restitutions have decides, and it is not stated.
        for words in ["bounces fewer times", "It rolls sooner"] {
            assert_eq!(cause(&outcome, words), Some(Cause::SomeValues), "{name}: {words}");
        }
        // A lasting contact never stops it; a succession of impacts with e* = 0.5 does.
        let rest = outcome.claim_about("", "comes to rest a short way down").unwrap();
        let Evidence::Scans(all) = &rest.evidence else { panic!("{rest}") };
        let count = |words: &[&str], holds: bool| {
            let named = all.iter().filter(|s| words.iter().all(|w| s.reading.contains(w)));
            named.filter(|s| s.answers().all(|h| h == holds)).count()
        };
        assert_eq!((count(&["contact lasts"], true), count(&["contact lasts"], false)), (0, 6));
        // What one calls rest decides, and the more so the less often it is hit: it rolls on in between.
        let rests = |words: &str| -> Vec<usize> {
            let own =
                all.iter().filter(|s| ["e* = 0.5", words].iter().all(|w| s.reading.contains(w)));
            own.map(|s| s.answers().filter(|holds| *holds).count()).collect()
        };
        let (often, seldom) = (rests("hit every 2 ms"), rests("hit every 100 ms"));
        assert_eq!((often.len(), seldom.len()), (3, 3), "{rest}");
        assert!(
            often.iter().zip(&seldom).all(|(a, b)| a > b && *b > 0),
            "{often:?} {seldom:?} {rest}"
        );
        assert_eq!(count(&["e* = 0.5", "hit every"], true), 0, "{rest}");
        assert_eq!(rest.cause().map(|(c, _)| c), Some(Cause::SomeValues));
        // One reading of each rolls from the published time on: 2009 as semi-axes, the dissertation with round wheels.
        assert!(matches!(verdict(&outcome, "from about 3.5 s on"), Verdict::Undecidable { .. }));
        timings.push(outcome.timings);
    }
    // Paper and dissertation tell of the same three runs, each with a time: they count once, by the shorter time, however
    // many readings were run; each was repeated.
    let own: Vec<Speed> = timings.iter().filter_map(|t| Speed::of(t.iter())).collect();
    let both = Speed::of(timings.iter().flatten()).unwrap();
    assert_eq!((own.len(), own[0].runs, own[1].runs, both.runs), (2, 3, 3, 3));
    assert!(both.published <= own[0].published.min(own[1].published), "{both:?}");
    assert_eq!(both.repetitions, 5);
    let [median, slowest, fastest] = both.ratios();
    assert!(slowest < median && median < fastest, "{both:?}");
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
    // On level ground, where alone it can be.
    for words in ["constant speed", "tangential forces"] {
        assert_eq!(verdict(&outcome, words), Verdict::Agrees, "{words}");
    }
    // No gain on level ground, some on slopes, more the longer one waits.
    let gains = outcome.claim_about("3.4.2", "Some impacts gain energy").unwrap();
    assert!(matches!(gains.verdict(), Verdict::Undecidable { .. }), "{gains}");
    let Evidence::Scans(scans) = &gains.evidence else { panic!("{gains}") };
    assert!(scans.iter().all(|s| s.at[0] == (0.0, false)));
    let holding = |k: usize| scans[k].at.iter().filter(|(_, h)| *h).count();
    assert!(holding(0) <= holding(1) && holding(1) <= holding(2) && holding(2) > 0);
}

/// Every impact of a lasting contact takes its share of the energy: without friction, gravity or rolling in between the
/// next sample has e* of it, and the number of impacts is that of the pauses.
#[test]
fn eq1_succession_takes_its_share() {
    let setting = Setting {
        wheels: Wheels::Round,
        slope: 0.0,
        restitution: 0.0,
        control: Control::Attenuation(0.5),
        speed: 2.0,
        ..OBLIQUE
    };
    let case = setting.run().unwrap();
    for pause in [0.01, 0.1] {
        let hit = Succession::after(&setting, &case, pause).unwrap();
        // Distances between the impacts are a geometric series with the ratio √½.
        let v = case.rows.last().unwrap().v[0];
        let lasts = |w: &&[Row]| w[1].t - w[0].t > 0.005 && w[0].modes[0].is_closed();
        let from = &case.rows.windows(2).find(lasts).unwrap()[0];
        let ratio = 0.5_f64.sqrt();
        let count = ((setting.until - from.t) / pause).ceil();
        assert_eq!(hit.impacts, count as usize);
        // On level ground it rolls at constant speed between the impacts: half of T goes with each.
        let most = case.rows.iter().fold(0.0, |m: f64, r| m.max(r.kinetic));
        let before = ((setting.until - 0.5 - from.t) / pause).ceil();
        let left = case.rows.last().unwrap().kinetic / most * 0.5_f64.powf(before);
        assert!((hit.left - left).abs() <= 1e-6 * left + 1e-30, "{} {left}", hit.left);
        let sum: f64 = (1..=count as i32).map(|k| v * pause * ratio.powi(k)).sum();
        let fall = from.q[0] - case.rows[0].q[0];
        assert!((hit.travelled - fall - sum).abs() < 1e-6, "{} {fall} {sum}", hit.travelled);
    }
}
