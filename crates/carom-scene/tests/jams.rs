//! Painlevé's paradox with several contacts and in space: an impact without collision, equations (1) and
//! (2) of `carom::hybrid`'s jam, against the closed form of one planar contact.

use carom::hybrid::{Options, Run, Stop};
use carom::impact::Restitution;
use carom::impact::planar::{PlanarContact, PlanarState, planar_path};
use carom::record::{Event, EventKind, Rescue};
use carom_scene::Scene;

const THETA: f64 = 70.0;
const MU: f64 = 1.8;

/// A rod of mass 1 and half length 1 at 70°, its lower end on the floor at x, sliding to −x.
fn rod(name: &str, x: f64, speed: f64) -> String {
    let (s, c) = THETA.to_radians().sin_cos();
    format!(
        "[body.{name}]\nmass = 1\nshape = {{ rod = 2 }}\nrotation = \"{THETA}deg\"\n\
         position = [{}, {s}]\nvelocity = [{}, 0]\nfeature.end = {{ point = [-1, 0] }}\n\
         [[contact]]\nname = \"{name}\"\nbetween = [\"{name}.end\", \"floor\"]\n\
         restitution = 0.5\nfriction = {MU}\n",
        x + c,
        -speed
    )
}

fn planar(parts: &[&str]) -> String {
    format!("space = \"planar\"\n[body.floor]\nshape = \"plane\"\n{}", parts.concat())
}

fn run(text: &str, until: f64) -> Run {
    let scene = Scene::parse(text, "jam.toml").unwrap_or_else(|e| panic!("{}", e.report()));
    let run = scene.simulation().unwrap().run_until(until).unwrap_or_else(|e| panic!("{}", e.0));
    let energy = run.ledger.initial.abs().max(1.0);
    assert!(run.statistics.worst_closure < 1e-8 * energy, "{}", run.statistics.worst_closure);
    assert!(run.statistics.worst_gap > -1e-9);
    assert!(run.statistics.worst_gain <= 1e-12 * energy, "energy never rises");
    run
}

fn jams(run: &Run) -> Vec<&Event> {
    run.events().iter().filter(|e| e.kind == EventKind::Jam).collect()
}

/// The closed form for the rod; the tangent points to +x.
fn closed_form(speed: f64) -> PlanarState {
    let (s, c) = THETA.to_radians().sin_cos();
    alone([1.0 + 3.0 * s * s, -3.0 * s * c, 1.0 + 3.0 * c * c], speed, MU, 0.5)
}

/// One planar contact with G = [tt tn; tn nn] that slides to −x.
fn alone([tt, tn, nn]: [f64; 3], speed: f64, friction: f64, restitution: f64) -> PlanarState {
    assert!(nn + friction * tn < 0.0, "no paradox");
    let contact = PlanarContact {
        tt,
        tn,
        nn,
        u_t: -speed,
        u_n: 0.0,
        friction,
        static_friction: friction,
        restitution,
    };
    *planar_path(&contact, Restitution::Energetic).unwrap().end()
}

/// The contact of an event that took the impulse, against the closed form.
fn agrees(event: &Event, expected: &PlanarState) {
    let most = |c: &&carom::record::ContactChange| c.impulse[2];
    let c = event.contacts.iter().max_by(|a, b| most(a).total_cmp(&most(b))).unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-10, "{a} {b}: {c:?}");
    near(c.impulse[2], expected.p_n);
    near(c.impulse[0].hypot(c.impulse[1]), expected.p_t.abs());
    near(c.u_post[2], expected.u_n);
    near(c.u_post[0].hypot(c.u_post[1]), expected.u_t.abs());
    near(event.energy_after - event.energy_before, expected.work_t + expected.work_n);
}

#[test]
fn eq2_one_contact_is_the_closed_form() {
    let run = run(&planar(&[&rod("rod", 0.0, 5.0)]), 0.1);
    assert_eq!(jams(&run).len(), 1);
    agrees(jams(&run)[0], &closed_form(5.0));
}

