//! Pictures against the engine: the polynomials of a document at random times, in every scene.

#![allow(non_snake_case)]

mod support;

use carom::hybrid::{Options, Output};
use carom::spatial::rotation;
use carom_report::document::RunDocument;
use carom_report::stage::{Posture, Stage};
use carom_report::{Account, LiveRun, Table};
use carom_scene::Scene;
use nalgebra::Vector4;
use std::f64::consts::SQRT_2;
use std::time::Duration;
use support::scenes::{account_of, load, names};

/// A bouncing ball that loses nothing, for 3000 s: 14 857 impacts.
const LONG: &str = r#"
title = "Many bounces"
space = "planar"
[body.ball]
mass = 1.0
shape = { disk = 0.05 }
position = [0, 0.1]
velocity = [0.01, 0]
[body.floor]
shape = "plane"
[[contact]]
between = ["ball", "floor"]
restitution = 1.0
friction = 0.0
[solver]
until = 3000
"#;

/// The samples of a run at times that have nothing to do with its steps, about a thousand while it moves.
fn engine(account: &Account) -> Account {
    let table = &account.table;
    let speeds: Vec<&[f64]> = account
        .scene
        .model
        .v_names()
        .iter()
        .map(|n| table.column(&format!("v.{n}")).unwrap())
        .collect();
    let moves = |k: &usize| speeds.iter().any(|v| v[*k] != 0.0);
    let until =
        (0..table.len()).rev().find(moves).map_or(1.0, |k| table.t()[(k + 1).min(table.len() - 1)]);
    let scene = account.scene.clone();
    let mut live = LiveRun::new(&scene.model, Default::default(), Vec::new());
    let interval = Output::Interval(until / 1000.618);
    let mut simulation = scene.simulation().unwrap();
    let options = Options { output: interval, ..scene.options.hybrid() };
    simulation = simulation.options(options);
    let result = simulation.run_with(until, &mut live);
    live.finish(scene, &result, false, Duration::ZERO)
}

fn worst(account: &Account, document: &RunDocument) -> [f64; 3] {
    let (model, truth) = (&account.scene.model, engine(account));
    let stage = Stage::of(&account.scene);
    let mut posture = Posture::new(model, &stage);
    let (pieces, poses) = (document.pieces(), document.poses.to_f64());
    let com = document.com.to_f64();
    let pick = |letter: &str, names: &[String], i: usize| -> Vec<f64> {
        names.iter().map(|n| truth.table.column(&format!("{letter}.{n}")).unwrap()[i]).collect()
    };
    let gravity = |t: &Table| t.column("energy.gravity").unwrap().to_vec();
    let drawn_gravity =
        document.series.iter().find(|s| s.name == "energy.gravity").unwrap().values.to_f64();
    let t = truth.table.t();
    let B = stage.bodies.len();
    let (mut errors, mut turns, mut energies) = (0.0f64, 0.0f64, 0.0f64);
    let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); 3 * (B + 1)];
    let mut seen = 0;
    for i in 1..t.len() - 1 {
        // At events the engine has two samples; the picture has them as they are.
        if t[i] == t[i - 1] || t[i] == t[i + 1] {
            continue;
        }
        seen += 1;
        let (q, v) = (pick("q", &model.q_names(), i), pick("v", &model.v_names(), i));
        posture.place(&q, &v);
        let spot = pieces.at(t[i]);
        let places = posture.poses().iter().map(|p| p.r).chain([posture.com()]);
        for (b, r) in places.enumerate() {
            for k in 0..3 {
                let drawn = if b < B {
                    spot.number(&poses, 7 * B, 7 * b + k)
                } else {
                    spot.number(&com, 3, k)
                };
                errors = errors.max((drawn - r[k]).abs());
                let range = &mut ranges[3 * b + k];
                *range = (range.0.min(r[k]), range.1.max(r[k]));
            }
        }
        for (b, pose) in posture.poses().iter().enumerate() {
            let at = |k: usize| spot.number(&poses, 7 * B, 7 * b + 3 + k);
            let Q = Vector4::new(at(0), at(1), at(2), at(3)).normalize();
            turns = turns.max((rotation::from_quaternion(&Q) - pose.R).norm());
        }
        let drawn = if drawn_gravity.len() == 1 {
            drawn_gravity[0]
        } else {
            spot.number(&drawn_gravity, 1, 0)
        };
        energies = energies.max((drawn - gravity(&truth.table)[i]).abs());
    }
    assert!(seen > 900, "{seen}");
    // Where everything turns in its place, that is measured by how far the places are from each other.
    let moved = ranges.iter().map(|(a, b)| b - a).fold(0.0, f64::max);
    let apart = |k: usize| {
        let own = (0..=B).map(|b| ranges[3 * b + k]);
        own.clone().map(|r| r.1).fold(f64::MIN, f64::max)
            - own.map(|r| r.0).fold(f64::MAX, f64::min)
    };
    let size = if moved > 1e-6 { moved } else { (0..3).map(apart).fold(0.0, f64::max) };
    let g = gravity(&truth.table);
    let swing =
        g.iter().copied().fold(f64::MIN, f64::max) - g.iter().copied().fold(f64::MAX, f64::min);
    [errors / size.max(1e-9), turns, energies / swing.max(1e-9)]
}

