//! Pictures of a dataset: what is drawn, that no texts overlap, and what cannot be drawn.

use carom_figure::{Figure, Theme};
use carom_study::dataset::{Reader, Store};
use carom_study::pictures::{Kind, Picture, Way};
use carom_study::sampling::{Parameter, Plan};
use carom_study::{Ask, Study, StudyError, Work};
use carom_testing::Scratch;
use std::path::Path;

const BALL: &str = r#"
[body.ball]
mass = 0.1
shape = { sphere = 0.05 }
position = [0, 0, 1.05]
[body.ground]
shape = "plane"
[[contact]]
between = ["ball", "ground"]
restitution = 0.5
friction = 0.3
[solver]
until = 1.5
"#;

fn dataset(dir: &Path) -> Reader {
    let vary = [
        "contact.0.restitution=0:0.9:10",
        "body.ball.mass=1:2:6",
        "law.formulation=[newton, poisson]",
    ];
    let vary = vary.iter().map(|v| Parameter::read(v).unwrap()).collect();
    let results =
        [("third", "time(impact, 3)"), ("t", "last(impact, 4, t)"), ("lost", "energy.lost")];
    let results = results.iter().map(|(n, e)| (n.to_string(), e.to_string())).collect();
    let plan = Plan::new(vary, None, None, 1).unwrap();
    let ask = Ask { plan, results, part_rows: 32, ..Ask::of_scene(BALL, "ball.toml") };
    let study = Study::new(ask).unwrap();
    let store = Store::open(dir, study.manifest(), (study.plan(), study.results()), &[]).unwrap();
    let work = Work { study: &study, threads: 2, stop: &Default::default(), keep: None };
    work.run(store, &mut |_| {}).unwrap();
    Reader::open(dir).unwrap()
}

fn picture(kind: Kind, x: &[&str], y: Option<&str>, value: Option<&str>) -> Picture {
    Picture {
        kind,
        x: x.iter().map(|x| x.to_string()).collect(),
        y: y.map(String::from),
        value: value.map(String::from),
        condition: None,
        labels: vec![("lost".into(), "energy lost".into(), "J".into())],
        marks: Vec::new(),
        title: Some("A ball".into()),
    }
}

#[test]
fn every_sort_is_drawn_without_clashes() {
    let dir = Scratch::new("pictures");
    let reader = dataset(dir.folder());
    let (e, m) = ("contact.0.restitution", "body.ball.mass");
    let draw = |p: &Picture| -> Figure {
        let figure = p.draw(&reader).unwrap();
        assert_eq!(figure.layout().clashes(), [], "{:?}", p.kind);
        assert!(!figure.is_empty());
        assert_eq!(figure.svg(Theme::Light), p.draw(&reader).unwrap().svg(Theme::Light));
        figure
    };
    let words = |figure: &Figure| -> Vec<String> {
        figure.layout().texts.iter().map(|t| t.text.clone()).collect()
    };
    draw(&picture(Kind::Scatter, &[e], Some("third"), Some("law.formulation")));
    draw(&picture(Kind::Bifurcation, &[e], Some("t"), None));
    let map = draw(&picture(Kind::Map, &[e], Some(m), Some("lost")));
    assert!(words(&map).iter().any(|w| w.contains("energy lost") && w.contains("120 runs")));
    let basin = draw(&picture(Kind::Basin, &[e], Some(m), Some("law.formulation")));
    assert!(words(&basin).iter().any(|w| w == "law.formulation = newton"), "{:?}", words(&basin));
    draw(&picture(Kind::Parallel, &[e, m, "lost"], None, Some("lost")));
    let bars = draw(&picture(Kind::Histogram, &["lost", "third"], None, None));
    assert!(words(&bars).iter().any(|w| w.contains("values do not exist")), "{:?}", words(&bars));
    let half = Picture {
        condition: Some("contact.0.restitution > 0.45".into()),
        ..picture(Kind::Histogram, &["lost"], None, None)
    };
    assert!(words(&draw(&half)).iter().any(|w| w == "60 runs."));
}

