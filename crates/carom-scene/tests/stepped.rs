//! Scenes by time steps of Moreau and Jean: all of them run, and come nearer to the run by events as steps get shorter.

use carom::hybrid::{Run, SimError, Stop};
use carom::record::EventKind;
use carom_scene::Scene;
use carom_testing::{scene, scenes};

fn by_steps(path: &std::path::Path, h: f64, end: f64) -> Run {
    let overrides = ["solver.scheme=moreau".to_string(), format!("solver.step={h}")];
    let scene = Scene::load_with(path, &overrides).unwrap();
    scene.simulation().unwrap().run_until(end).map_err(|e| e.0).unwrap()
}

/// Distance of the coordinates at `end` from those of the run by events, for two steps.
fn errors(name: &str, end: f64, steps: [f64; 2]) -> [f64; 2] {
    let path = scene(&format!("{name}.toml"));
    let exact = Scene::load(&path).unwrap().simulation().unwrap().run_until(end).unwrap();
    let found = steps.map(|h| (&by_steps(&path, h, end).state.q - &exact.state.q).norm());
    println!("{name} until {end}: {:.1e} {:.1e}", found[0], found[1]);
    found
}

/// Whatever a scene has, time steps take it: loops, springs, loads, dry and rolling friction, conditions, polytopes.
#[test]
fn every_shipped_scene_runs_by_time_steps() {
    let mut count = 0;
    for entry in std::fs::read_dir(scenes()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let run = by_steps(&path, 2e-3, 0.1);
        assert_eq!(run.stop, Stop::ReachedEnd, "{}", path.display());
        assert!(run.statistics.worst_residual < 1e-6, "{}", path.display());
        assert!(run.statistics.worst_closure < 1e-9, "{}", path.display());
        count += 1;
    }
    assert!(count > 20);
}

/// Loops, dry friction, conditions with impacts: a quarter of the step makes less than half of the error.
#[test]
fn errors_fall_with_the_step() {
    for (name, end, bound) in [
        ("four_bar", 0.3, 1e-2),
        ("slider_crank", 0.3, 1e-2),
        ("friction_pendulum", 1.0, 1e-3),
        ("compass_gait", 0.9, 1e-2),
    ] {
        let [long, short] = errors(name, end, [4e-3, 1e-3]);
        assert!(short < 0.5 * long && short < bound, "{name}: {long:e} {short:e}");
    }
}

/// m v̇ = F − k x − c v with a load, a spring and a damper between points: the closed form of a damped oscillator.
#[test]
fn springs_dampers_and_loads_act() {
    let text = r#"
        space = "planar"
        gravity = [0, 0]
        [body.block]
        mass = 2
        inertia = 1
        position = [1, 0]
        [[spring]]
        a = { position = [0, 0] }
        b = { body = "block" }
        stiffness = 8
        damping = 0.4
        rest = 1
        [[load]]
        body = "block"
        force = [3, 0]
        [solver]
        scheme = "moreau"
        step = 1e-3
        until = 2
    "#;
    let run = Scene::parse(text, "block.toml").unwrap().simulation().unwrap().run_until(2.0);
    let run = run.map_err(|e| e.0).unwrap();
    // x − 1 = (F/k)(1 − e^(−δt)(cos ωt + (δ/ω) sin ωt)),  δ = c/2m, ω² = k/m − δ².
    let (delta, t) = (0.4 / 4.0, 2.0_f64);
    let omega = (8.0_f64 / 2.0 - delta * delta).sqrt();
    let swing = (omega * t).cos() + delta / omega * (omega * t).sin();
    let exact = 1.0 + 3.0 / 8.0 * (1.0 - (-delta * t).exp() * swing);
    assert!((run.state.q[0] - exact).abs() < 1e-5, "{} {exact}", run.state.q[0]);
    assert!(run.ledger.damping < 0.0 && run.statistics.worst_closure < 1e-12);
}

/// A ball that rolls with rolling friction stops after v²/(2 μr g/r · 5/7); without it it would roll on.
#[test]
fn rolling_friction_stops_a_ball_where_it_must() {
    let text = r#"
        [body.floor]
        shape = "plane"
        [body.ball]
        mass = 1
        shape = { sphere = 0.1 }
        position = [0, 0, 0.1]
        velocity = [0.5, 0, 0]
        angular_velocity = [0, 5, 0]
        [[contact]]
        between = ["ball", "floor"]
        restitution = 0
        friction = 0.5
        rolling_friction = 0.002
        [solver]
        scheme = "moreau"
        step = 1e-3
        until = 4
    "#;
    let run = Scene::parse(text, "ball.toml").unwrap().simulation().unwrap().run_until(4.0);
    let run = run.map_err(|e| e.0).unwrap();
    // μr m g = (7/5) m r a about the point of contact.
    let a = 5.0 / 7.0 * 0.002 * 9.81 / 0.1;
    let stops = 0.25 / (2.0 * a);
    assert!((run.state.q[0] - stops).abs() < 2e-3 * stops, "{} {stops}", run.state.q[0]);
    assert!(run.state.v.amax() < 1e-9);
}

