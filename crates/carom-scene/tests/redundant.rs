//! Friction of contacts that are redundant: a block on two feet, of which only the sum of the friction matters.

use carom::hybrid::{Run, Stop};
use carom_scene::Scene;

/// A block of 1 kg on two feet with μ = 0.5, lifted at the left one and pushed along the floor.
fn block(lift: &str, push: &str, until: f64) -> Run {
    let text = format!(
        "space = \"planar\"\n[body.floor]\nshape = \"plane\"\n\
         [body.block]\nmass = 1\nshape = {{ box = [1, 0.2] }}\nposition = [0, 0.1]\n\
         [[contact]]\nname = \"foot\"\nbetween = [\"block\", \"floor\"]\nrestitution = 0\nfriction = 0.5\n\
         [force.lift]\nbody = \"block\"\npoint = [-0.5, 0]\nforce = [\"0\", \"{lift}\"]\n\
         [force.push]\nbody = \"block\"\npoint = [0, -0.1]\nforce = [\"{push}\", \"0\"]\n"
    );
    let scene = Scene::parse(&text, "block.toml").unwrap_or_else(|e| panic!("{}", e.report()));
    let run = scene.simulation().unwrap().run_until(until).unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    assert_eq!(run.statistics.rescues, [0; 5], "no rescue");
    run
}

fn story(run: &Run) -> Vec<(&'static str, f64)> {
    run.events().iter().map(|e| (e.kind.word(), e.t)).collect()
}

/// A foot whose load falls to zero while the push stays: its friction is shared with the other, each time with the widest margin
/// that there is, which leaves the foot less and less of it, until it lifts off at 6 t = m g/2.
#[test]
fn eq1_friction_of_a_foot_that_is_unloaded_passes_to_the_other() {
    let run = block("6 * t", "2", 1.0);
    let story = story(&run);
    let words: Vec<&str> = story.iter().map(|e| e.0).collect();
    assert_eq!(words, ["touch", "lift-off"], "{story:?}");
    assert!((story[1].1 - 9.81 / 12.0).abs() < 1e-12, "{story:?}");
    assert!(run.statistics.steps < 20, "{}", run.statistics.steps);
}

/// Feet that reach their limits at the same instant slip both, from the instant at which the push is μ times the load.
#[test]
fn feet_that_reach_their_limits_together_slip_together() {
    let run = block("min(6 * t, 4.5)", "2 + 6 * max(t - 0.8, 0)", 1.2);
    let slips = 0.8 + (0.5 * (9.81 - 4.5) - 2.0) / 6.0;
    let story = story(&run);
    assert!(story.iter().skip(2).all(|e| (e.1 - slips).abs() < 1e-9), "{story:?}");
    // From there on the push grows by 6 t beyond friction.
    let t: f64 = 1.2 - slips;
    assert!((run.state.v[0] - 3.0 * t * t).abs() < 1e-8, "{} and {}", run.state.v[0], 3.0 * t * t);
}