#[test]
fn eq2_in_space_as_in_the_plane() {
    let flat = run(&planar(&[&rod("rod", 0.0, 5.0)]), 0.3);
    for yaw in [0.0_f64, 33.0, -140.0] {
        let (s, c) = THETA.to_radians().sin_cos();
        let (sy, cy) = yaw.to_radians().sin_cos();
        let text = format!(
            "[body.floor]\nshape = \"plane\"\n[body.rod]\nmass = 1\n\
             inertia = [0.01, 0.3333333333333333, 0.3333333333333333]\n\
             rotation = [0, \"-{THETA}deg\", \"{yaw}deg\"]\nposition = [{}, {}, {s}]\n\
             velocity = [{}, {}, 0]\nfeature.end = {{ point = [-1, 0, 0] }}\n\
             [[contact]]\nbetween = [\"rod.end\", \"floor\"]\nrestitution = 0.5\nfriction = {MU}\n",
            c * cy,
            c * sy,
            -5.0 * cy,
            -5.0 * sy
        );
        let run = run(&text, 0.3);
        assert_eq!(jams(&run).len(), 1);
        agrees(jams(&run)[0], &closed_form(5.0));
        // And the motion afterwards is the same.
        assert_eq!(run.stop, Stop::ReachedEnd);
        let (x, z) = (run.state.q[0] * cy + run.state.q[1] * sy, run.state.q[2]);
        assert!((x - flat.state.q[0]).abs() < 1e-7, "{x} {}", flat.state.q[0]);
        assert!((z - flat.state.q[1]).abs() < 1e-7, "{z} {}", flat.state.q[1]);
    }
}

#[test]
fn eq1_a_resting_neighbour_changes_nothing() {
    // A block that lies on two corners, and a disk that rolls.
    let block = "[body.block]\nmass = 2\nshape = { box = [0.4, 0.2] }\nposition = [-4, 0.1]\n\
                 [[contact]]\nbetween = [\"block\", \"floor\"]\nrestitution = 0\nfriction = 0.5\n";
    let disk = "[body.disk]\nmass = 1\nshape = { disk = 0.1 }\nposition = [4, 0.1]\n\
                velocity = [1, 0]\nangular_velocity = -10\n\
                [[contact]]\nbetween = [\"disk\", \"floor\"]\nrestitution = 0\nfriction = 0.5\n";
    for neighbours in [&[block][..], &[disk], &[block, disk]] {
        for rod_first in [true, false] {
            let rod = rod("rod", 0.0, 5.0);
            let mut parts = neighbours.to_vec();
            parts.insert(if rod_first { 0 } else { parts.len() }, &rod);
            let run = run(&planar(&parts), 0.1);
            assert_eq!(jams(&run).len(), 1);
            assert_eq!(jams(&run)[0].t, 0.0);
            agrees(jams(&run)[0], &closed_form(5.0));
        }
    }
}

#[test]
fn eq1_two_rods_jam_one_after_the_other() {
    let run = run(&planar(&[&rod("a", 0.0, 5.0), &rod("b", 6.0, 3.0)]), 0.05);
    let found = jams(&run);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|e| e.t == 0.0));
    agrees(found[0], &closed_form(5.0));
    agrees(found[1], &closed_form(3.0));
}

/// A body on two feet, sliding on with its front foot: the rear one answers by leaving.
#[test]
fn eq1_eq2_the_front_foot_jams() {
    let (d, h, mu, inertia) = (0.2, 1.0, 3.0, 0.2);
    let text = planar(&[&format!(
        "[body.stool]\nmass = 1\ninertia = {inertia}\nposition = [0, {h}]\nvelocity = [-2, 0]\n\
         feature.front = {{ point = [{}, {}] }}\nfeature.rear = {{ point = [{d}, {}] }}\n\
         [[contact]]\nbetween = [\"stool\", \"floor\"]\nrestitution = 0.3\nfriction = {mu}\n",
        -d, -h, -h
    )]);
    let run = run(&text, 0.05);
    let found = jams(&run);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].contacts.len(), 2, "both feet take part");
    let k = [1.0 + h * h / inertia, -h * d / inertia, 1.0 + d * d / inertia];
    agrees(found[0], &alone(k, 2.0, mu, 0.3));
    let rear = found[0].contacts.iter().find(|c| c.impulse[2] == 0.0).expect("the rear foot");
    assert!(rear.u_post[2] > 0.0);
}

