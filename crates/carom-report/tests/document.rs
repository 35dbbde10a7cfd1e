//! The document of a run against the numbers of the run.
#![allow(non_snake_case)]

mod support;

use carom::dynamics::{Kinematics, kinematics};
use carom::record::{Directive, Event, Observer, Sample};
use carom::spatial::rotation;
use carom_report::document::{Packed, RunDocument};
use carom_report::stage::{Form, Stage};
use carom_report::{Account, Job, LiveRun};
use carom_testing::Scratch;
use nalgebra::{Vector3, Vector4};
use std::time::Duration;
use support::scenes::{account, both, load, names};

fn document(name: &str, overrides: &[&str]) -> (Account, RunDocument) {
    let account = account(name, overrides);
    let document = RunDocument::new(&account).unwrap();
    (account, document)
}

fn series(document: &RunDocument, name: &str) -> Vec<f64> {
    document.series.iter().find(|s| s.name == name).unwrap().values.to_f64()
}

/// A folder and memory tell the same, to the last byte, planar and spatial, with events at once,
/// joint limits, ties and prescribed motions.
#[test]
fn folder_and_memory_agree() {
    for (name, overrides) in [
        ("double_pendulum", vec!["contact.0.restitution=0.8"]),
        ("superball", vec!["solver.until=1"]),
        ("leg", vec!["solver.until=0.3"]),
        ("oscillator", vec![]),
        ("stop", vec![]),
        ("jumper", vec![]),
    ] {
        let scratch = Scratch::new(&format!("document-{name}"));
        let dir = scratch.path("run");
        let live = both(name, &overrides, &dir);
        let saved = Account::load(&dir).unwrap();
        let [live, saved] =
            [&live, &saved].map(|a| RunDocument::new(a).unwrap().to_json().unwrap());
        assert!(live == saved, "{name}");
    }
}

/// The picture at the time of a sample is where forward kinematics puts its state, in every scene.
#[test]
fn samples_are_in_the_picture() {
    for name in names() {
        let (account, document) = document(&name, &[]);
        let model = &account.scene.model;
        let stage = Stage::of(&account.scene);
        let t = document.t.to_f64();
        let (Packed::F32(_), B) = (&document.poses, stage.bodies.len()) else { panic!() };
        let (poses, pieces) = (document.poses.to_f64(), document.pieces());
        assert_eq!(poses.len(), t.len() * B * 7, "{name}");
        assert_eq!(document.com.len(), t.len() * 3, "{name}");
        assert!(t.windows(2).all(|w| w[1] >= w[0]), "{name}");
        let table = &account.table;
        let mut kin = Kinematics::new(model);
        let pick = |letter: &str, names: &[String], i: usize| -> Vec<f64> {
            names.iter().map(|n| table.column(&format!("{letter}.{n}")).unwrap()[i]).collect()
        };
        let range = document.stage.bounds.max.map(f64::abs).into_iter().fold(1e-3, f64::max);
        for (i, time) in table.t().iter().enumerate() {
            // Of two samples at one time the picture has the second.
            if table.t().get(i + 1) == Some(time) {
                continue;
            }
            let (q, v) = (pick("q", &model.q_names(), i), pick("v", &model.v_names(), i));
            kinematics(model, &q, &v, &mut kin);
            let spot = pieces.at(*time);
            for (b, body) in stage.bodies.iter().enumerate() {
                let X = kin.pose(model, body.id);
                let at = |k: usize| spot.number(&poses, 7 * B, 7 * b + k);
                let r = Vector3::new(at(0), at(1), at(2));
                let Q = Vector4::new(at(3), at(4), at(5), at(6)).normalize();
                let R = rotation::from_quaternion(&Q);
                assert!((r - X.r).norm() <= 2e-6 * (range + X.r.norm()), "{name} {i}");
                assert!((R - X.R).norm() < 5e-6, "{name} {i}");
            }
        }
        assert_eq!(document.summary, account.summary);
    }
}