/// A pile of boxes: bricks laid in a bond rest where they are, and by events the scene is refused by name.
#[test]
fn bricks_of_a_wall_rest_on_each_other() {
    let mut text = String::from("[body.floor]\nshape = \"plane\"\n");
    for row in 0..3 {
        for column in 0..2 {
            let x = 0.202 * f64::from(column) + 0.1 * f64::from(row % 2);
            let z = 0.05 + 0.1 * f64::from(row);
            text += &format!(
                "[body.brick{row}{column}]\ndensity = 2000\nshape = {{ box = [0.2, 0.1, 0.1] }}\n\
                 position = [{x:?}, 0, {z:?}]\n"
            );
        }
    }
    text += "[[pile]]\nof = [\"brick*\", \"floor\"]\nrestitution = 0.1\nfriction = 0.5\n[solver]\nuntil = 0.5\n";
    let events = Scene::parse(&text, "wall.toml").unwrap();
    let refused = events.simulation().unwrap().run_until(0.5).unwrap_err().0;
    assert!(matches!(refused, SimError::PolytopeGroup { .. }), "{refused}");
    text += "scheme = \"moreau\"\nstep = 2e-3\n";
    let scene = Scene::parse(&text, "wall.toml").unwrap();
    let start = scene.initial.q.clone();
    let run = scene.simulation().unwrap().run_until(0.5).map_err(|e| e.0).unwrap();
    assert_eq!(run.events().last().map(|e| e.kind), Some(EventKind::Rest));
    // h² |g| is what a step falls.
    let fall = 4e-6 * 9.81;
    assert!((&run.state.q - &start).amax() < fall, "{:e}", (&run.state.q - &start).amax());
    assert!(run.statistics.worst_gap > -2e-3 * fall && run.statistics.worst_residual < 1e-6);
}

/// (1) of a run by time steps: a wall of 21 bricks, some 150 contacts four of which share each face, falls together from gaps of a
/// millimetre and comes to rest. Without the path of `coulomb/sparse/path.rs` steps are left with residuals of 3e-3.
#[test]
fn eq1_a_wall_of_bricks_comes_to_rest() {
    use std::fmt::Write;
    let mut text = String::from("[body.floor]\nshape = { plane = { normal = [0, 0, 1] } }\n");
    for row in 0..6 {
        for column in 0..6 - row {
            let (x, z) = (
                0.201 * (f64::from(column) + 0.5 * f64::from(row)),
                0.051 + 0.101 * f64::from(row),
            );
            write!(
                text,
                "[body.brick{row}_{column}]\ndensity = 2000\nshape = {{ box = [0.2, 0.1, 0.1] }}\nposition = [{x}, 0, {z}]\n"
            )
            .unwrap();
        }
    }
    text += "[[pile]]\nof = [\"brick*\", \"floor\"]\nrestitution = 0.1\nfriction = 0.5\n";
    text += "[solver]\nscheme = \"moreau\"\nstep = 0.002\n[output]\ninterval = 0.1\n";
    let run =
        Scene::parse(&text, "bricks.toml").unwrap().simulation().unwrap().run_until(0.5).unwrap();
    let rest = run.recording.events.iter().find(|event| event.kind == EventKind::Rest);
    let (residual, gap) = (run.statistics.worst_residual, run.statistics.worst_gap);
    println!("rest {:?}, residual {residual:e}, gap {gap:e}", rest.map(|event| event.t));
    assert!(rest.is_some(), "no rest");
    // Steps are solved to their tolerance of 1e-6, the hardest to ten times that (2.5e-6 found), and no overlap is deeper than a
    // thousandth of the fall of a step.
    assert!(residual <= 1e-5 && gap > -1e-3 * 4e-6 * 9.81, "{residual:e} {gap:e}");
}

