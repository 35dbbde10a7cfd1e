//! What models of public collections write, and how it is read. Numbers of `mjcf/*.json` are MuJoCo's own: `bench/mjcf.py` writes them.
#![allow(non_snake_case)]

use carom_scene::{Fault, Scene, SceneError};
use numbers::{agrees_with_mujoco, dynamics};

#[path = "mjcf/numbers.rs"]
mod numbers;

/// A model whose world holds the given text.
fn model(world: &str, rest: &str) -> Result<Scene, SceneError> {
    let text = format!("<mujoco><worldbody>{world}</worldbody>{rest}</mujoco>");
    Scene::parse(&text, "m.xml")
}

fn warned(scene: &Scene, part: &str) -> bool {
    scene.warnings.iter().any(|w| w.to_string().contains(part))
}

/// Shells, hulls and points; shapes fitted to meshes; copies; servos with a damping ratio; frames without mass; ranges without end.
#[test]
fn what_collections_write_agrees_with_mujoco() {
    let scene = agrees_with_mujoco("collections");
    assert!(warned(&scene, "frictionloss of <joint> (<joint root>) is not simulated"));
    let limits = |name: &str| {
        let dof = scene.model.v_names().iter().position(|n| n == name).unwrap();
        scene.model.coordinates()[dof].limits
    };
    assert!(limits("elbow").is_none());
    let wrist = limits("wrist").unwrap();
    assert_eq!((wrist.lower, wrist.upper), (-2.0, f64::INFINITY));
}

/// Equation (1) of `mjcf/replicate.rs`: names, and motors that follow them.
#[test]
fn eq1_replicate_writes_frames_out() {
    let world = "<body><freejoint/><geom size='1'/><replicate count='10' offset='1 0.5 0' euler='0 0 30' sep='_'>\
                 <body name='a' pos='0.1 0 0'><joint name='j'/><geom size='0.1' contype='0'/></body></replicate></body>";
    let rest = "<actuator><motor name='m' joint='j'/></actuator>";
    let scene = model(world, rest).unwrap();
    assert!(scene.model.body_named("a_00").is_some() && scene.model.body_named("a_09").is_some());
    let names: Vec<&str> = scene.actuators.iter().map(|m| m.name.as_str()).collect();
    assert_eq!((names.len(), names[3]), (10, "m_03"));
    // X₁² of (0.1, 0, 0), as MuJoCo places it.
    let place = scene.model.body(scene.model.body_named("a_02").unwrap()).joint.placement.r;
    assert!((place.x - 1.666025403784439).abs() < 1e-14, "{place}");
    assert!((place.y - 1.519615242270663).abs() < 1e-14, "{place}");
    let none = model(&world.replace("'10'", "'0'"), "").unwrap_err();
    assert!(matches!(none.fault(), Fault::Range { key, .. } if key == "count"), "{none}");
}

/// Equation (2) of `mjcf/springs.rs`: the servo of a mass m alone has k = kp, d = 2 ζ √(kp m).
#[test]
fn eq2_damping_ratio_of_a_servo() {
    let world = "<body><joint name='j' type='slide'/><geom size='0.1' mass='4'/></body>";
    let free = "<option gravity='0 0 0'/>";
    let rest =
        format!("{free}<actuator><position joint='j' kp='9' dampratio='0.5' gear='3'/></actuator>");
    let scene = model(world, &rest).unwrap();
    let (.., vdot) = dynamics(&scene, &[0.0], &[1.0]);
    // kv = 2 · 0.5 √(9·4)/3 = 2; τ = −g² kv v.
    assert!((vdot[0] + 9.0 * 2.0 / 4.0).abs() < 1e-13, "{vdot:?}");
    let both = rest.replace("kp=", "kv='1' kp=");
    assert!(matches!(model(world, &both).unwrap_err().fault(), Fault::Conflict { .. }));
}

/// A servo of an integrated velocity holds the place of its activation, 0.
#[test]
fn servos_of_integrated_velocity_hold_their_place() {
    let world =
        "<body><joint name='j' type='slide' axis='1 0 0'/><geom size='0.1' mass='4'/></body>";
    let rest =
        "<actuator><intvelocity joint='j' kp='9' kv='2' gear='3' actrange='-1 1'/></actuator>";
    let scene = model(world, rest).unwrap();
    let (.., vdot) = dynamics(&scene, &[0.5], &[1.0]);
    assert!((vdot[0] + 9.0 * (9.0 * 0.5 + 2.0) / 4.0).abs() < 1e-12, "{vdot:?}");
    assert!(warned(&scene, "activation of motors"));
}

/// Meshes that only bodies with an inertia of their own show need no moments.
#[test]
fn meshes_are_weighed_where_they_count() {
    let flat = "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'/></asset>";
    let shown = "<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom type='mesh' mesh='m'/></body>";
    assert!(model(shown, flat).is_ok());
    let weighed = shown.replace("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>", "");
    assert!(model(&weighed, flat).is_err());
    let field = weighed.replace("type='mesh' mesh='m'", "type='sdf' mesh='m'");
    let text = model(&field, flat).unwrap_err().report();
    assert!(text.contains("signed distance field"), "{text}");
}