/// A rod in two halves, joined by a hinge that its stop keeps from folding one way: while the end slips the
/// stop answers with an impulse, and the two are as one; while it then sticks they fold the other way.
#[test]
fn eq2_a_contact_that_answers() {
    let (s, c) = THETA.to_radians().sin_cos();
    // One rod of mass 2 and half length 2: all mobilities are half of those of the small one.
    let whole =
        alone([1.0 + 3.0 * s * s, -3.0 * s * c, 1.0 + 3.0 * c * c].map(|k| 0.5 * k), 5.0, MU, 0.5);
    let mut answered = 0;
    for limits in ["[0, \"90deg\"]", "[\"-90deg\", 0]"] {
        let text = planar(&[
            &rod("lower", 0.0, 5.0),
            &format!(
                "[body.upper]\nmass = 1\nshape = {{ rod = 2, position = [1, 0] }}\n\
                 [body.upper.joint]\ntype = \"revolute\"\nparent = \"lower\"\nposition = [1, 0]\n\
                 limits = {limits}\n"
            ),
        ]);
        let run = run(&text, 0.01);
        let found = jams(&run);
        assert_eq!(found.len(), 1, "{limits}");
        assert!(found[0].energy_after < found[0].energy_before);
        let floor = found[0].contacts.iter().find(|c| c.impulse[0] != 0.0).unwrap();
        let stop = found[0].contacts.iter().find(|c| c.impulse[0] == 0.0).unwrap();
        // Friction works only while the end slips.
        let as_one = (floor.friction_work - whole.work_t).abs() < 1e-10;
        assert_eq!(as_one, stop.impulse[2] > 0.0, "{limits}: {stop:?}");
        assert!(stop.impulse[2] >= 0.0 && stop.u_post[2] >= 0.0);
        answered += usize::from(as_one);
    }
    assert_eq!(answered, 1, "one of the two stops is pressed");
}

/// A plate that scrapes along on its lower edge, two corners: the rod of the plane, in space.
#[test]
fn eq2_an_edge_jams_as_one() {
    let (s, c) = THETA.to_radians().sin_cos();
    let text = format!(
        "[body.floor]\nshape = \"plane\"\n[body.plate]\nmass = 1\n\
         inertia = [0.05, 0.3333333333333333, 0.36]\nrotation = [0, \"-{THETA}deg\", 0]\n\
         position = [{c}, 0, {s}]\nvelocity = [-5, 0, 0]\n\
         feature.left = {{ point = [-1, 0.3, 0] }}\nfeature.right = {{ point = [-1, -0.3, 0] }}\n\
         [[contact]]\nbetween = [\"plate\", \"floor\"]\nrestitution = 0.5\nfriction = {MU}\n"
    );
    let run = run(&text, 0.1);
    let expected = closed_form(5.0);
    let found = jams(&run);
    assert_eq!(found.len(), 1, "{:?}", run.stop);
    assert_eq!(found[0].contacts.len(), 2);
    for c in &found[0].contacts {
        assert!((c.impulse[2] - 0.5 * expected.p_n).abs() < 1e-10, "{c:?}");
        assert!((c.impulse[0].hypot(c.impulse[1]) - 0.5 * expected.p_t.abs()).abs() < 1e-10);
        assert!((c.u_post[2] - expected.u_n).abs() < 1e-10);
    }
}

