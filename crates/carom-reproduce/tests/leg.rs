//! The jumping leg in its fast form.

mod support;

use carom_reproduce::leg::Geometry;
use carom_reproduce::{Cause, Evidence, Verdict, leg};
use nalgebra::Vector3;
use support::{outcome, verdicts};

#[test]
fn jumps() {
    let outcome = outcome(&leg::JUMPS);
    verdicts(&outcome);
    let cause = |words: &str| {
        let claim = outcome.claim_about("", words).unwrap_or_else(|| panic!("{words}"));
        claim.cause().map(|(cause, _)| cause)
    };
    assert_eq!(cause("more capability to accelerate"), Some(Cause::SomeValues));
    for words in ["within the digits", "comes nearer to the goal", "Searching for the best posture"]
    {
        assert_eq!(cause(words), None, "{words}");
    }
    // Postures are drawn, and jumps with motors that never act beside a gain at which they do.
    for (name, stands_for) in [
        ("posture-guess", "figure 6.6"),
        ("posture-published-optimum", "figure 6.7"),
        ("jump-guess-gain", "figures 6.8 to 6.10"),
        ("jump-optimum-gain", "figures 6.11 to 6.13"),
    ] {
        let plate = outcome.figures.iter().find(|p| p.name == name);
        assert!(plate.is_some_and(|p| p.stands_for == stands_for), "{name}");
    }
    // Why the optimised posture is better: all three motors help, at their limits.
    let stopped_by = |k: usize| outcome.tables[0].rows[k][2].matches("N·m").count();
    assert_eq!((stopped_by(0), stopped_by(1), stopped_by(2)), (2, 3, 3));
}

#[test]
fn field() {
    let outcome = outcome(&leg::FIELD);
    // On the coarse grid the regions join above 70 % of the largest value.
    assert_eq!(verdicts(&outcome), ["not decidable"]);
    assert!(outcome.claims[0].found.contains("2, 2, 1, 1"), "{}", outcome.claims[0].found);
}

#[test]
fn sample() {
    let outcome = outcome(&leg::SAMPLE);
    // Too few jumps in the fast form to read a relation from them.
    assert_eq!(verdicts(&outcome), ["differs", "not decidable", "not decidable", "agrees"]);
    assert_eq!(outcome.claims[0].cause().map(|(c, _)| c), Some(Cause::Reading));
    assert!(outcome.claims[3].own);
}

/// The geometry of scenes/jumper.toml is one of them: the same foot, the same misfit, in both postures.
#[test]
fn eq1_the_scene_is_one_of_them() {
    let scene = Geometry {
        order: [0, 1, 2],
        axis: Vector3::new(-1.0, 0.0, 0.0),
        points: Vector3::new(0.0, -1.0, 0.0),
        senses: [1.0, 1.0],
    };
    assert!(Geometry::all().contains(&scene));
    // Heights at which the foot touches, as the scene has them with its hip 2.5 mm below the centre.
    let guess = scene.foot(&[0.0, 0.0, 0.0, 0.0, 0.09, -0.61], 0.0025).y;
    let best = scene.foot(&[0.52, -0.5, -0.46, 0.15, 0.03, 0.67], 0.0025).y;
    assert!((guess + 0.17494227272356333).abs() < 1e-12, "{guess}");
    assert!((best + 0.1746413789512768).abs() < 1e-12, "{best}");
    let fit = scene.fit();
    assert!(fit.within() && (fit.hip - 0.0025).abs() < 5e-4, "{fit:?}");
    // Both postures are equally far off, and no other depth of the hip is better for both.
    let off = |hip: f64| {
        [
            0.17 + scene.foot(&[0.0, 0.0, 0.0, 0.0, 0.09, -0.61], hip).y,
            0.18 + scene.foot(&[0.52, -0.5, -0.46, 0.15, 0.03, 0.67], hip).y,
        ]
    };
    assert!(
        (off(fit.hip)[0] - fit.off[0]).abs() < 1e-12
            && (off(fit.hip)[1] - fit.off[1]).abs() < 1e-12
    );
    for hip in [fit.hip + 1e-4, fit.hip - 1e-4] {
        let worse = off(hip).iter().zip(fit.off).any(|(a, b)| a.abs() > b.abs());
        assert!(worse, "{hip}");
    }
}

/// Fast form: one geometry in twelve, one gain in four for our own.
#[test]
fn geometry() {
    let outcome = outcome(&leg::GEOMETRY);
    verdicts(&outcome);
    let claim = |words: &str| outcome.claim_about("", words).unwrap_or_else(|| panic!("{words}"));
    let cause = |words: &str| claim(words).cause().map(|(cause, _)| cause);
    // No geometry puts the foot behind the body as the text has it.
    let line = claim("the line from the foot to the body");
    assert_eq!(line.cause().map(|(c, _)| c), Some(Cause::Open), "{line}");
    assert_eq!(line.verdict(), Verdict::Differs);
    // The gain decides whether motors act from the guess, and how high the optimised posture rises.
    for words in ["torques come near", "rises by about 40 cm"] {
        assert_eq!(cause(words), Some(Cause::SomeValues), "{words}");
        assert!(claim(words).to_string().contains("our geometry"));
    }
    // Nor does one run without torques decide how high the guess rises, nor one geometry where the jumps lead.
    for words in ["by only 2 cm, though the motors act", "moves toward −N1", "the path follows"] {
        let scanned = matches!(claim(words).evidence, Evidence::Scans(_) | Evidence::Readings(_));
        assert!(scanned && cause(words).is_some(), "{}", claim(words));
    }
    assert_eq!(cause("leaves the ground several times"), None);
    assert_eq!(outcome.own_counts(), [2, 0, 0]);
    assert_eq!(outcome.counts().iter().sum::<usize>(), 8);
    assert_eq!(outcome.data[0].len(), Geometry::all().len());
    assert_eq!(Geometry::all().len(), 6 * 6 * 5 * 4);
}
