//! Every plot of every scene: not empty, labelled with units, no text over another, valid files.
//!
//! `CAROM_PLOTS=DIR cargo test -p carom-report --test plots` also writes the pictures there, to be looked at.

mod support;

use carom_figure::{Figure, Role, Theme};
use carom_report::Account;
use carom_report::plots::{Plot, PlotKind, RunPlots};
use std::collections::BTreeMap;
use support::scenes::{account, names};

fn plots(account: &Account) -> Vec<Plot> {
    RunPlots::new(account).unwrap().all()
}

/// Writes pictures where they are asked for.
fn keep(scene: &str, plot: &Plot) {
    let Some(dir) = std::env::var_os("CAROM_PLOTS") else { return };
    let dir = std::path::PathBuf::from(dir).join(scene);
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join(format!("{}.svg", plot.name)), plot.figure.svg(Theme::Light)).unwrap();
    std::fs::write(
        dir.join(format!("{}.png", plot.name)),
        plot.figure.png(Theme::Light, 1.5).unwrap(),
    )
    .unwrap();
}

/// Faults of one figure.
fn faults(figure: &Figure) -> Vec<String> {
    let layout = figure.layout();
    let mut found: Vec<String> = layout.clashes().iter().map(ToString::to_string).collect();
    if figure.is_empty() || layout.texts.is_empty() {
        found.push("empty".into());
    }
    if figure.panels().iter().any(|p| p.is_empty()) {
        found.push("a panel is empty".into());
    }
    for k in 0..figure.panels().len() {
        let has = |role: Role| layout.texts.iter().any(|t| t.panel == Some(k) && t.role == role);
        if !has(Role::Tick) {
            found.push(format!("panel {k} has no numbers"));
        }
    }
    let labels: Vec<&str> = layout
        .texts
        .iter()
        .filter(|t| matches!(t.role, Role::XLabel | Role::YLabel))
        .map(|t| t.text.as_str())
        .collect();
    if labels.is_empty() {
        found.push("no axis has a label".into());
    }
    // Quaternions and friction coefficients are pure numbers; everything else has a unit.
    let pure =
        |label: &str| label.starts_with("quaternion") || label.starts_with("friction coefficient");
    found.extend(
        labels
            .iter()
            .filter(|l| !l.contains(" / ") && !pure(l))
            .map(|l| format!("`{l}` has no unit")),
    );
    found
}

/// The posture of table 6.2 that Flickinger (2011) found best for the jumping leg.
const OPTIMUM: [&str; 5] = [
    "body.body.position=[0, 0.1746413789512768, 0]",
    "body.body.rotation=[0.52, -0.5, -0.46]",
    "initial.motor.coxa=0.15",
    "initial.motor.femur=0.03",
    "initial.motor.tibia=0.67",
];

#[test]
fn every_plot_of_every_scene() {
    let mut bad = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let own: Vec<(String, &[&str])> = names().into_iter().map(|name| (name, &[][..])).collect();
    // The leg's motors do nothing from its own start.
    for (scene, overrides) in own.into_iter().chain([("jumper".into(), &OPTIMUM[..])]) {
        let account = account(&scene, overrides);
        for plot in plots(&account) {
            if overrides.is_empty() || plot.kind == PlotKind::Torques {
                *counts.entry(plot.kind.word()).or_default() += 1;
            }
            keep(&scene, &plot);
            bad.extend(
                faults(&plot.figure).into_iter().map(|f| format!("{scene}/{}: {f}", plot.name)),
            );
            let svg = plot.figure.svg(Theme::Light);
            let tree = roxmltree::Document::parse(&svg).unwrap();
            assert!(
                tree.descendants().filter(|n| n.has_tag_name("path")).count() > 20,
                "{scene}/{}",
                plot.name
            );
            // Curves with dozens of jumps have some 20 kB each; the 36 coordinates of a dozen dominoes are the largest.
            assert!(svg.len() < 700_000, "{scene}/{}: {} bytes", plot.name, svg.len());
        }
    }
    assert!(bad.is_empty(), "{} faults:\n{}", bad.len(), bad.join("\n"));
    // No sort of plot is missing, and motion, coordinates, speeds, energy are there for every scene.
    for kind in PlotKind::ALL {
        assert!(counts.contains_key(kind.word()), "{kind:?}");
    }
    for word in ["overview", "motion", "coordinates", "speeds", "energy"] {
        assert_eq!(counts[word], names().len(), "{word}");
    }
    assert_eq!(counts["torques"], 1, "motors that do nothing have no plot");
}

