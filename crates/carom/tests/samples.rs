//! The sample problems of one and of several planar contacts, answered by an independent implementation.

mod impact_support;

use carom::impact::{Differential, Planar, Restitution, Tolerances};
use impact_support::{check_audit, compare, samples, solve};

fn restitution(word: &str) -> Restitution {
    *Restitution::ALL.iter().find(|r| r.as_str() == word).expect("known definition")
}

/// Required agreement is 1e-8; what holds is round-off.
const AGREEMENT: f64 = 1e-12;

#[test]
fn one_planar_contact() {
    let mut worst = 0.0_f64;
    for sample in samples(include_str!("samples/planar1.jsonl")) {
        let restitution = restitution(sample.law["restitution"].as_str().unwrap_or(""));
        for law in [
            &Planar { restitution } as &dyn carom::impact::ImpactLaw,
            &Differential { restitution },
        ] {
            let answer = solve(law, &sample.problem).expect("solved");
            let d = compare(&sample, &answer);
            assert!(d < AGREEMENT, "{} {}: {d:e}", sample.id, law.name());
            worst = worst.max(d);
            let mut tolerances = Tolerances::uniform(1e-12);
            if restitution == Restitution::Kinematic {
                tolerances.0.gain = f64::INFINITY;
            }
            check_audit(&sample.problem, &answer, &tolerances);
        }
    }
    println!("worst difference {worst:e}");
}

#[test]
fn several_planar_contacts() {
    let (mut worst, mut count) = (0.0_f64, 0);
    for sample in samples(include_str!("samples/planarN.jsonl")) {
        if sample.law["formulation"] != "differential" {
            continue;
        }
        let restitution = restitution(sample.law["restitution"].as_str().unwrap_or(""));
        let answer = solve(&Differential { restitution }, &sample.problem)
            .unwrap_or_else(|error| panic!("{}: {error}", sample.id));
        let d = compare(&sample, &answer);
        assert!(d < AGREEMENT, "{}: {d:e}", sample.id);
        (worst, count) = (worst.max(d), count + 1);
        let mut tolerances = Tolerances::uniform(1e-12);
        if restitution == Restitution::Kinematic {
            tolerances.0.gain = f64::INFINITY;
        }
        check_audit(&sample.problem, &answer, &tolerances);
    }
    assert_eq!(count, 16);
    println!("worst difference {worst:e}");
}
