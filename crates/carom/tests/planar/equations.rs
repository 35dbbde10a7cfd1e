//! Numbered equations and published numbers.

use carom::impact::planar::{PlanarContact, planar_path};
use carom::impact::{Differential, ImpactLaw, Planar, Restitution, StageEvent, Tolerances};

use crate::contact::{random_contact, rod};
use crate::impact_support::{Rng, check_audit, solve};

#[test]
fn slip_reversal_rod_to_all_printed_digits() {
    // Printed: tip velocity to 4 decimals, energy change in percent to 2, ω to 4 for the energetic definition.
    for (restitution, u_t, u_n, percent) in [
        (Restitution::Energetic, -0.4723, 1.6604, -20.34),
        (Restitution::Kinetic, -0.4712, 1.6527, -20.64),
        (Restitution::Kinematic, -0.4922, 1.8, -14.53),
    ] {
        for law in [&Planar { restitution } as &dyn ImpactLaw, &Differential { restitution }] {
            let answer = solve(law, &rod()).expect("solved");
            let u = &answer.solution.u_post;
            let change = 100.0 * (answer.energy_after / answer.energy_before - 1.0);
            assert!((u[0] - u_t).abs() < 0.5e-4, "{restitution}: u_t {}", u[0]);
            assert!((u[1] - u_n).abs() < 0.5e-4, "{restitution}: u_n {}", u[1]);
            assert!((change - percent).abs() < 0.5e-2, "{restitution}: {change} %");
            if restitution == Restitution::Energetic {
                assert!((answer.velocity[2] + 4.7015).abs() < 0.5e-4, "ω {}", answer.velocity[2]);
            }
            check_audit(&rod(), &answer, &Tolerances::uniform(1e-14));
        }
    }
}

#[test]
fn eq1_eq2_rates() {
    let mut rng = Rng::new(1);
    let (mut slips, mut sticks) = (0, 0);
    for _ in 0..2000 {
        let c = random_contact(&mut rng, 0.95);
        let path = planar_path(&c, Restitution::Energetic).expect("solved");
        for pair in path.states().windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let dp = b.p_n - a.p_n;
            if dp < 1e-6 {
                continue;
            }
            let middle = 0.5 * (a.u_t + b.u_t);
            let ratio = (b.p_t - a.p_t) / dp;
            if middle == 0.0 {
                sticks += 1;
                assert!(
                    (ratio + c.tn / c.tt).abs() < 1e-9 && ratio.abs() <= c.static_friction + 1e-9
                );
            } else {
                slips += 1;
                assert!((ratio + middle.signum() * c.friction).abs() < 1e-9);
            }
            let rate_t = c.tn + ratio * c.tt;
            let rate_n = c.nn + ratio * c.tn;
            assert!(((b.u_t - a.u_t) - rate_t * dp).abs() < 1e-12 * (1.0 + a.u_t.abs()));
            assert!(((b.u_n - a.u_n) - rate_n * dp).abs() < 1e-12 * (1.0 + a.u_n.abs()));
        }
    }
    assert!(slips > 1000 && sticks > 300, "{slips} {sticks}");
}

#[test]
fn eq3_slip_stop_stick_or_reversal() {
    let mut rng = Rng::new(2);
    let (mut stops, mut reversals) = (0, 0);
    for _ in 0..5000 {
        let c = random_contact(&mut rng, 0.95);
        let path = planar_path(&c, Restitution::Kinetic).expect("solved");
        let ratio = (c.tn / c.tt).abs();
        for s in path.states() {
            match s.event {
                StageEvent::SlipStop => {
                    stops += 1;
                    assert!(ratio <= c.static_friction && s.u_t == 0.0 && path.end().u_t == 0.0);
                }
                StageEvent::Reversal => {
                    reversals += 1;
                    assert!(ratio > c.static_friction && s.u_t == 0.0);
                    assert!(path.end().u_t * c.u_t <= 0.0, "reversed slip");
                    assert!(path.end().u_t * c.tn >= 0.0, "in the direction of b");
                }
                _ => {}
            }
        }
    }
    assert!(stops > 500 && reversals > 100, "{stops} {reversals}");
}

#[test]
fn eq4_compression_ends() {
    // Also where more impulse first makes the contact approach faster.
    let mut rng = Rng::new(3);
    let mut jammed = 0;
    for _ in 0..5000 {
        let c =
            PlanarContact { friction: 5.0, static_friction: 5.0, ..random_contact(&mut rng, 0.99) };
        let path = planar_path(&c, Restitution::Energetic).expect("positive definite G cannot jam");
        let turn =
            path.states().iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        assert!(turn.u_n == 0.0 && turn.work_n < 0.0 && turn.p_n > 0.0);
        jammed += usize::from(c.nn - c.u_t.signum() * c.friction * c.tn < 0.0);
    }
    assert!(jammed > 500, "{jammed}");
}

#[test]
fn eq5_kinematic() {
    let mut rng = Rng::new(4);
    for _ in 0..2000 {
        let c = random_contact(&mut rng, 0.95);
        let end = *planar_path(&c, Restitution::Kinematic).expect("solved").end();
        assert_eq!(end.u_n, -c.restitution * c.u_n);
    }
}

#[test]
fn eq6_kinetic() {
    let mut rng = Rng::new(5);
    for _ in 0..2000 {
        let c = random_contact(&mut rng, 0.95);
        let path = planar_path(&c, Restitution::Kinetic).expect("solved");
        let turn =
            path.states().iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        let ratio = path.end().p_n / turn.p_n - 1.0;
        assert!((ratio - c.restitution).abs() < 1e-14);
    }
}

#[test]
fn eq7_energetic() {
    let mut rng = Rng::new(6);
    let mut worst = 0.0_f64;
    for _ in 0..5000 {
        let c = random_contact(&mut rng, 0.999);
        let path = planar_path(&c, Restitution::Energetic).expect("solved");
        let turn =
            path.states().iter().find(|s| s.event == StageEvent::EndOfCompression).expect("turn");
        let released = path.end().work_n - turn.work_n;
        worst = worst.max((released / -turn.work_n - c.restitution * c.restitution).abs());
        assert!(path.end().work_t <= 0.0);
        assert!(path.end().work_n <= 0.0);
    }
    assert!(worst < 1e-14, "{worst:e}");
}
