//! Models of MuJoCo. Numbers of `mjcf/*.json` are MuJoCo's own: `bench/mjcf.py` writes them.
#![allow(non_snake_case)]

use carom::model::Shape;
use carom_scene::{Caution, Scene};
use numbers::{agrees_with_mujoco, dynamics, folder, load};

#[path = "mjcf/numbers.rs"]
mod numbers;

/// A model whose world holds the given text.
fn model(world: &str, rest: &str) -> Result<Scene, carom_scene::SceneError> {
    let text = format!("<mujoco><worldbody>{world}</worldbody>{rest}</mujoco>");
    Scene::parse(&text, "m.xml")
}

const BALL: &str =
    "<body name='b'><joint name='j' axis='0 1 0'/><geom size='0.1' pos='0 0 -1'/></body>";

/// Equations (1) and (2) of `mjcf/body.rs`: chains of joints, anchors, classes, frames.
#[test]
fn eq1_eq2_several_joints() {
    let scene = agrees_with_mujoco("chain");
    let names = scene.model.q_names();
    assert_eq!(names[..3], ["slide_x", "slide_z", "pitch"]);
    assert!(scene.model.body_named("trunk.slide_x").is_some());
    assert!(scene.model.body_named("tail").is_some());
}

/// Equations (1) and (2) of `mjcf/joint.rs`.
#[test]
fn eq1_eq2_reference() {
    let scene = load("chain.xml", &["initial.penetration=10"]);
    let knee = scene.model.q_names().iter().position(|n| n == "knee").unwrap();
    let dof = scene.model.v_names().iter().position(|n| n == "knee").unwrap();
    let c = scene.model.coordinates()[dof];
    let deg = f64::to_radians;
    assert!((c.offset - deg(30.0)).abs() < 1e-15);
    let limits = c.limits.unwrap();
    assert!((limits.lower - deg(-90.0)).abs() < 1e-15 && (limits.upper - deg(25.0)).abs() < 1e-15);
    assert!((c.spring.unwrap().rest - deg(50.0)).abs() < 1e-15);
    // The posture of the file is q = ref.
    assert!((scene.initial.q[knee] - deg(-30.0)).abs() < 1e-15);
}

/// Equations (1) to (3) of `mjcf/inertia.rs`, solids, an included mesh.
#[test]
fn eq1_eq3_compiler_changes_inertia() {
    let scene = agrees_with_mujoco("solids");
    assert!((scene.model.moving_mass() - 7.5).abs() < 1e-13);
}

/// Equations (1) and (2) of `mjcf/actuator.rs`, (1) of `mjcf/springs.rs`.
#[test]
fn eq1_eq2_motors() {
    let scene = agrees_with_mujoco("motors");
    let motor = |name: &str| scene.actuators.iter().find(|a| a.name == name).unwrap();
    assert_eq!((motor("m").lower, motor("m").upper), (-3.0, 1.5));
    assert_eq!((motor("p").lower, motor("p").upper), (-5.0, 5.0));
    assert_eq!((motor("v").lower, motor("v").upper), (-2.0, 2.0));
    // The keyframe's control of the velocity motor: 1.5 × (2 × 0.2 − 2 × 1.5 × 1) = −3.9, cut at −2.
    let bent = load("motors.xml", &["mjcf.0.keyframe=\"bent\""]);
    assert_eq!(bent.initial.q.as_slice(), [0.3, -0.4, 0.1, 0.02, 0.7]);
    assert_eq!(bent.initial.v.as_slice(), [0.0, 1.0, 0.0, 0.1, 0.0]);
    let carom::control::AnyController::JointPd(law) = &bent.controllers[0].law else { panic!() };
    let of = |name: &str| {
        let i = bent.actuators.iter().position(|a| a.name == name).unwrap();
        law.goals.iter().find(|g| g.actuator == i).unwrap()
    };
    assert!((of("v").constant - 0.6).abs() < 1e-15 && (of("v").damping - 4.5).abs() < 1e-15);
    assert_eq!((of("m").constant, of("m").stiffness), (-1.5, 0.0));
    let told = load("motors.xml", &["mjcf.0.ctrl.m=0.25"]);
    let carom::control::AnyController::JointPd(law) = &told.controllers[0].law else { panic!() };
    assert!(law.goals.iter().any(|g| g.constant == 0.75));
}