/// The stool with two front feet and one behind.
fn stool(left: f64, right: f64) -> String {
    format!(
        "[body.floor]\nshape = \"plane\"\n[body.stool]\nmass = 1\ninertia = [0.2, 0.2, 0.1]\n\
         position = [0, 0, 1]\nvelocity = [-2, 0, 0]\n\
         feature.left = {{ point = [-0.2, {left}, -1] }}\n\
         feature.right = {{ point = [-0.2, {right}, -1] }}\nfeature.rear = {{ point = [0.2, 0, -1] }}\n\
         [[contact]]\nbetween = [\"stool\", \"floor\"]\nrestitution = 0.3\nfriction = 3\n"
    )
}

#[test]
fn eq2_two_front_feet_jam_as_the_one_of_the_plane() {
    let run = run(&stool(0.2, -0.2), 0.02);
    let found = jams(&run);
    assert_eq!(found.len(), 1, "{:?}", run.stop);
    let expected = alone([1.0 + 1.0 / 0.2, -0.2 / 0.2, 1.0 + 0.04 / 0.2], 2.0, 3.0, 0.3);
    let normal: f64 = found[0].contacts.iter().map(|c| c.impulse[2]).sum();
    assert!((normal - expected.p_n).abs() < 1e-10, "{normal} {expected:?}");
    let lost = found[0].energy_after - found[0].energy_before;
    assert!((lost - expected.work_t - expected.work_n).abs() < 1e-10);
}

/// Front feet at different distances: neither can be pressed alone, and how they share the impulse only the plastic
/// answer says. It is checked by its definition; a strict run stops, names the feet and keeps what it has.
#[test]
fn eq4_feet_that_feel_each_other_jam_together() {
    let jammed = run(&stool(0.3, -0.1), 0.05);
    assert_eq!(jammed.stop, Stop::ReachedEnd);
    let first = &jammed.events()[0];
    assert_eq!((first.t, first.kind), (0.0, EventKind::Jam));
    assert_eq!(first.rescue, Some(Rescue::Plastic));
    // Both stick: the stool turns about their edge with the moment of momentum that it had, 2 kg·m²/s over 1.24 kg·m².
    assert!((first.energy_after - 2.0 / 1.24).abs() < 1e-9, "{}", first.energy_after);
    for c in &first.contacts {
        let ([x, y, n], u) = (c.impulse, c.u_post);
        assert!(x.hypot(y) <= 3.0 * n && u[2] > -1e-9 && n * u[2] < 1e-9, "{c:?}");
    }
    assert!(jammed.statistics.worst_gap > -1e-9);
    let scene = Scene::parse(&stool(0.3, -0.1), "stool.toml").unwrap();
    let options = Options { strict: true, ..scene.options.hybrid() };
    let strict = scene.simulation().unwrap().options(options).run_until(0.05).unwrap();
    let Stop::NoSolution { t, contacts } = &strict.stop else { panic!("{:?}", strict.stop) };
    assert_eq!((*t, contacts.len()), (0.0, 3), "{contacts:?}");
}

/// A leg, heavy at the hip, hangs through the floor by its foot; a tail, if it has one, drags along the floor behind.
fn leg(tail: Option<f64>) -> String {
    let mut text = String::from(
        "space = \"planar\"\n[body.leg]\nmass = 1.001\ncom = [0, -0.000999]\ninertia = 0.000999\n\
         position = [0, 0.9961946980917455]\nrotation = \"5deg\"\nfeature.foot = { point = [0, -1] }\n\
         [body.floor]\nshape = \"plane\"\n[initial]\npenetration = 1e-3\n\
         [[contact]]\nname = \"foot\"\nbetween = [\"leg.foot\", \"floor\"]\nrestitution = 0\nfriction = 0.5\n",
    );
    if let Some(mass) = tail {
        text += &format!(
            "[body.tail]\nmass = {mass}\nshape = {{ rod = 1.4, position = [0, -0.7], rotation = \"90deg\" }}\n\
             joint = {{ name = \"hip\", type = \"revolute\", parent = \"leg\" }}\nfeature.end = {{ point = [0, -1.4] }}\n\
             [[contact]]\nname = \"tail\"\nbetween = [\"tail.end\", \"floor\"]\nrestitution = 0\nfriction = 0\n"
        );
        text = text.replace("[initial]\n", "[initial]\nangle = { hip = -0.866 }\n");
    }
    text
}