/// Between samples: the ball of the first README falls along a parabola, its energy is constant.
#[test]
fn pictures_between_samples_lie_on_the_parabola() {
    let (_, document) = document("ball", &["solver.until=0.45"]);
    let pieces = document.pieces();
    let [z, vz, kinetic, gravity, gap] =
        ["q.ball.z", "v.ball.vz", "energy.kinetic", "energy.gravity", "gap.ball-ground"]
            .map(|name| series(&document, name));
    for k in 0..=300 {
        let t = 0.0015 * f64::from(k);
        let spot = pieces.at(t);
        let [z, vz, kinetic, gravity, gap] =
            [&z, &vz, &kinetic, &gravity, &gap].map(|values| spot.number(values, 1, 0));
        assert!((z - (1.05 - 4.905 * t * t)).abs() < 2e-7);
        assert!((vz + 9.81 * t).abs() < 2e-6);
        assert!((kinetic - 0.05 * (9.81 * t).powi(2)).abs() < 2e-6);
        assert!((gravity - 0.981 * z).abs() < 2e-6);
        assert!((gap - (z - 0.05)).abs() < 1e-6);
    }
}

#[test]
fn series_are_columns_with_units_and_groups() {
    let (account, document) = document("double_pendulum", &["solver.until=4"]);
    // Time and accelerations are not shown.
    let hidden = 1 + account.scene.model.nv();
    assert_eq!(document.series.len(), account.table.numbers.len() - hidden);
    let of = |name: &str| document.series.iter().find(|s| s.name == name).unwrap();
    let facts = |name: &str| (of(name).group, of(name).unit.as_str(), of(name).label.as_str());
    assert_eq!(facts("q.elbow"), ("coordinates", "rad", "elbow"));
    assert_eq!(facts("v.elbow"), ("speeds", "rad/s", "elbow rate"));
    assert_eq!(facts("energy.stored"), ("energy", "J", "total"));
    assert_eq!(facts("loss.tip"), ("work", "J", "lost at tip"));
    assert_eq!(facts("gap.tip"), ("gap", "m", "tip"));
    assert_eq!(facts("force.tip.t1"), ("force", "N", "tip tangent"));
    let pieces = document.pieces();
    for column in account.table.numbers[1..].iter().filter(|c| !c.name.starts_with("a.")) {
        let shown = series(&document, &column.name);
        let largest = column.values.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        for (t, x) in [account.table.t()[0]].iter().zip([column.values[0]]) {
            let value =
                if shown.len() == 1 { shown[0] } else { pieces.at(*t).number(&shown, 1, 0) };
            assert!((value - x).abs() <= 1e-6 * largest, "{}", column.name);
        }
    }
}

/// Events are all there, in place: the frame is the one after, the frame before has the same time
/// and the velocity before.
#[test]
fn events_and_their_frames() {
    for name in ["double_pendulum", "box_drop", "cradle", "rocking_block", "bicycle"] {
        let (account, document) = document(name, &[]);
        assert_eq!(document.events.len() as u64, account.summary.counts.events, "{name}");
        assert!(!document.events.is_empty(), "{name}");
        let t = document.t.to_f64();
        let v_names = account.scene.model.v_names();
        let speeds: Vec<Vec<f64>> =
            v_names.iter().map(|n| series(&document, &format!("v.{n}"))).collect();
        for (line, event) in account.events.iter().zip(&document.events) {
            assert_eq!((line.t, &line.kind), (event.t, &event.kind));
            assert_eq!(line.contacts.len(), event.contacts.len());
            if event.t == 0.0 {
                continue;
            }
            let k = event.frame;
            assert_eq!((t[k - 1], t[k]), (event.t, event.t), "{name}");
            // Closed contacts take the round-off of an impact out of the velocities after it.
            let largest = line.velocity_before.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            let moved = |k: usize, v: &[f64]| {
                let at = |s: &[f64]| if s.len() == 1 { s[0] } else { s[k] };
                let same =
                    |s: f64, v: f64| s == f64::from(v as f32) || (s - v).abs() <= 1e-13 * largest;
                speeds.iter().zip(v).all(|(s, v)| same(at(s), *v))
            };
            // One of several impacts at an instant starts, one ends there.
            let at_once = account.events.iter().filter(|e| e.t == event.t).count();
            if at_once == 1 {
                assert!(moved(k - 1, &line.velocity_before), "{name} at {}", event.t);
                assert!(moved(k, &line.velocity_after), "{name} at {}", event.t);
            }
        }
    }
}

