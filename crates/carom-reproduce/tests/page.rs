//! The page and the folder of a reproduction.

use std::fs;

use carom_reproduce::{
    Context, Outcome, Record, Report, Shelf, Stamp, Trouble, find, johnson, page, run_all,
};
use carom_testing::Scratch;

const FAST: Context = Context { fast: true };

fn reports() -> Vec<Report> {
    let names = ["johnson-ball", "hurmuzlu-plastic"];
    let experiments: Vec<_> = names.iter().filter_map(|n| find(n)).collect();
    run_all(&experiments, &FAST, 2, |_| {})
}

fn records() -> Vec<Record> {
    reports().iter().map(Record::of).collect()
}

#[test]
fn the_page_stands_alone() {
    let text = page(&records(), &Stamp::at(1_794_837_780));
    for word in
        ["johnson-ball", "hurmuzlu-plastic", "<svg", "agrees", "differs", "prefers-color-scheme"]
    {
        assert!(text.contains(word), "{word}");
    }
    // Nothing is fetched: no scripts, style sheets or pictures from elsewhere.
    for word in ["<script", "<link", "<img", "src=", "@import", "url(http"] {
        assert!(!text.contains(word), "{word}");
    }
    for tag in ["section", "table", "figure", "svg", "div", "nav", "main", "fieldset", "label", "q"]
    {
        let opened =
            text.matches(&format!("<{tag} ")).count() + text.matches(&format!("<{tag}>")).count();
        assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

/// Quotation, page, cause, data, date, and the choices of the filter with their numbers.
#[test]
fn the_page_says_where_why_and_when() {
    let text = page(&records(), &Stamp::at(1_794_837_780));
    for words in [
        "<q>The difference in energy curves are almost indistinguishable</q>",
        "in pp. 82–92",
        "<span class=\"cause\">source in error</span>",
        "<b>Source in error.</b> With λ = 0 it gives z̈ = +g",
        "<b>Open.</b> The posture is inferred",
        "<a href=\"hurmuzlu-plastic/figure7.csv\">figure7.csv</a>",
        "<a href=\"johnson-ball/ball.png\">PNG</a>",
        "2026-11-16 14:03 UTC",
        "id=\"show-differs\"> differs <span>2</span>",
        "id=\"show-cause-source\"> source in error <span>1</span>",
        "id=\"show-own\"> carom's own <span>0</span>",
        "<div class=\"claim differs cause-open\" id=\"hurmuzlu-plastic-3\"",
    ] {
        assert!(text.contains(words), "{words}");
    }
}

#[test]
fn a_failed_experiment_is_said_to_have_failed() {
    let trouble = Trouble::Absent { experiment: "x", what: "the <impact>".into() };
    let failed = Report { experiment: &johnson::BALL, result: Err(trouble), seconds: 0.1 };
    let text = page(&[Record::of(&failed)], &Stamp::at(0));
    assert!(text.contains("Not computed: x: the &lt;impact&gt; was not found"));
}

#[test]
fn a_folder_holds_data_figures_page_and_summary() {
    let scratch = Scratch::new("reproduction");
    let folder = scratch.path("it");
    let shelf = Shelf::open(&folder, "this build", &FAST).expect("opened");
    let records: Vec<_> = reports().iter().map(|r| shelf.put(r).expect("written")).collect();
    shelf.finish(&records, &Stamp::at(0)).expect("finished");
    for file in [
        "index.html",
        "summary.json",
        "verdicts.csv",
        "johnson-ball/ball.csv",
        "hurmuzlu-plastic/figure7.csv",
        "hurmuzlu-plastic/figure7.svg",
    ] {
        assert!(fs::metadata(folder.join(file)).is_ok_and(|m| m.len() > 100), "{file}");
    }
    let png = fs::read(folder.join("hurmuzlu-plastic/figure7.png")).expect("a picture");
    assert!(png.starts_with(b"\x89PNG"));
    let summary = fs::read_to_string(folder.join("summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    assert_eq!(summary["experiments"][0]["verdicts"]["agrees"], 3);
    assert_eq!(summary["experiments"][1]["claims"][2]["verdict"], "differs");
    assert_eq!(summary["experiments"][1]["claims"][2]["cause"], "open");
    assert_eq!(summary["sources"]["differs"], 2);
    assert_eq!(summary["causes"]["source in error"], 1);
    assert_eq!(summary["date"], "1970-01-01 00:00");
    // The verdicts of a reproduction of everything are kept; these experiments give the same in any form.
    let kept = fs::read_to_string(carom_testing::root().join("experiments/verdicts.csv")).unwrap();
    let verdicts = fs::read_to_string(folder.join("verdicts.csv")).unwrap();
    assert_eq!(kept.lines().next(), verdicts.lines().next());
    let ours: Vec<&str> = verdicts.lines().filter(|l| l.starts_with("johnson-ball,")).collect();
    assert_eq!(ours.len(), 4);
    assert!(ours.iter().all(|line| kept.lines().any(|k| k == *line)), "{verdicts}");
}

/// What is there is taken over: same page, byte by byte. Not what another build or form computed, nor what lost a file.
#[test]
fn a_killed_reproduction_goes_on() {
    let scratch = Scratch::new("resume");
    let folder = scratch.path("it");
    let shelf = Shelf::open(&folder, "this build", &FAST).expect("opened");
    let all = reports();
    // Killed after the first experiment: no page, an unfinished summary.
    let first = shelf.put(&all[0]).expect("written");
    let again = Shelf::open(&folder, "this build", &FAST).expect("opened again");
    assert_eq!(again.kept(&johnson::BALL).as_ref(), Some(&first));
    assert_eq!(again.kept(find("hurmuzlu-plastic").unwrap()), None);
    let second = again.put(&all[1]).expect("written");
    let kept = again.kept(find("hurmuzlu-plastic").unwrap()).expect("kept");
    let stamp = Stamp::at(0);
    assert_eq!(
        page(&[first, second], &stamp),
        page(&[again.kept(&johnson::BALL).unwrap(), kept], &stamp)
    );
    let other = Shelf::open(&folder, "another build", &FAST).expect("opened");
    assert_eq!(other.kept(&johnson::BALL), None);
    let whole = Shelf::open(&folder, "this build", &Context { fast: false }).expect("opened");
    assert_eq!(whole.kept(&johnson::BALL), None);
    fs::remove_file(folder.join("johnson-ball/ball.csv")).expect("removed");
    assert_eq!(shelf.kept(&johnson::BALL), None);
}

/// Files of an earlier record go when the experiment is computed again; those of the user stay.
#[test]
fn stale_files_go_and_foreign_ones_stay() {
    let scratch = Scratch::new("stale");
    let folder = scratch.path("it");
    let shelf = Shelf::open(&folder, "a", &FAST).expect("opened");
    let mut all = reports();
    if let Ok(outcome) = &mut all[0].result {
        outcome.data[0].name = "old".into();
    }
    shelf.put(&all[0]).expect("written");
    fs::write(folder.join("johnson-ball/mine.txt"), "mine").expect("written");
    assert!(folder.join("johnson-ball/old.csv").is_file());
    shelf.put(&reports()[0]).expect("written");
    assert!(!folder.join("johnson-ball/old.csv").exists());
    assert!(folder.join("johnson-ball/ball.csv").is_file());
    assert!(folder.join("johnson-ball/mine.txt").is_file());
}

#[test]
fn a_foreign_folder_is_left_alone() {
    let scratch = Scratch::new("foreign");
    let folder = scratch.path("it");
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("summary.json"), "{}").expect("written");
    let result = Shelf::open(&folder, "a", &FAST);
    assert!(matches!(result, Err(Trouble::Foreign { .. })));
    assert_eq!(fs::read_to_string(folder.join("summary.json")).expect("kept"), "{}");
}

#[test]
fn data_are_the_same_bytes_every_time() {
    let csv = |outcome: &Outcome| outcome.data.iter().map(|d| d.csv()).collect::<Vec<_>>();
    let (a, b) = (reports(), reports());
    for (a, b) in a.iter().zip(&b) {
        let (Ok(a), Ok(b)) = (&a.result, &b.result) else { panic!("an experiment failed") };
        assert_eq!(csv(a), csv(b));
    }
}

/// Two experiments tell of the run `a`: tile, row of the table and summary count it once, and say how the ratio varies over
/// the repetitions and from run to run.
#[test]
fn the_speed_ratio_counts_each_run_once_and_says_how_it_varies() {
    let report = |name: &str, timings: &[(&str, f64, [f64; 3])]| {
        let mut outcome = Outcome::new("");
        for (run, published, ours) in timings {
            outcome.published_timing("a run", *run, *published, ours.to_vec());
        }
        outcome.timing("one that no source has", 1000.0);
        let experiment = find(name).unwrap();
        Report { experiment, result: Ok(outcome), seconds: 0.1 }
    };
    // By medians 100 s over 0.4 s; by the slowest over 0.8 s, by the fastest over 0.3 s.
    let (a, b) = (("a", 60.0, [0.3, 0.25, 0.4]), ("b", 40.0, [0.05, 0.1, 0.4]));
    let again = ("a", 900.0, [0.3, 0.3, 0.3]);
    let reports = [report("johnson-ball", &[a, b]), report("johnson-slope", &[again])];
    let scratch = Scratch::new("speed");
    let folder = scratch.path("it");
    let shelf = Shelf::open(&folder, "this build", &FAST).expect("opened");
    let records: Vec<_> = reports.iter().map(|r| shelf.put(r).expect("written")).collect();
    let text = page(&records, &Stamp::at(0));
    let tile = "<b>250×</b> faster, 125 to 333 over 3 repetitions of 2 runs, each counted once: published 100 s CPU, carom 400 ms wall; \
                200 to 400 by run";
    assert!(text.contains(tile), "{:?}", text.find("faster").map(|i| &text[i - 20..i + 200]));
    // The table has each experiment by itself.
    for cells in ["100 s</td><td class=\"n\">250×", "900 s</td><td class=\"n\">3\u{202f}000×"] {
        assert!(text.contains(cells), "{cells}: {text}");
    }
    shelf.finish(&records, &Stamp::at(0)).expect("finished");
    let summary = fs::read_to_string(folder.join("summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let speed = &summary["speed"];
    assert_eq!((&speed["runs"], &speed["repetitions"]), (&2.into(), &3.into()), "{speed}");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number").round();
    assert_eq!(number(&speed["ratio"]), 250.0);
    assert_eq!([0, 1].map(|i| number(&speed["range"][i])), [125.0, 333.0]);
    assert_eq!([0, 1].map(|i| number(&speed["by_run"][i])), [200.0, 400.0]);
}