/// Equation (1) of `mjcf/springs.rs` by itself: a pendulum of one joint has m = M.
#[test]
fn eq1_spring_damper() {
    let world = BALL.replace("axis='0 1 0'", "axis='0 1 0' springdamper='0.5 0.8' springref='10'");
    let scene = model(&world, "").unwrap();
    let (M, ..) = dynamics(&scene, &[0.0], &[0.0]);
    let c = scene.model.coordinates()[0];
    let spring = c.spring.unwrap();
    assert!((spring.stiffness - M[(0, 0)] / 0.16).abs() < 1e-12 * spring.stiffness);
    assert!((c.damping - 4.0 * M[(0, 0)]).abs() < 1e-12 * c.damping);
    assert!((spring.rest - 10_f64.to_radians()).abs() < 1e-15);
}

/// Equation (1) of `mjcf/contact.rs`.
#[test]
fn eq1_pairs_and_excludes() {
    let scene = agrees_with_mujoco("pairs");
    let mut names: Vec<&str> = scene.model.pairs().iter().map(|p| p.name.as_str()).collect();
    names.sort_unstable();
    // b carries c and is carried by a; c and d are excluded; the ghost meets nobody; d2 meets the
    // floor by its <pair> alone, d1 (contype 2, conaffinity 1) those that have contype 1.
    let expected = [
        "a.a1-c",
        "a.a1-d.d1",
        "b-d.d1",
        "d.d2-world",
        "world-a.a1",
        "world-b",
        "world-c",
        "world-d.d1",
    ];
    let plain: Vec<String> = names
        .iter()
        .map(|n| n.replace(".c1", "").replace(".b1", "").replace(".floor", ""))
        .collect();
    assert_eq!(plain, expected);
    assert!(matches!(scene.model.features()[0].shape, Shape::HalfSpace { .. }));
}

/// Equation (2) of `mjcf/contact.rs`.
#[test]
fn eq2_friction_of_pairs() {
    let scene = load("pairs.xml", &["mjcf.0.restitution=0.4"]);
    let friction = |part: &str| {
        let pair = scene.model.pairs().iter().find(|p| p.name.contains(part)).unwrap();
        assert_eq!(pair.surface.restitution, 0.4);
        pair.surface.friction
    };
    assert_eq!(friction("a.a1-c"), 1.0); // condim 3 and 1: the larger, and the larger friction.
    assert_eq!(friction("floor-a.a1"), 0.8);
    assert_eq!(friction("floor-b"), 0.1); // priority
    assert_eq!(friction("d.d2"), 0.25); // <pair>
}

/// Equations (1) and (2) of `mjcf/equality.rs`.
#[test]
fn eq1_eq2_equalities() {
    let two = format!("{BALL}{}", BALL.replace("'b'", "'c' pos='1 0 0'").replace("'j'", "'k'"));
    let tie = "<equality><joint joint1='j' joint2='k' polycoef='0.1 -2 0 0 0'/></equality>";
    let scene = model(&two, tie).unwrap();
    let c = scene.model.couplings()[0];
    assert_eq!((c.follower, c.leader, c.ratio, c.offset), (0, 1, -2.0, 0.1));
    let held = "<equality><joint joint1='j' polycoef='0.3'/></equality>";
    let scene = model(&two, held).unwrap();
    assert_eq!(scene.prescribed[0].offset, 0.3);
    assert_eq!(scene.initial.q[0], 0.3);
    let curved = "<equality><joint joint1='j' joint2='k' polycoef='0 1 2'/></equality>";
    assert!(
        model(&two, curved).unwrap().warnings.iter().any(|w| w.to_string().contains("equality"))
    );
}