/// Paths start at the velocity before, end at the velocity after, and do the work of the event.
#[test]
fn paths_lead_from_before_to_after() {
    for (name, overrides) in [
        ("double_pendulum", vec![]),
        ("double_pendulum", vec!["law={ formulation = \"poisson\" }"]),
        ("double_pendulum", vec!["law={ formulation = \"algebraic\", method = \"brach\" }"]),
        ("superball", vec![]),
        ("box_drop", vec![]),
        ("bicycle", vec![]),
        ("cradle", vec![]),
        ("oscillator", vec![]),
        ("leg", vec![]),
        ("stop", vec![]),
        ("painleve", vec![]),
    ] {
        let (_, document) = document(name, &overrides);
        let jumps: Vec<_> = document
            .events
            .iter()
            .filter(|e| matches!(e.kind.as_str(), "impact" | "jam" | "close"))
            .collect();
        let traced: Vec<_> = jumps.iter().filter_map(|e| Some((e, e.paths.as_ref()?))).collect();
        assert_eq!(traced.len(), jumps.len(), "{name} {overrides:?}: all are retraced");
        for (event, paths) in traced {
            let work: f64 = event.contacts.iter().map(|c| c.normal_work + c.friction_work).sum();
            let size = event.energy_before.max(1e-12);
            for path in paths {
                let contact = event.contacts.iter().find(|c| c.site == path.site).unwrap();
                let last = path.p.len() - 1;
                let scale = contact
                    .velocity_before
                    .iter()
                    .chain(&contact.velocity_after)
                    .fold(1e-9_f64, |s, u| s.max(u.abs()));
                for (k, wanted) in [(0, contact.velocity_before), (last, contact.velocity_after)] {
                    assert!((path.u_t[k] - wanted[0]).abs() < 1e-6 * scale, "{name} {}", event.t);
                    assert!((path.u_n[k] - wanted[2]).abs() < 1e-6 * scale, "{name} {}", event.t);
                    if let Some(second) = &path.u_t2 {
                        assert!((second[k] - wanted[1]).abs() < 1e-6 * scale, "{name}");
                    }
                }
                let p = path.p[last];
                assert!((p - contact.impulse[2]).abs() <= 1e-6 * p.abs());
                assert!((path.work[last] - work).abs() < 1e-6 * size, "{name} {}", event.t);
                let names: Vec<_> = path.stages.iter().map(|s| s.name).collect();
                assert_eq!(names.first(), Some(&"start"), "{name}");
                assert_eq!(path.stages.last().unwrap().index, last, "{name}");
            }
        }
    }
}

/// Equation (1) of `books`, in every scene.
#[test]
fn eq1_the_books_close() {
    for name in names() {
        let (account, document) = document(&name, &[]);
        let sum = |kind: &str| -> f64 {
            document.energy.rows.iter().filter(|r| r.kind == kind).map(|r| r.value).sum()
        };
        let energy = &account.summary.energy;
        let turned = energy.initial.abs() + energy.kinetic.abs() + energy.gravity.abs();
        // What is given to a mechanism and taken by its friction may be all there is.
        let works = document.energy.rows.iter().filter(|r| r.kind == "work");
        let size = works.map(|r| r.value.abs()).fold(turned + 1e-9, f64::max);
        let open = sum("stored") - document.energy.initial - sum("work") - document.energy.closure;
        assert!(open.abs() < 1e-12 * size, "{name}: {open}");
        assert!(document.energy.closure.abs() < 1e-5 * size, "{name}");
    }
}

#[test]
fn contacts_have_points_on_their_surfaces() {
    let (_, document) = document("superball", &[]);
    let site = &document.sites[0];
    let F = document.t.len();
    assert_eq!((site.kind, site.restitution, site.friction), ("contact", Some(1.0), 0.6));
    assert_eq!(site.point.len(), 3 * F);
    // It never rests, and its floor never turns: one entry stands for all frames.
    assert_eq!((site.modes.to_f64(), site.force.to_f64()), (vec![0.0], vec![0.0; 3]));
    assert_eq!(site.normal.to_f64(), [0.0, 0.0, 1.0]);
    assert_eq!(site.tangent2.as_ref().unwrap().to_f64(), [0.0, 1.0, 0.0]);
    // An open contact is seen at the start and where something happens to it.
    let (point, gap) = (site.point.to_f64(), series(&document, "gap.ball-floor"));
    assert!(!document.events.is_empty());
    for k in document.events.iter().map(|event| event.frame).chain([0]) {
        assert!((point[3 * k + 2] - gap[k]).abs() < 1e-6, "the lowest point of the ball");
    }
    assert_eq!(site.law, "differential, energetic");
}