/// Shapes of space meet in space, also where nothing leaves a plane.
#[test]
fn motion_in_a_plane_does_not_flatten_shapes() {
    let slider = "<body name='s'><joint name='j' type='slide' axis='1 0 0'/><geom type='SHAPE' size='0.1 0.1 0.1'/></body>\
                  <geom name='w' type='OTHER' size='0.1 0.1 0.1' pos='1 0 HEIGHT'/>";
    let at = |shape: &str, other: &str, height: &str| {
        let world =
            slider.replace("SHAPE", shape).replace("OTHER", other).replace("HEIGHT", height);
        let text =
            format!("<mujoco><option gravity='0 0 0'/><worldbody>{world}</worldbody></mujoco>");
        let mut scene = Scene::parse(&text, "m.xml").unwrap();
        assert!(scene.warnings.is_empty(), "{shape} {other}: {:?}", scene.warnings);
        scene.initial.v[0] = 1.0;
        let run = scene.simulation().unwrap().run_until(1.0).unwrap();
        run.events().iter().filter(|e| e.kind == carom::record::EventKind::Impact).count()
    };
    for (shape, other) in
        [("cylinder", "box"), ("capsule", "capsule"), ("box", "cylinder"), ("box", "box")]
    {
        assert_eq!(at(shape, other, "0"), 1, "{shape} and {other} at one height");
        assert_eq!(at(shape, other, "5"), 0, "{shape} and {other} at two heights");
    }
}

/// Loops of seven digits may begin a little outside a limit.
#[test]
fn limits_give_way_to_loops_of_few_digits() {
    let closed = |offset: f64| {
        let world = format!(
            "<body><joint name='a' type='slide' axis='1 0 0' range='0 1'/><geom size='0.1' mass='1'/>\
             <site name='s' pos='{offset} 0 0'/></body><site name='o'/>"
        );
        model(&world, "<equality><connect site1='s' site2='o'/></equality>")
    };
    let scene = closed(1e-6).unwrap();
    assert!(warned(&scene, "the limit gives way"), "{:?}", scene.warnings);
    assert!((scene.model.coordinates()[0].limits.unwrap().lower + 1e-6).abs() < 1e-15);
    assert!(matches!(closed(1e-3).unwrap_err().fault(), Fault::OutsideLimits { .. }));
}

/// A posture within the limits is found where the nearest one that closes the loops is not (`read/closing.rs`).
#[test]
fn loops_close_within_limits() {
    // Three hinges reach for a point; the first wants to turn farther.
    let link = "<geom type='capsule' fromto='0 0 0 1 0 0' size='0.01' contype='0'/>";
    let arm = &format!(
        "<body><joint name='a' axis='0 1 0' range='-90 10'/>{link}<body pos='1 0 0'><joint name='b' axis='0 1 0'/>{link}\
         <body pos='1 0 0'><joint name='c' axis='0 1 0'/>{link}<site name='tip' pos='1 0 0'/></body></body></body>\
         <site name='goal' pos='1.2 0 0.9'/>"
    );
    let scene = model(arm, "<equality><connect site1='tip' site2='goal'/></equality>").unwrap();
    let angle = scene.initial.q[0].to_degrees();
    assert!((angle - 10.0).abs() < 1e-6, "{angle}");
    let free = arm.replace("range='-90 10'", "");
    let nearest = model(&free, "<equality><connect site1='tip' site2='goal'/></equality>").unwrap();
    assert!(nearest.initial.q[0].to_degrees() > 30.0, "{}", nearest.initial.q[0].to_degrees());
}

/// Files are included beside the model, else beside the file that includes them, as MuJoCo does.
#[test]
fn included_files_are_found_beside_their_includers() {
    let folder = std::env::temp_dir().join(format!("carom-include-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("sub/deep")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let body = |name: &str| {
        format!("<mujoco><body name='{name}'><joint/><geom size='1'/></body></mujoco>")
    };
    write("main.xml", "<mujoco><worldbody><include file='sub/a.xml'/></worldbody></mujoco>");
    write("sub/a.xml", "<mujoco><include file='deep/b.xml'/></mujoco>");
    write("sub/deep/b.xml", &body("of_includer"));
    let has =
        |name: &str| Scene::load(folder.join("main.xml")).unwrap().model.body_named(name).is_some();
    assert!(has("of_includer"));
    std::fs::create_dir_all(folder.join("deep")).unwrap();
    write("deep/b.xml", &body("of_main"));
    assert!(has("of_main"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Old versions of the format have `collision`.
#[test]
fn collision_of_earlier_versions_is_kept() {
    let world = "<body><joint axis='0 1 0'/><geom name='a' size='0.1' pos='0 0 -1'/></body><geom name='g' type='plane' size='1 1 1' pos='0 0 -3'/>";
    let pairs = |word: &str| {
        let rest = format!(
            "<option collision='{word}'/><contact><pair name='p' geom1='a' geom2='g'/></contact>"
        );
        model(world, &rest).unwrap().model.pairs().len()
    };
    assert_eq!((pairs("all"), pairs("predefined"), pairs("dynamic")), (1, 1, 1));
    let rest = "<option collision='predefined'/>";
    assert_eq!(model(world, rest).unwrap().model.pairs().len(), 0);
}