/// Two links that hang side by side and a bar between their ends: a parallelogram, whose angles stay equal. It swings like
/// one body: its period follows from its energy, here its acceleration at the start from Lagrange's equation,
/// Σ(I + m c²) φ̈ + m_bar l² φ̈ = −g sin φ (2 m c + m_bar l).
#[test]
fn eq1_connect_closes_a_loop() {
    let link = |name: &str, x: f64, more: &str| {
        format!(
            "<body name='{name}' pos='{x} 0 0'><joint name='{name}' axis='0 1 0'/>
             <inertial pos='0 0 -0.5' mass='2' diaginertia='0.1 0.1 0.1'/>
             <site name='{name}_end' pos='0 0 -1'/>{more}</body>"
        )
    };
    let bar = "<body name='bar' pos='0 0 -1'><joint name='pin' axis='0 1 0'/>
               <inertial pos='0.2 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>
               <site name='far' pos='0.4 0 0'/></body>";
    let world = format!("{}{}", link("left", 0.0, bar), link("right", 0.4, ""));
    for connect in [
        "<equality><connect body1='bar' body2='right' anchor='0.4 0 0'/></equality>",
        "<equality><connect site1='far' site2='right_end'/></equality>",
    ] {
        let mut scene = model(&world, connect).unwrap();
        assert_eq!(scene.model.loops().len(), 1, "{:?}", scene.warnings);
        scene.initial.q.copy_from_slice(&[0.3, -0.3, 0.3]);
        let run = scene.simulation().unwrap().run_until(0.7).unwrap();
        let q = &run.state.q;
        assert!((q[0] - q[2]).abs() < 1e-9 && (q[0] + q[1]).abs() < 1e-9, "{q}");
        let inertia = 2.0 * (0.1 + 2.0 * 0.25) + 1.0;
        let weight = |phi: f64| -9.81 * (2.0 * 2.0 * 0.5 + 1.0) * phi.cos();
        let rate = (2.0 * (weight(0.3) - weight(q[0])) / inertia).abs().sqrt();
        assert!((run.state.v[0].abs() - rate).abs() < 1e-8, "{} {rate}", run.state.v[0]);
        assert!(run.state.v[0].abs() > 0.1);
    }
}

/// A welded body moves as one that has no joint.
#[test]
fn eq2_weld_holds_the_frame() {
    let arm = |inner: &str| {
        format!(
            "<body name='arm'><joint name='j' axis='0 1 0'/>
             <inertial pos='0.3 0 0' mass='2' diaginertia='0.1 0.2 0.3'/>{inner}</body>"
        )
    };
    let own = "<inertial pos='0 0.1 0' mass='1' diaginertia='0.1 0.1 0.1'/>";
    let pose = "pos='0.6 0.1 0.2' quat='0.8 0.6 0 0'";
    let fixed = model(&arm(&format!("<body name='hand' {pose}>{own}</body>")), "").unwrap();
    let free = format!("{}<body name='hand' {pose}><freejoint/>{own}</body>", arm(""));
    let end = |scene: &Scene| scene.simulation().unwrap().run_until(0.6).unwrap().state.q[0];
    let expected = end(&fixed);
    for weld in [
        "<equality><weld body1='arm' body2='hand'/></equality>",
        "<equality><weld body1='hand' body2='arm'/></equality>",
        "<equality><weld body1='arm' body2='hand' relpose='0.6 0.1 0.2 0.8 0.6 0 0'/></equality>",
    ] {
        let scene = model(&free, weld).unwrap();
        assert!((end(&scene) - expected).abs() < 1e-8, "{weld}: {} {expected}", end(&scene));
    }
    // Without it the hand falls.
    assert!((end(&model(&free, "").unwrap()) - expected).abs() > 1e-3);
}

