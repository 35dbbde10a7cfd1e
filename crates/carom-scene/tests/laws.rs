//! Every law of the catalogue, with all its options, chosen in scenes.

use carom::impact::catalogue::{CATALOGUE, InScenes};
use carom::impact::{DissipationOptions, Formulation, RestitutionMatrix};
use carom_scene::{LawNumber, LawWords, Scene, schema};

/// A disk above a floor, thrown along it.
const THROWN: &str = r#"
    space = "planar"
    gravity = [0, -9.81]
    [body.disk]
    mass = 2
    shape = { disk = 0.1 }
    position = [0, 0.6]
    velocity = [3, 0]
    [body.floor]
    shape = "plane"
    [[contact]]
    between = ["disk", "floor"]
    restitution = 0.5
    static_friction = 0.4
    friction = 0.2
    [solver]
    until = 0.5
    rtol = 1e-10
"#;

fn scene(text: &str, overrides: &[&str]) -> Scene {
    Scene::parse_with(text, "thrown.toml", overrides).unwrap_or_else(|e| panic!("{}", e.report()))
}

/// Contact velocities before and after the first impact: tangential, normal.
fn first_impact(scene: &Scene) -> ([f64; 2], [f64; 2]) {
    let run = scene.simulation().unwrap().run_until(scene.options.solver.until).unwrap();
    let event = run.events().iter().find(|e| e.kind.is_jump()).expect("it falls");
    let c = &event.contacts[0];
    ([c.u_pre[0], c.u_pre[2]], [c.u_post[0], c.u_post[2]])
}

#[test]
fn every_option_of_the_catalogue_can_be_stated_or_says_why_not() {
    let keys = schema()["$defs"]["law"]["properties"].clone();
    let mut missing = Vec::new();
    for law in CATALOGUE {
        let inner = match law.formulation {
            "rule" | "attenuation" => "poisson",
            formulation => formulation,
        };
        for option in law.options {
            match option.scenes {
                InScenes::Same => {
                    assert!(keys.get(option.name).is_some(), "{} {}", inner, option.name);
                }
                InScenes::Written(table) => {
                    let law = format!("law={{ formulation = \"{inner}\", {table} }}");
                    scene(THROWN, &[&law]).simulation().unwrap();
                }
                InScenes::Not(why) => missing.push((option.name, why)),
            }
        }
    }
    let names: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["stiffness"]);
}

#[test]
fn all_numbers_reach_the_law_of_the_scene_and_of_a_pair() {
    let matrix = r#"formulation = "matrix", tangential = -0.7"#;
    let dissipation =
        r#"formulation = "dissipation", slip_speed = 1e-3, exponent = 2, velocity_unit = 0.5"#;
    let expected = [
        Formulation::Matrix(RestitutionMatrix { elsewhere: [-0.7; 2], ..Default::default() }),
        Formulation::Dissipation(DissipationOptions {
            slip_speed: 1e-3,
            exponent: 2.0,
            velocity_unit: 0.5,
            ..DissipationOptions::default()
        }),
    ];
    for (table, expected) in [matrix, dissipation].into_iter().zip(expected) {
        let of_scene = scene(THROWN, &[&format!("law={{ {table} }}")]);
        assert_eq!(of_scene.law.formulation, expected);
        let of_pair = scene(THROWN, &[&format!("contact.0.law={{ {table} }}")]);
        assert_eq!(of_pair.law.formulation.as_str(), "differential");
        assert_eq!(of_pair.pairs[0].law.as_ref().unwrap().formulation, expected);
        of_pair.simulation().unwrap();
    }
    let set = ["law.formulation=dissipation", "law.slip_speed=2e-5"];
    let words = LawWords::of(&scene(THROWN, &set).law);
    let number = |n: &LawNumber| (n.key, n.value);
    assert_eq!(number(&words.numbers[0]), ("slip_speed", 2e-5));
    assert_eq!(words.unusual_numbers().map(number).collect::<Vec<_>>(), [("slip_speed", 2e-5)]);
    let energy = ["law.formulation=dissipation", "law.energy_control.method=constraint"];
    let Formulation::Dissipation(options) = scene(THROWN, &energy).law.formulation else {
        panic!("another law")
    };
    assert_eq!(options.energy_limit, Some(1.0));
}

#[test]
fn a_tangential_coefficient_acts_on_the_slip() {
    // Friction that suffices for every e_t here: u_t⁺ = e_t u_t⁻, uₙ⁺ = −e uₙ⁻.
    for (path, e_t) in [("law", -0.5), ("contact.0.law", -0.5), ("law", 0.25), ("law", 0.0)] {
        let law = format!("{path}={{ formulation = \"matrix\", tangential = {e_t:?} }}");
        let set = ["contact.0.static_friction=9", "contact.0.friction=9", &law];
        let (before, after) = first_impact(&scene(THROWN, &set));
        assert!((before[0] - 3.0).abs() < 1e-12 && before[1] < -3.0);
        assert!((after[0] - e_t * before[0]).abs() < 1e-12, "{after:?}");
        assert!((after[1] + 0.5 * before[1]).abs() < 1e-12, "{after:?}");
    }
}