/// Rolling friction of a pile is that of a contact: by time steps and by events, in a pile that is written out and in one of 70 balls
/// that is not, a ball stops where it must.
#[test]
fn rolling_friction_of_a_pile_stops_its_balls() {
    use std::fmt::Write;
    let a = 5.0 / 7.0 * 0.002 * 9.81 / 0.1;
    let stops = 0.25 / (2.0 * a);
    for (count, scheme) in [
        (2, "scheme = \"moreau\"\nstep = 1e-3"),
        (70, "scheme = \"moreau\"\nstep = 1e-3"),
        (2, ""),
        (70, ""),
    ] {
        let mut text = String::from("[body.floor]\nshape = \"plane\"\n");
        for i in 0..count {
            write!(
                text,
                "[body.ball{i}]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [0, {i}, 0.1]\n\
                 velocity = [0.5, 0, 0]\nangular_velocity = [0, 5, 0]\n"
            )
            .unwrap();
        }
        text += "[[pile]]\nof = [\"ball*\", \"floor\"]\nrestitution = 0\nfriction = 0.5\nrolling_friction = 0.002\n";
        write!(text, "[solver]\n{scheme}\n[output]\ninterval = 0.5\n").unwrap();
        let run = Scene::parse(&text, "balls.toml").unwrap().simulation().unwrap().run_until(4.0);
        let run = run.map_err(|e| e.0).unwrap();
        for i in 0..count {
            let x = run.state.q[7 * i];
            assert!((x - stops).abs() < 2e-3 * stops, "{count} {scheme}: {x} {stops}");
        }
        assert!(run.state.v.amax() < 1e-9, "{count} {scheme}: {:e}", run.state.v.amax());
    }
    let bricks = "[body.floor]\nshape = \"plane\"\n[body.a]\ndensity = 1\nshape = { box = [1, 1, 1] }\nposition = [0, 0, 1]\n\
                  [body.b]\ndensity = 1\nshape = { box = [1, 1, 1] }\nposition = [0, 0, 3]\n\
                  [[pile]]\nof = [\"a\", \"b\", \"floor\"]\nrestitution = 0\nfriction = 0.5\nrolling_friction = 0.002\n";
    // Of bricks, too: they fall onto each other and rest.
    let scene =
        Scene::parse(&format!("{bricks}[solver]\nscheme = \"moreau\"\n"), "bricks.toml").unwrap();
    let rest = scene.simulation().unwrap().run_until(1.5).map_err(|e| e.0).unwrap();
    assert!(rest.state.v.amax() < 1e-9 && (rest.state.q[9] - 1.5).abs() < 1e-3, "{}", rest.state.q);
}

/// Twelve balls side by side that touch each other roll together and stop where one alone would: 23 contacts are more than the dense
/// solver is given, so that their moments are rows of the sparse one.
#[test]
fn balls_that_touch_roll_and_stop_together() {
    use std::fmt::Write;
    let mut text = String::from("[body.floor]\nshape = \"plane\"\n");
    for i in 0..12 {
        write!(
            text,
            "[body.ball{i}]\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = [0, {}, 0.1]\n\
             velocity = [0.5, 0, 0]\nangular_velocity = [0, 5, 0]\n",
            0.2000001 * f64::from(i)
        )
        .unwrap();
    }
    text += "[[pile]]\nof = [\"ball*\", \"floor\"]\nrestitution = 0\nfriction = 0.5\nrolling_friction = 0.002\n\
             spinning_friction = 0.001\n[solver]\nscheme = \"moreau\"\nstep = 1e-3\n[output]\ninterval = 0.5\n";
    let run = Scene::parse(&text, "row.toml").unwrap().simulation().unwrap().run_until(4.0);
    let run = run.map_err(|e| e.0).unwrap();
    let stops = 0.25 / (2.0 * 5.0 / 7.0 * 0.002 * 9.81 / 0.1);
    for i in 0..12 {
        let x = run.state.q[7 * i];
        assert!((x - stops).abs() < 2e-3 * stops, "{i}: {x} {stops}");
    }
    let rest = run.recording.events.iter().any(|event| event.kind == EventKind::Rest);
    assert!(rest && run.statistics.worst_residual < 1e-6, "{:e}", run.statistics.worst_residual);
}

/// A step far too long for a stiff spring ends the run by name, with finite samples only: those of corrected positions too.
#[test]
fn a_step_that_grows_without_bound_is_told_before_its_sample() {
    let text = "[[urdf]]\nfile = \"leg.urdf\"\nfloating_base = true\nposition = [0, 0, 0.2]\n\
        [joint.femur]\nspring = { stiffness = 350.2536704929527, rest = \"25deg\" }\n\
        [body.ground]\nshape = \"plane\"\n\
        [[contact]]\nbetween = [\"tibia.foot\", \"ground\"]\nrestitution = 0\nfriction = 0.25\nstatic_friction = 0.5\n\
        [initial]\nangle = { femur = \"20deg\", tibia = \"-40deg\" }\n\
        [solver]\nscheme = \"moreau\"\nstep = 0.002\n";
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/stiff.toml");
    let scene = Scene::parse(text, place).unwrap_or_else(|e| panic!("{}", e.report()));
    let failed = scene.simulation().unwrap().run_until(0.3).expect_err("diverges");
    assert!(matches!(failed.0, SimError::Diverged { .. }), "{}", failed.0);
    let mut numbers = failed.1.q.iter().chain(&failed.1.v).flatten();
    assert!(numbers.all(|x| x.is_finite()));
}