/// Frames of sites, and names that nothing has.
#[test]
fn eq3_sites_are_frames() {
    let world = "<site name='peg' pos='0 0 1' euler='0 0 90'/>
                 <body name='b' pos='0 0 1' euler='0 0 90'><freejoint/>
                 <inertial pos='0.1 0 0' mass='1' diaginertia='1 1 1'/><site name='s'/></body>";
    let weld = "<equality><weld site1='peg' site2='s'/></equality>";
    let scene = model(world, weld).unwrap();
    let run = scene.simulation().unwrap().run_until(0.5).unwrap();
    assert!((run.state.q[2] - 1.0).abs() < 1e-9, "{}", run.state.q);
    let wrong = model(world, &weld.replace("'peg'", "'pge'")).unwrap_err().report();
    assert!(wrong.contains("did you mean `peg`?"), "{wrong}");
}

#[test]
fn eq2_spinning_and_rolling_friction_of_pairs() {
    let of = |condim: &str, pair: &str| {
        let world = format!(
            "<geom name='g' type='plane' size='1 1 1'/>
             <body name='b' pos='0 0 1'><freejoint/>
             <geom name='s' size='0.1' condim='{condim}' friction='0.8 0.02 0.003'/></body>"
        );
        model(&world, pair).unwrap().model.pairs()[0].clone()
    };
    // The larger of 0.8 and MuJoCo's own 1, of 0.02 and 0.005, of 0.003 and 0.0001.
    for (condim, sliding, spinning, rolling) in
        [("1", 1.0, 0.0, 0.0), ("3", 1.0, 0.0, 0.0), ("4", 1.0, 0.02, 0.0), ("6", 1.0, 0.02, 0.003)]
    {
        let pair = of(condim, "");
        assert_eq!(pair.surface.friction, sliding, "{condim}");
        assert_eq!((pair.resistance.spinning, pair.resistance.rolling), (spinning, rolling));
    }
    let stated =
        "<contact><pair geom1='g' geom2='s' condim='6' friction='0.5 0.5 0.1 0.2 0.2'/></contact>";
    let pair = of("3", stated);
    assert_eq!(pair.surface.friction, 0.5);
    assert_eq!((pair.resistance.spinning, pair.resistance.rolling), (0.1, 0.2));
    // It is of shapes of all sorts.
    let world =
        "<body name='a'><freejoint/><geom type='ellipsoid' size='0.1 0.2 0.3' condim='6'/></body>
                 <body name='b' pos='0 0 1'><freejoint/><geom size='0.1'/></body>";
    let scene = model(world, "").unwrap();
    assert_eq!(scene.model.pairs()[0].resistance.rolling, 1e-4);
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
}

#[test]
fn misspelt_names_are_errors() {
    for (world, rest, name, nearest, line) in [
        ("<body><jiont/></body>", "", "jiont", "joint", "m.xml:1"),
        ("<body><joint axsi='1 0 0'/></body>", "", "axsi", "axis", "m.xml:1"),
        (BALL, "<actuator><motro joint='j'/></actuator>", "motro", "motor", "m.xml:1"),
        (BALL, "<acuator/>", "acuator", "actuator", "m.xml:1"),
        (BALL, "<actuator><motor joint='jj'/></actuator>", "jj", "j", "m.xml:1"),
        (BALL, "<sensor><tuoch site='s'/></sensor>", "tuoch", "touch", "m.xml:1"),
        ("<body><joint type='hinged'/></body>", "", "hinged", "hinge", "m.xml:1"),
    ] {
        let report = model(world, rest).unwrap_err().report();
        assert!(report.contains(name) && report.contains(line), "{report}");
        assert!(report.contains(&format!("did you mean `{nearest}`?")), "{report}");
    }
}