#[test]
fn what_cannot_be_drawn() {
    let dir = Scratch::new("no-pictures");
    let reader = dataset(dir.folder());
    let fault = |p: Picture| -> String { p.draw(&reader).unwrap_err().to_string() };
    assert_eq!(
        fault(picture(Kind::Scatter, &["lost"], None, None)),
        "scatter needs a column for --y"
    );
    assert_eq!(
        fault(picture(Kind::Scatter, &["lost", "third"], Some("lost"), None)),
        "scatter needs one column for --x"
    );
    assert!(fault(picture(Kind::Histogram, &["lots"], None, None)).contains("did you mean `lost`"));
    assert!(
        fault(picture(Kind::Histogram, &["law.formulation"], None, None))
            .contains("at least one row")
    );
    assert_eq!(
        fault(picture(Kind::Parallel, &["lost"], None, None)),
        "parallel needs at least two columns for --x"
    );
    let none = Picture {
        condition: Some("lost < 0".into()),
        ..picture(Kind::Histogram, &["lost"], None, None)
    };
    assert!(matches!(none.draw(&reader), Err(StudyError::Picture { .. })));
    let wrong = Picture {
        condition: Some("lots < 0".into()),
        ..picture(Kind::Histogram, &["lost"], None, None)
    };
    assert!(fault(wrong).contains("`lots` is not known; did you mean `lost`?"));
}

/// The data of a page, as its script reads it.
fn data(html: &str) -> serde_json::Value {
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn points_of_a_page_lie_where_the_picture_has_them() {
    let dir = Scratch::new("page");
    let reader = dataset(dir.folder());
    let (e, m) = ("contact.0.restitution", "body.ball.mass");
    let way = Way {
        command: "carom report ball.toml".into(),
        kept: [(3, "../runs/x.html".to_string())].into(),
    };
    for p in [
        picture(Kind::Scatter, &[e], Some("lost"), None),
        picture(Kind::Map, &[e], Some(m), Some("lost")),
    ] {
        let page = p.page(&reader, &way).unwrap();
        let data = data(&page);
        let [left, top, right, bottom] = p.draw(&reader).unwrap().layout().axes[0];
        let points = data["points"].as_array().unwrap();
        let at = |point: &serde_json::Value, k: usize| point[k].as_f64().unwrap();
        // The law changes nothing for one ball: of two rows at a place there is one point.
        assert_eq!(points.len(), 60);
        for point in points {
            assert!(at(point, 0) > left && at(point, 0) < right);
            assert!(at(point, 1) > top && at(point, 1) < bottom);
            // Rows are ordered by restitution, and so are their points from left to right.
            let row = &data["rows"][point[2].to_string()];
            let e: f64 = row[1].as_str().unwrap().parse().unwrap();
            let first = points.iter().find(|p| p[2] == 0).unwrap();
            let last = points.iter().find(|p| p[2].as_u64().unwrap() >= 108).unwrap();
            let part = (at(point, 0) - at(first, 0)) / (at(last, 0) - at(first, 0));
            assert!((part - e / 0.9).abs() < 1e-3, "{part} {e}");
        }
        assert_eq!(data["values"], serde_json::json!([e, m, "law.formulation"]));
        assert_eq!(data["kept"]["3"], "../runs/x.html");
        // Nothing comes from elsewhere: addresses are names of SVG.
        assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/").count());
    }
    let bars = picture(Kind::Histogram, &["lost"], None, None);
    let fault = bars.page(&reader, &way).unwrap_err().to_string();
    assert!(fault.contains("histogram needs two axes to be a page"), "{fault}");
}

/// Whatever a title says, it ends no element.
#[test]
fn texts_of_a_page_are_texts() {
    let dir = Scratch::new("page-texts");
    let reader = dataset(dir.folder());
    let title = "a < b & </title><script>alert(1)</script>";
    let p = Picture {
        title: Some(title.into()),
        ..picture(Kind::Scatter, &["lost"], Some("third"), None)
    };
    let way = Way { command: "</script><script>alert(2)".into(), ..Way::default() };
    let page = p.page(&reader, &way).unwrap();
    assert_eq!(page.matches("<script").count(), 2, "its own");
    assert_eq!(data(&page)["command"], "</script><script>alert(2)");
}