/// The foot jams while the tail answers: one event without rescue that leaves both on the floor, and the lighter the tail
/// the nearer is it to the jam of the leg alone.
#[test]
fn eq3_others_answer_to_a_dynamic_jam() {
    let first = |text: &str| {
        let run = run(text, 1.5);
        assert_eq!(run.statistics.rescues.iter().sum::<u64>(), 0);
        assert!(run.statistics.worst_residual < 1e-9, "{}", run.statistics.worst_residual);
        let jam = jams(&run)[0].clone();
        for c in &jam.contacts {
            assert!(c.u_post[2].abs() < 1e-12 && c.impulse[2] > 0.0, "{c:?}");
        }
        assert!(jam.contacts[0].u_pre[0].abs() > 1.0 && jam.contacts[0].u_post[0].abs() < 1e-12);
        assert!(jam.energy_after < jam.energy_before);
        (jam.t, jam.contacts.len(), jam.contacts[0].impulse[2])
    };
    let alone = first(&leg(None));
    let [heavy, light] = [0.02, 0.002].map(|mass| first(&leg(Some(mass))));
    assert_eq!((alone.1, heavy.1, light.1), (1, 2, 2));
    for (far, near) in
        [(heavy.0 - alone.0, light.0 - alone.0), (heavy.2 - alone.2, light.2 - alone.2)]
    {
        assert!((near / far - 0.1).abs() < 0.02, "{alone:?} {heavy:?} {light:?}");
    }
}

/// The corners of a box hit in turn, each while the others are open by less than the tolerance: the series ends by (3) of the
/// accumulation, as if they touched (239 impacts without), and errs by no more than its bound.
#[test]
fn eq3_corners_that_hit_in_turn_come_to_rest_together() {
    let settle = |rtol: f64| {
        let scene = format!(
            "[body.block]\nmass = 1\nshape = {{ box = [0.3, 0.2, 0.1] }}\nposition = [0, 0, 0.06]\n\
             rotation = [\"0.5deg\", \"0.7deg\", 0]\n[body.floor]\nshape = \"plane\"\n\
             [[contact]]\nbetween = [\"block\", \"floor\"]\nrestitution = 0.8\nfriction = 0.3\n\
             [law]\nrule = \"sequential\"\n[solver]\nrtol = {rtol}\n"
        );
        let run = run(&scene, 3.0);
        assert_eq!(run.statistics.rescues.iter().sum::<u64>(), 0);
        let rest = run.events().iter().find(|e| e.kind == EventKind::Rest).expect("rests").t;
        (run.statistics.impacts, rest, run.ledger.lost())
    };
    let (coarse, fine) = (settle(1e-9), settle(1e-11));
    assert!(coarse.0 < 170, "{coarse:?}");
    // A last rebound of 1e-9 of half a metre takes 2e-5 s.
    assert!(
        (coarse.1 - fine.1).abs() < 1e-4 && (coarse.2 - fine.2).abs() < 1e-8,
        "{coarse:?} {fine:?}"
    );
}

