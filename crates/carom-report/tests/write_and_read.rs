//! A run goes to disk and comes back with every bit.

mod support;

use carom::hybrid::Output;
use carom_report::{Account, Extras, Job, LiveRun, RunWriter, SavedRun, SourceFile};
use carom_scene::Scene;
use carom_testing::Scratch;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use std::fs;
use std::time::Duration;
use support::{ball, recording, write};

#[test]
fn every_bit_comes_back() {
    let scratch = Scratch::new("bits");
    let model = ball();
    let dir = scratch.path("run");
    let summary = write(&dir, &model, Output::Steps, Extras::default());
    let run = SavedRun::load(&dir).unwrap();
    let wanted = recording(&model, Output::Steps);
    assert_eq!(run.summary, summary);
    assert_eq!(run.len(), wanted.t.len());
    assert_eq!(run.t(), wanted.t);
    for (k, name) in model.q_names().iter().enumerate() {
        let column = run.column(&format!("q.{name}")).unwrap();
        assert!(column.iter().zip(&wanted.q).all(|(x, q)| x.to_bits() == q[k].to_bits()));
    }
    for (k, name) in model.v_names().iter().enumerate() {
        let column = run.column(&format!("v.{name}")).unwrap();
        assert!(column.iter().zip(&wanted.v).all(|(x, v)| x.to_bits() == v[k].to_bits()));
    }
    for (axis, k) in [("t1", 0), ("n", 2)] {
        let column = run.column(&format!("force.ball-ground.{axis}")).unwrap();
        assert!(column.iter().zip(&wanted.forces).all(|(x, f)| *x == f[0][k]));
    }
    assert!(run.column("force.ball-ground.t2").is_none(), "planar: one tangent");
    let modes: Vec<&str> = run.modes("ball-ground").unwrap().collect();
    let words: Vec<&str> = wanted.modes.iter().map(|m| m[0].word()).collect();
    assert_eq!(modes, words);
    assert_eq!(run.events.len(), wanted.events.len());
    for (line, event) in run.events.iter().zip(&wanted.events) {
        assert_eq!(line.t.to_bits(), event.t.to_bits());
        assert_eq!(line.kind, event.kind.word());
        assert_eq!(line.velocity_after, event.v_post);
        assert_eq!(line.energy_lost().to_bits(), event.energy_lost().to_bits());
        assert_eq!(line.contacts.len(), event.contacts.len());
        for (c, change) in line.contacts.iter().zip(&event.contacts) {
            assert_eq!(c.name, "ball-ground");
            assert_eq!(c.impulse_normal, change.impulse[2]);
            assert_eq!(c.impulse_tangent, [change.impulse[0]]);
        }
    }
}

/// Angular velocity along the axes of the world: at the start what the scene states there, at every sample the body's own
/// turned by its quaternion, and on disk as in memory.
#[test]
fn eq2_turns_along_the_axes_of_the_world() {
    let scratch = Scratch::new("world-axes");
    let dir = scratch.path("run");
    let account = support::scenes::both("box_drop", &["solver.until=0.6"], &dir);
    let run = SavedRun::load(&dir).unwrap();
    let column = |name: String| run.column(&name).unwrap().to_vec();
    let w = ["x", "y", "z"].map(|axis| column(format!("w.box.{axis}")));
    let own = ["wx", "wy", "wz"].map(|axis| column(format!("v.box.{axis}")));
    let turn = ["qw", "qx", "qy", "qz"].map(|part| column(format!("q.box.{part}")));
    assert!(w.iter().zip([1.0, -0.5, 2.0]).all(|(w, stated)| (w[0] - stated).abs() < 1e-12));
    for k in 0..run.len() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| turn[i][k]);
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(a, b, c, d));
        let spin = turn * Vector3::new(own[0][k], own[1][k], own[2][k]);
        let there = Vector3::new(w[0][k], w[1][k], w[2][k]);
        assert!((spin - there).norm() <= 1e-12 * (1.0 + there.norm()), "{k}: {spin} {there}");
    }
    let apart = own[0].iter().zip(&w[0]).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    assert!(run.len() > 20 && apart > 0.1, "{} {apart}", run.len());
    let place = account.table.place("w.box.y").unwrap();
    assert_eq!(account.table.numbers[place].values.to_vec(), w[1]);
    assert_eq!(account.table.numbers[place].unit, "rad/s");
    // A chain in the plane has none.
    let names = support::scenes::account("double_pendulum", &["solver.until=0.1"]).table.numbers;
    assert!(names.iter().all(|c| !c.name.starts_with("w.")));
}