#[test]
fn the_page_knows_what_it_shows() {
    let (account, document) = document("double_pendulum", &["solver.until=1"]);
    assert_eq!((document.format, document.version), ("carom page", 2));
    assert_eq!((document.name.as_str(), document.space), ("double_pendulum.toml", "planar"));
    assert_eq!(document.title, "Double pendulum on a floor");
    assert!(document.description.as_ref().unwrap().contains("Flickinger"));
    assert_eq!((document.up, document.gravity), ([0.0, 1.0, 0.0], [0.0, -9.81, 0.0]));
    assert_eq!(document.source[0].text, account.scene.files[0].text);
    let fact = |label: &str| &document.facts.iter().find(|f| f.label == label).unwrap().value;
    assert_eq!(fact("impact law"), "differential, energetic");
    assert_eq!(fact("changed"), "solver.until=1");
    assert_eq!(fact("result hash"), &account.summary.result_hash);
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    // The tip touches the floor and never leaves [−2, 2] around the pivot.
    let bounds = &document.stage.bounds;
    assert!(bounds.min[1] > -0.06 && bounds.max[0] < 2.1 && bounds.max[0] > 1.9);
    assert!(Stage::of(&account.scene).fixed.iter().any(|d| d.form == Form::Plane));
}

/// Motors have their torque among the series, and events when they meet a limit.
#[test]
fn motors_are_shown() {
    let (account, document) = document("jumper", &[]);
    let torque = document.series.iter().find(|s| s.name == "torque.femur").unwrap();
    assert_eq!(
        (torque.group, torque.unit.as_str(), torque.label.as_str()),
        ("torque", "N·m", "femur")
    );
    let column = account.table.column("torque.femur").unwrap();
    let (t, shown) = (document.t.to_f64(), torque.values.to_f64());
    let last = |x: &[f64]| *x.last().unwrap();
    assert!(shown.len() == t.len() || shown.len() == 1);
    assert_eq!(last(&shown), f64::from(last(column) as f32));
    let met: usize = account.events.iter().map(|e| e.actuators.len()).sum();
    let shown: usize = document.events.iter().map(|e| e.actuators.len()).sum();
    assert_eq!(met, shown);
}

/// A run that is too long for memory is stopped, and the page says so.
#[test]
fn memory_is_bounded() {
    let scene = load("pendulum", &[]);
    let mut live = LiveRun::new(&scene.model, Default::default(), Vec::new()).room(400);
    let result = scene.simulation().unwrap().run_with(1e6, &mut live);
    let account = live.finish(scene, &result, false, Duration::ZERO);
    assert!(account.table.len() * account.table.numbers.len() < 450);
    assert_eq!(account.summary.stop.reason, "observer");
    let document = RunDocument::new(&account).unwrap();
    assert!(document.warnings.iter().any(|w| w.contains("ended early")), "{:?}", document.warnings);
}

/// A run in memory keeps no more than it has room for, also if the run does not stop when asked.
#[test]
fn memory_is_bounded_whoever_listens() {
    struct Deaf(LiveRun);
    impl Observer for Deaf {
        fn sample(&mut self, sample: &Sample<'_>) -> Directive {
            self.0.sample(sample);
            Directive::Continue
        }
        fn event(&mut self, event: &Event) -> Directive {
            self.0.event(event);
            Directive::Continue
        }
    }
    let scene = load("ball", &[]);
    let live = LiveRun::new(&scene.model, Job::default(), Vec::new()).room(1000);
    let room = live.samples();
    let mut deaf = Deaf(live);
    let result = scene.simulation().unwrap().run_with(3.0, &mut deaf);
    let account = deaf.0.finish(scene.clone(), &result, false, Duration::ZERO);
    assert!(account.table.len() + account.events.len() <= room + 1, "{}", account.table.len());
    assert_eq!(account.table.len() as u64, account.summary.counts.samples);
}
