//! The page and the folder of a reproduction.

use std::fs;

use carom_reproduce::{Context, Outcome, Report, Trouble, find, johnson, page, run_all, write};
use carom_testing::Scratch;

const FAST: Context = Context { fast: true };

fn reports() -> Vec<Report> {
    let names = ["johnson-ball", "hurmuzlu-plastic"];
    let experiments: Vec<_> = names.iter().filter_map(|n| find(n)).collect();
    run_all(&experiments, &FAST, 2, |_| {})
}

#[test]
fn the_page_stands_alone() {
    let text = page(&reports(), 1.0);
    for word in
        ["johnson-ball", "hurmuzlu-plastic", "<svg", "agrees", "differs", "prefers-color-scheme"]
    {
        assert!(text.contains(word), "{word}");
    }
    // Nothing is fetched: no scripts, style sheets or pictures from elsewhere.
    for word in ["<script", "<link", "<img", "src=", "@import", "url(http"] {
        assert!(!text.contains(word), "{word}");
    }
    for tag in ["section", "table", "figure", "svg", "div", "nav", "main"] {
        let opened =
            text.matches(&format!("<{tag} ")).count() + text.matches(&format!("<{tag}>")).count();
        assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_failed_experiment_is_said_to_have_failed() {
    let trouble = Trouble::Absent { experiment: "x", what: "the <impact>".into() };
    let failed = Report { experiment: &johnson::BALL, result: Err(trouble), seconds: 0.1 };
    let text = page(&[failed], 0.1);
    assert!(text.contains("Not computed: x: the &lt;impact&gt; was not found"));
}

#[test]
fn a_folder_holds_data_figures_page_and_summary() {
    let scratch = Scratch::new("reproduction");
    let folder = scratch.path("it");
    write(&folder, &reports(), 1.5).expect("written");
    for file in [
        "index.html",
        "summary.json",
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
    // Once more: its own folder is written over.
    write(&folder, &[], 0.0).expect("written again");
}

#[test]
fn a_foreign_folder_is_left_alone() {
    let scratch = Scratch::new("foreign");
    let folder = scratch.path("it");
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("summary.json"), "{}").expect("written");
    let result = write(&folder, &[], 0.0);
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