#[test]
fn the_slip_speed_chooses_between_static_and_dynamic_friction() {
    // u_t⁺ = u_t⁻ − (1/m + r²/I) μ m (1 + e)|uₙ⁻| with r²/I = 2/m for a disk, while it slips on.
    for (slip_speed, mu) in [("1e-5", 0.2), ("1e6", 0.4)] {
        let law = format!("law={{ formulation = \"dissipation\", slip_speed = {slip_speed} }}");
        let set = ["body.disk.velocity=[9, 0]", law.as_str()];
        let (before, after) = first_impact(&scene(THROWN, &set));
        let expected = before[0] - 3.0 * mu * 1.5 * before[1].abs();
        assert!(expected > 1.0 && (after[0] - expected).abs() < 1e-4, "{mu} {after:?} {expected}");
    }
}

#[test]
fn attenuation_goes_around_any_law() {
    for formulation in ["differential", "algebraic", "constraint", "matrix", "newton", "poisson"] {
        let law = format!(
            "law={{ formulation = \"{formulation}\", energy_control = {{ method = \"attenuation\", ratio = 0.1 }} }}"
        );
        let scene = scene(THROWN, &[&law]);
        let run = scene.simulation().unwrap().run_until(0.5).unwrap();
        let event = run.events().iter().find(|e| e.kind.is_jump()).unwrap();
        let (before, after) = (event.energy_before, event.energy_after);
        assert!((after - 0.1 * before).abs() < 1e-12 * before, "{formulation}: {after} {before}");
    }
}

#[test]
fn laws_stated_alike_are_one_law() {
    // Two feet of a bar reach the floor together, each contact with the same law.
    let text = r#"
        space = "planar"
        gravity = [0, -9.81]
        [body.bar]
        mass = 1
        shape = { rod = 1 }
        position = [0, 0.3]
        feature.a = { point = [-0.5, 0] }
        feature.b = { point = [0.5, 0] }
        [body.floor]
        shape = "plane"
        [[contact]]
        between = ["bar.a", "floor"]
        restitution = 0.5
        friction = 0.3
        law = { formulation = "newton" }
        [[contact]]
        between = ["bar.b", "floor"]
        restitution = 0.5
        friction = 0.3
        law = { formulation = "newton" }
    "#;
    // Under Newton's law both rebound with e; the law of the scene leaves no energy.
    let dead = "law={ formulation = \"newton\", energy_control = { method = \"attenuation\", ratio = 0 } }";
    let alike = scene(text, &[dead]);
    let laws = alike.pair_laws();
    assert_eq!((laws.len(), laws[0].1.len()), (1, 2));
    let run = alike.simulation().unwrap().run_until(0.3).unwrap();
    let event = run.events().iter().find(|e| e.kind.is_jump()).unwrap();
    let ratios: Vec<f64> = event.contacts.iter().map(|c| -c.u_post[2] / c.u_pre[2]).collect();
    assert_eq!(ratios.len(), 2);
    assert!(ratios.iter().all(|r| (r - 0.5).abs() < 1e-12), "{ratios:?}");
    // Stated differently they are two, and the law of the scene holds where they collide together.
    let unlike = scene(text, &[dead, "contact.0.law.formulation=poisson"]);
    assert_eq!(unlike.pair_laws().len(), 2);
    let run = unlike.simulation().unwrap().run_until(0.3).unwrap();
    let event = run.events().iter().find(|e| e.kind.is_jump()).unwrap();
    assert!(event.contacts.iter().all(|c| c.u_post[2] == 0.0));
    // The law of the scene stated again is no law of its own.
    assert!(scene(text, &["law={ formulation = \"newton\" }"]).pair_laws().is_empty());
}

#[test]
fn zero_needs_no_unit() {
    for zero in ["\"0\"", "\"-0.0\"", "0", "\"0deg\""] {
        let turned = scene(THROWN, &[&format!("body.disk.rotation={zero}")]);
        assert_eq!(turned.initial.q, scene(THROWN, &[]).initial.q, "{zero}");
    }
    let fault = Scene::parse_with(THROWN, "thrown.toml", &["body.disk.rotation=\"20\""]);
    let report = fault.map(|_| ()).unwrap_err().report();
    assert!(report.contains("`rotation` is not an angle with a unit"), "{report}");
    assert!(report.contains("\"20deg\""), "{report}");
}