#[test]
fn pictures_decode_and_are_not_blank() {
    let account = account("double_pendulum", &[]);
    for plot in plots(&account) {
        for theme in [Theme::Light, Theme::Dark] {
            let bytes = plot.figure.png(theme, 1.0).unwrap();
            let picture = tiny_skia::Pixmap::decode_png(&bytes).unwrap();
            let paper = picture.pixel(0, 0).unwrap();
            let drawn = picture.pixels().iter().filter(|p| **p != paper).count();
            assert!(drawn * 50 > picture.pixels().len(), "{}: {drawn} pixels", plot.name);
        }
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let draw = || {
        let account = account("bicycle", &["solver.until=2"]);
        let all = plots(&account);
        all.iter()
            .map(|p| (p.figure.svg(Theme::Page), p.figure.png(Theme::Light, 1.0).unwrap()))
            .collect::<Vec<_>>()
    };
    assert!(draw() == draw());
}

#[test]
fn a_window_shows_only_its_time() {
    let account = account("ball", &[]);
    let whole = RunPlots::new(&account).unwrap().of(PlotKind::Energy);
    let part = RunPlots::new(&account).unwrap().between(None, Some(0.2)).of(PlotKind::Energy);
    let ticks = |plots: &[Plot]| {
        let layout = plots[0].figure.layout();
        let x: Vec<f64> = layout
            .texts
            .iter()
            .filter(|t| t.role == Role::Tick && t.y > layout.axes.last().unwrap()[3])
            .filter_map(|t| t.text.parse().ok())
            .collect();
        x.into_iter().fold(0.0, f64::max)
    };
    // The ball rests at 1.3546 s; the plot goes on for 12 % of that.
    assert!(ticks(&whole) > 1.3 && ticks(&whole) < 1.6, "{}", ticks(&whole));
    assert!(ticks(&part) > 0.15 && ticks(&part) <= 0.2, "{}", ticks(&part));
    // Before the first impact nothing touches.
    let forces = RunPlots::new(&account).unwrap().between(None, Some(0.2)).of(PlotKind::Forces);
    assert!(forces.is_empty());
}

/// Captions count impacts as the summary does: every event in which velocities jump.
#[test]
fn captions_count_impacts_as_the_summary_does() {
    for name in ["double_pendulum", "box_drop", "bicycle"] {
        let account = account(name, &[]);
        let plots = RunPlots::new(&account).unwrap().of(PlotKind::Motion);
        let texts: String =
            plots[0].figure.layout().texts.iter().map(|t| t.text.clone() + " ").collect();
        let wanted = format!("{} impacts in all", account.summary.counts.impacts);
        assert!(texts.contains(&wanted), "{name}: {wanted} in {texts}");
    }
}

/// A joint's stop has torques, and frictionless contacts are closed, not stuck.
#[test]
fn stops_have_torques_and_are_closed() {
    let account = account("stop", &[]);
    let run = RunPlots::new(&account).unwrap();
    let texts = |kind: PlotKind| -> Vec<String> {
        run.of(kind)[0].figure.layout().texts.iter().map(|t| t.text.clone()).collect()
    };
    let forces = texts(PlotKind::Forces);
    assert!(forces.contains(&"torque / (N·m)".into()), "{forces:?}");
    assert!(forces.contains(&"angular impulse / (N·m·s)".into()), "{forces:?}");
    assert!(texts(PlotKind::Modes).contains(&"closed".into()));
}