/// Two dozen discs fall into a bin: where their events rush, (1) of `carom::hybrid`'s rush, time steps carry them. They come
/// to rest, nothing sinks in, nothing pulls and the ledger stays closed.
#[test]
fn eq1_a_pile_of_discs_comes_to_rest() {
    let mut pile = String::from("space = \"planar\"\n");
    let walls = [("wl", "-0.025, 0", -90), ("wr", "0.3, 0", 90), ("wb", "0, 0", 0)];
    for (name, at, angle) in walls {
        pile += &format!(
            "[body.{name}]\nshape = \"plane\"\nposition = [{at}]\nrotation = \"{angle} deg\"\n"
        );
    }
    for k in 0..24 {
        let (row, column) = (f64::from(k / 6), f64::from(k % 6));
        let (x, y) = (0.05 * column + 0.012 * (row % 2.0), 0.05 * (row + 1.0));
        pile +=
            &format!("[body.b{k}]\nmass = 0.1\nshape = {{ disk = 0.02 }}\nposition = [{x}, {y}]\n");
        let below = (0..k).map(|j| format!("b{j}"));
        for other in walls.map(|w| String::from(w.0)).into_iter().chain(below) {
            pile += &format!(
                "[[contact]]\nbetween = [\"b{k}\", \"{other}\"]\nrestitution = 0.3\nfriction = 0.3\n"
            );
        }
    }
    let scene = Scene::parse(&pile, "pile.toml").unwrap();
    let options = Options { events_in_a_rush: 300, ..scene.options.hybrid() };
    let run = scene.simulation().unwrap().options(options).run_until(2.0);
    let run = run.unwrap_or_else(|e| panic!("{}", e.0));
    assert_eq!(run.stop, Stop::ReachedEnd);
    let many = |e: &&Event| e.rescue == Some(Rescue::Step) && e.contacts.len() > 8;
    assert!(run.events().iter().filter(many).count() > 10);
    assert!(run.statistics.worst_gap > -1e-9, "{:e}", run.statistics.worst_gap);
    assert!(run.statistics.worst_closure < 1e-6, "{:e}", run.statistics.worst_closure);
    assert!(run.state.v.amax() < 1e-3, "{:e}", run.state.v.amax());
    for event in run.events() {
        let normal = event.contacts.iter().map(|c| c.impulse[2]);
        let largest = normal.clone().fold(0.0, f64::max);
        assert!(normal.fold(0.0, f64::min) >= -f64::EPSILON * largest, "{}", event.t);
    }
}

/// With little patience for events of one instant a pile of disks in a box is carried over by time steps where they
/// crowd; it comes to rest, nothing sinks in and the ledger stays closed.
#[test]
fn eq1_to_eq3_a_crowd_is_carried_over() {
    let mut pile = String::from(
        "space = \"planar\"\n[body.wl]\nshape = \"plane\"\nposition = [-0.03, 0]\nrotation = \"-90 deg\"\n\
         [body.wr]\nshape = \"plane\"\nposition = [0.08, 0]\nrotation = \"90 deg\"\n[body.wb]\nshape = \"plane\"\n",
    );
    for k in 0..6 {
        let (x, z) =
            (0.045 * f64::from(k % 2) + 0.002 * f64::from(k), 0.05 + 0.045 * f64::from(k / 2));
        pile +=
            &format!("[body.b{k}]\nmass = 0.1\nshape = {{ disk = 0.02 }}\nposition = [{x}, {z}]\n");
        for other in
            ["wl", "wr", "wb"].map(String::from).into_iter().chain((0..k).map(|j| format!("b{j}")))
        {
            pile += &format!(
                "[[contact]]\nbetween = [\"b{k}\", \"{other}\"]\nrestitution = 0.3\nfriction = 0.3\n"
            );
        }
    }
    let scene = Scene::parse(&pile, "pile.toml").unwrap();
    let options = Options { events_at_once: 1, ..scene.options.hybrid() };
    let carried = scene.simulation().unwrap().options(options).run_until(3.0).unwrap();
    assert_eq!(carried.stop, Stop::ReachedEnd);
    let steps = carried.events().iter().filter(|e| e.rescue == Some(Rescue::Step)).count();
    assert!(steps > 0, "{steps}");
    assert!(carried.statistics.worst_gap > -1e-9, "{}", carried.statistics.worst_gap);
    assert!(carried.statistics.worst_closure < 1e-6, "{}", carried.statistics.worst_closure);
    assert!(carried.state.v.amax() < 1e-3, "{}", carried.state.v.amax());
}