/// At a thousand times of every scene every body is where the engine has it, to ε = 1e-6 of the size of the motion. Each of the four
/// numbers of an orientation is as good as that: together they turn a body by up to 4ε, which changes R by 4√2 ε.
#[test]
fn eq1_pictures_are_the_motion() {
    let mut bad = Vec::new();
    let mut scenes: Vec<(String, Scene)> =
        names().into_iter().map(|n| (n.clone(), load(&n, &[]))).collect();
    // By time steps nothing is known of the motion within a step, and rows at intervals leave out most steps.
    scenes.retain(|(_, scene)| scene.options.solver.scheme != "moreau");
    scenes.push(("long".into(), Scene::parse(LONG, "long.toml").unwrap()));
    for (name, scene) in scenes {
        let account = account_of(scene, &name, &[]);
        let document = RunDocument::new(&account).unwrap();
        let [place, turn, energy] = worst(&account, &document);
        let json = document.to_json().unwrap().len();
        println!(
            "{name:16} {:6} samples {:6} frames {:5} pieces {:8} bytes, ε {:.0e}: {place:.1e} {turn:.1e} {energy:.1e}",
            account.table.len(),
            document.t.len(),
            document.degrees.len(),
            json,
            document.error
        );
        if place > 1e-6 || turn > 4.0 * SQRT_2 * 1e-6 || energy > 1e-5 {
            bad.push(format!("{name}: {place:e} {turn:e} {energy:e}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Eighteen discs between walls, or spheres over a floor, that hit each other: rows at intervals, events that tell some
/// bodies only.
fn crowd(spatial: bool) -> Scene {
    let mut text = String::new();
    if !spatial {
        text.push_str("space = \"planar\"\n");
    }
    for k in 0..18_i32 {
        let (column, row) = (f64::from(k % 6), f64::from(k / 6));
        // Placed and thrown without any symmetry.
        let x = 0.07 * column + 0.011 * row + 0.003 * (1.7 * f64::from(k)).sin();
        let (u, w) = ((2.3 * f64::from(k)).cos(), (3.1 * f64::from(k)).sin());
        let lines = if spatial {
            let y = 0.006 * (0.9 * f64::from(k)).sin();
            let z = 0.05 + 0.08 * row;
            format!(
                "shape = {{ sphere = 0.025 }}\nposition = [{x}, {y}, {z}]\nvelocity = [{u}, 0, {w}]\n\
                 angular_velocity = [{w}, {u}, 3]\n"
            )
        } else {
            let y = 0.05 + 0.08 * row;
            format!("shape = {{ disk = 0.025 }}\nposition = [{x}, {y}]\nvelocity = [{u}, {w}]\n")
        };
        text.push_str(&format!("[body.b{k}]\nmass = 0.1\n{lines}"));
    }
    text.push_str("[body.floor]\nshape = \"plane\"\n[[pile]]\nof = [\"b*\", \"floor\"]\n");
    text.push_str("restitution = 0.8\nfriction = 0.3\n[solver]\nuntil = 0.3\n");
    Scene::parse(&text, "crowd.toml").unwrap()
}

/// Equations (1), (2) of `knots`: pictures of many bodies know the impacts between two rows.
#[test]
fn eq1_pictures_of_many_bodies_are_the_motion() {
    for spatial in [false, true] {
        let account = account_of(crowd(spatial), "crowd", &[]);
        let own = account.events.iter().filter(|e| !e.bodies.is_empty()).count();
        assert!(own > 40, "{own} events");
        let document = RunDocument::new(&account).unwrap();
        let [place, turn, energy] = worst(&account, &document);
        println!("{own} events, {} rows: {place:.1e} {turn:.1e} {energy:.1e}", account.table.len());
        println!("{} frames, told {:.1e}", document.t.len(), document.error);
        assert!(place < 1e-6 && turn < 2e-6 && energy < 1e-5, "{place:e} {turn:e} {energy:e}");
        assert!(document.error <= 1e-6, "{:e}", document.error);
        // Every event has its frame, and there the velocity is that of the event.
        for (event, line) in document.events.iter().zip(&account.events) {
            let t = document.t.to_f64();
            assert_eq!(t[event.frame], line.t);
            let Some(body) = line.bodies.first() else { continue };
            let name = format!("v.{body}.v{}", if spatial { "z" } else { "y" });
            let column = document.series.iter().find(|s| s.name == name).expect("a column");
            let wanted = line.velocity_after[if spatial { 2 } else { 1 }];
            let found = column.values.to_f64()[event.frame];
            assert!((found - wanted).abs() < 1e-6, "t = {}: {found} {wanted}", line.t);
        }
    }
}

/// Equation (4) of `between`: a run that was told to keep samples rarely says how well it can be drawn.
#[test]
fn eq4_rare_samples_are_told() {
    let run = |interval: &str| {
        let set = [&format!("output.interval={interval}")[..], "solver.until=20"];
        let account = account_of(load("pendulum", &set), "pendulum", &set);
        let document = RunDocument::new(&account).unwrap();
        let [place, ..] = worst(&account, &document);
        (place, document)
    };
    for interval in ["0.02", "0.1", "0.2", "0.35", "0.5", "0.8", "1.3"] {
        let (place, document) = run(interval);
        println!("{interval} s: errs by {place:.1e}, told {:.1e}", document.error);
        // An estimate: never less than half of what it is.
        assert!(document.error > 0.5 * place, "{interval} s: {place:e} {:e}", document.error);
        let warned = document.warnings.iter().any(|w| w.contains("samples are rare"));
        assert_eq!(warned, document.error > 1e-4, "{interval} s: {:?}", document.warnings);
    }
    let (place, fine) = run("0.02");
    assert!(place < 1e-6 && fine.error <= 1e-6, "{place:e} {:e}", fine.error);
    assert!(run("1.3").1.error > 1e-2);
}