#[test]
fn bad_values_are_errors() {
    for (world, rest, part) in [
        ("<body><joint/><geom size='-1'/></body>", "", "numbers > 0"),
        ("<body><joint/><geom size='x'/></body>", "", "finite numbers"),
        ("<body><joint/><geom type='box' size='1'/></body>", "", "3 numbers for a box"),
        ("<body><joint/><geom size='1' quat='1 0 0 0' zaxis='0 0 1'/></body>", "", "one way"),
        ("<body><joint range='2 1'/><geom size='1'/></body>", "", "below the upper end"),
        ("<body><joint limited='true'/><geom size='1'/></body>", "", "range"),
        ("<body><composite/></body>", "", "bodies are rigid here"),
        ("<body><body><freejoint/></body></body>", "", "another body carries it"),
        ("<body><joint class='x'/></body>", "", "no class `x`"),
        ("", "<compiler coordinate='global'/>", "global"),
        ("", "<include file='nowhere.xml'/>", "nowhere.xml"),
        (BALL, "<keyframe><key name='k' qpos='1 2'/></keyframe>", ""),
    ] {
        let text = format!("<mujoco>{rest}<worldbody>{world}</worldbody></mujoco>");
        let changes: &[&str] = if part.is_empty() { &["mjcf.0.keyframe=\"k\""] } else { &[] };
        let fault = Scene::parse_with(&text, "m.xml", changes);
        let report = fault.map(|_| ()).unwrap_err().report();
        assert!(report.contains(part) && report.contains("m.xml:1:"), "{part}: {report}");
    }
}

#[test]
fn what_is_not_simulated_is_named_once() {
    let world = format!(
        "<geom type='plane' size='1 1 1' solref='0.1 1' solimp='0 1 2'/>{}",
        BALL.replace("<body", "<body pos='0 0 2'")
    );
    let rest = "<option timestep='0.1' density='1.2'/><sensor><clock/><clock/></sensor>\
                <actuator><muscle joint='j'/></actuator>";
    let scene = model(&world, rest).unwrap();
    let mut named: Vec<String> = scene
        .warnings
        .iter()
        .filter_map(|w| match &w.caution {
            Caution::NotSimulated { what, .. } => Some(what.clone()),
            _ => None,
        })
        .collect();
    named.sort();
    let all = [
        "<sensor>",
        "compliance",
        "density of <option>",
        "motor <muscle> of its kind",
        "numerics of <option>",
    ];
    assert_eq!(named, all);
    assert!(scene.warnings.iter().all(|w| w.to_string().contains("m.xml:1:")));
}

/// A model inside a scene: prefix, place, and what the scene adds.
#[test]
fn models_are_included_in_scenes() {
    let text = "[[mjcf]]\nfile = 'pairs.xml'\nprefix = 'left.'\nposition = [0, 0, 1]\n\
                [[mjcf]]\nfile = 'motors.xml'\nposition = [3, 0, 5]\ncontacts = false\n\
                [initial.body.'left.a']\nvelocity = [1, 0, 0]\n";
    let path = folder().join("scene.toml");
    let scene = Scene::parse(text, &path.display().to_string()).unwrap();
    assert!(scene.model.body_named("left.a").is_some() && scene.model.body_named("e").is_some());
    // The free body of the file sits 1 m above its world, which sits at 1 m.
    assert_eq!((scene.initial.q[2], scene.initial.v[0]), (2.0, 1.0));
    assert_eq!(scene.model.pairs().len(), 8);
    assert_eq!(scene.files.len(), 3);
}

/// A falling ball of MJCF has the closed form of a ball.
#[test]
fn a_model_runs() {
    let world = "<geom type='plane' size='1 1 1'/><body pos='0 0 1.05'><freejoint/><geom size='0.05'/></body>";
    let scene = model(world, "").unwrap();
    let run = scene.simulation().unwrap().run_until(1.0).unwrap();
    let first = run.recording.events.first().unwrap().t;
    assert!((first - (2.0 / 9.81_f64).sqrt()).abs() < 1e-9, "{first}");
}
