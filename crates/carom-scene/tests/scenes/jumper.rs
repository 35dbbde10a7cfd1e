//! The jumping leg: Flickinger 2011, tables 2.3, 6.1, 6.2 and sections 6.4.2, 6.4.3.

use crate::support::{load, of_kind, run};
use carom::contact::site_state;
use carom::contact::sites;
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::{Kinematics, kinematics};
use carom::hybrid::Run;
use carom::record::EventKind;
use carom_scene::Scene;

/// The posture that the dissertation calls optimised, at the height at which the foot touches.
const OPTIMISED: [&str; 5] = [
    "body.body.position=[0, 0.1746413789512768, 0]",
    "body.body.rotation=[0.52, -0.5, -0.46]",
    "initial.motor.coxa=0.15",
    "initial.motor.femur=0.03",
    "initial.motor.tibia=0.67",
];

fn foot_gap(scene: &Scene) -> f64 {
    let (q, v) = (scene.initial.q.as_slice(), scene.initial.v.as_slice());
    let model = &scene.model;
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    let mut products = VelocityProducts::new(model);
    velocity_products(model, &kin, &mut products);
    site_state(model, &sites(model)[0], (&kin, &products), (q, v)).gap
}

/// Table 6.2 gives heights of 0.17 and 0.18 m to a centimetre and angles to a hundredth: half a unit of
/// the last digit is 5 mm, and 5 mrad of four angles at up to 0.18 m another 2 mm or so.
#[test]
fn table_6_2_stands_on_the_ground_within_its_digits() {
    let guess = load("jumper.toml", &[]);
    let optimised = load("jumper.toml", &OPTIMISED);
    assert!(foot_gap(&guess).abs() < 1e-15 && foot_gap(&optimised).abs() < 1e-15);
    let printed = [0.17 - guess.initial.q[1], 0.18 - optimised.initial.q[1]];
    assert!((printed[0] + 0.0049).abs() < 1e-4, "{printed:?}");
    assert!((printed[1] - 0.0054).abs() < 1e-4, "{printed:?}");
}

fn rise(run: &Run) -> f64 {
    let start = run.recording.q[0][1];
    run.recording.q.iter().fold(0.0_f64, |top, q| top.max(q[1] - start))
}

/// "the body center is displaced only 2 centimeters"; "approximately 40 centimeters".
#[test]
fn sections_6_4_2_and_6_4_3() {
    let guess = run(&load("jumper.toml", &[]));
    let optimised = run(&load("jumper.toml", &OPTIMISED));
    assert!((rise(&guess) - 0.021).abs() < 0.001, "{}", rise(&guess));
    assert!((rise(&optimised) - 0.337).abs() < 0.002, "{}", rise(&optimised));
    // "The endpoint leaves the ground several times", and once for good.
    assert!(of_kind(&guess, EventKind::LiftOff).len() > 3);
    assert_eq!(of_kind(&optimised, EventKind::LiftOff).len(), 1);
    assert!(of_kind(&optimised, EventKind::Impact).is_empty());
    // What the dissertation does not say: the springs, bent by 1.46 rad at the tibia, hold the energy
    // of the jump, and the motors take some of it out.
    assert!(optimised.ledger.initial > 5.5 && optimised.ledger.applied < 0.0);
    for torques in optimised.recording.torques.iter().chain(&guess.recording.torques) {
        assert!(torques.iter().all(|t| t.abs() <= 2.5));
    }
    // Motors work only while the foot stands.
    let end = of_kind(&optimised, EventKind::LiftOff)[0].t;
    let after = optimised.recording.t.iter().zip(&optimised.recording.torques);
    assert!(after.filter(|(t, _)| **t > end).all(|(_, u)| u.iter().all(|u| *u == 0.0)));
}

/// A tibia that lands flat, on foot and knee: the slip of a foot that the knee holds in place is
/// round-off and has no direction of its own. And a tibia that rattles between foot and knee: the
/// correction of one gap puts the other below the ground by a little, from where it must not sink.
#[test]
fn a_tibia_flat_on_the_ground() {
    for (femur, tibia) in [
        (-0.5807295484297985_f64, -0.9895220557273818_f64),
        (0.28925073295882053, -0.7609150085676006),
    ] {
        let height = 0.0325 + 0.0646 * femur.cos() + 0.09 * (femur + tibia).cos();
        let scene = load(
            "jumper.toml",
            &[
                &format!("body.body.position=[0, {height:?}, 0]"),
                &format!("initial.motor.femur={femur:?}"),
                &format!("initial.motor.tibia={tibia:?}"),
            ],
        );
        let run = scene.simulation().unwrap().run_until(0.5).unwrap();
        assert!(run.ledger.closure().abs() < 1e-6, "{}", run.ledger.closure());
        // A site that has just lifted off is not watched for one short step; rattling at 20 rad/s, the
        // other end of the tibia may press it down meanwhile.
        assert!(run.statistics.worst_gap > -1e-8, "{}", run.statistics.worst_gap);
        assert_eq!(run.recording.t.last(), Some(&0.5));
    }
}