/// A run that was kept in memory leaves the same folder behind as one that was written as it went.
#[test]
fn a_run_in_memory_is_stored_as_it_would_be_written() {
    let scratch = Scratch::new("stored");
    let (written, stored) = (scratch.path("written"), scratch.path("stored"));
    let text = include_str!("../../../scenes/ball.toml");
    let scene = Scene::parse_with(text, "ball.toml", &["solver.until=1"]).unwrap();
    let mut job = Job::default();
    job.scene.name = "ball.toml".into();
    job.scene.hash = scene.hash.clone();
    job.scene.overrides = vec!["solver.until=1".into()];
    let files = vec![SourceFile { name: "ball.toml".into(), text: text.into() }];
    let extras = Extras { csv: true, npz: true };
    let mut writer =
        RunWriter::create(&written, &scene.model, job.clone(), &files, extras).unwrap();
    let result = scene.simulation().unwrap().run_with(1.0, &mut writer);
    writer.finish(&result, false, Duration::ZERO).unwrap();
    let mut live = LiveRun::new(&scene.model, job, files);
    let result = scene.simulation().unwrap().run_with(1.0, &mut live);
    let account = live.finish(scene.clone(), &result, false, Duration::ZERO);
    account.save(&stored, extras).unwrap();
    for name in ["trajectory.parquet", "events.jsonl", "trajectory.csv", "trajectory.npz"] {
        let [a, b] = [&written, &stored].map(|dir| fs::read(dir.join(name)).unwrap());
        assert_eq!(a, b, "{name}");
    }
    let [a, b] = [&written, &stored].map(|dir| Account::load(dir).unwrap());
    assert!(a.summary == b.summary && a.table == b.table && a.events == b.events);
    // Coordinates are one piece of memory, column after column.
    let block = b.table.block(1, scene.model.nq()).unwrap();
    assert_eq!(block.as_ptr(), b.table.column("q.ball.x").unwrap().as_ptr());
    assert_eq!(block.len(), scene.model.nq() * b.table.len());
    assert_eq!(b.table, account.table);
}

#[test]
fn eq1_ledger_in_the_file() {
    let scratch = Scratch::new("ledger");
    let dir = scratch.path("run");
    write(&dir, &ball(), Output::Interval(0.01), Extras::default());
    let run = SavedRun::load(&dir).unwrap();
    let column = |name: &str| run.column(name).unwrap();
    let (stored, applied, damping, carried, loss) = (
        column("energy.stored"),
        column("work.applied"),
        column("work.damping"),
        column("work.carried"),
        column("loss.ball-ground"),
    );
    for i in 0..run.len() {
        let explained = stored[0] + applied[i] + damping[i] + carried[i] - loss[i];
        // Round-off of the sums, and the integration of the sliding work at rtol 1e-9.
        assert!((stored[i] - explained).abs() < 1e-8 * stored[0], "row {i}");
        let parts = column("energy.kinetic")[i] + column("energy.gravity")[i];
        assert_eq!(stored[i], parts + column("energy.spring")[i]);
    }
    assert!(loss[run.len() - 1] > 0.9, "the drop of 1 m is lost");
    assert_eq!(run.summary.energy.lost, loss[run.len() - 1]);
}

#[test]
fn same_run_same_bytes() {
    let scratch = Scratch::new("same");
    let model = ball();
    let extras = Extras { csv: true, npz: true };
    let (a, b) = (scratch.path("a"), scratch.path("b"));
    let first = write(&a, &model, Output::Steps, extras);
    let second = write(&b, &model, Output::Steps, extras);
    assert_eq!(first.result_hash, second.result_hash);
    for name in
        ["run.json", "trajectory.parquet", "events.jsonl", "trajectory.csv", "trajectory.npz"]
    {
        assert_eq!(fs::read(a.join(name)).unwrap(), fs::read(b.join(name)).unwrap(), "{name}");
    }
    let other = write(&b, &model, Output::Interval(0.1), extras);
    assert_ne!(first.result_hash, other.result_hash);
}

#[test]
fn csv_has_the_same_numbers() {
    let scratch = Scratch::new("csv");
    let dir = scratch.path("run");
    write(&dir, &ball(), Output::Steps, Extras { csv: true, npz: false });
    let run = SavedRun::load(&dir).unwrap();
    let text = fs::read_to_string(dir.join("trajectory.csv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(names, run.names);
    let mut rows = 0;
    for (i, line) in lines.enumerate() {
        rows += 1;
        for (name, cell) in names.iter().zip(line.split(',')) {
            match run.column(name) {
                Some(column) => {
                    assert_eq!(cell.parse::<f64>().unwrap().to_bits(), column[i].to_bits());
                }
                None => assert!(["open", "stick", "slip"].contains(&cell)),
            }
        }
    }
    assert_eq!(rows, run.len());
}

#[test]
fn long_runs_take_several_row_groups() {
    let scratch = Scratch::new("groups");
    let dir = scratch.path("run");
    // 20 columns: 2²⁰/20 rows to a group.
    let summary = write(&dir, &ball(), Output::Interval(2e-5), Extras { csv: false, npz: true });
    assert!(summary.counts.samples > 100_000);
    let run = SavedRun::load(&dir).unwrap();
    assert_eq!(run.len() as u64, summary.counts.samples);
    assert!(run.t().windows(2).all(|w| w[0] <= w[1]));
    assert_eq!(run.t().last(), Some(&2.0));
}
