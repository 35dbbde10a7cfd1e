//! The figure engine as a user sees it.

use carom_figure::{
    Axis, Band, Clash, Colour, Figure, Guide, Line, Line3, Marker, Note, Panel, Role, Space, Theme,
};

fn grid(from: f64, to: f64, n: usize) -> Vec<f64> {
    (0..n).map(|k| from + (to - from) * k as f64 / (n - 1) as f64).collect()
}

fn map(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().map(|x| f(*x)).collect()
}

#[test]
fn a_million_points_stay_small() {
    let x = grid(0.0, 10.0, 1_000_000);
    let (a, b) = (map(&x, |x| (900.0 * x).sin() * x), map(&x, |x| (1300.0 * x).cos() - x));
    let tangled = Panel::new().x(("a", "m")).y(("b", "m")).line("tangle", &a, &b);
    let over_time = Panel::new().x(("t", "s")).y(("y", "m")).line("a", &x, &a).line("b", &x, &b);
    let figure = Figure::new("Many points").panel(over_time).panel(tangled);
    let svg = figure.svg(Theme::Light);
    assert!(svg.len() < 300_000, "{}", svg.len());
    roxmltree::Document::parse(&svg).unwrap();
}

#[test]
fn the_checker_finds_what_overlaps_and_what_leaves() {
    let long = "a_very_long_name_that_nobody_would_like_to_read_in_a_legend_of_any_figure_at_all_but_here_it_is_in_full_length";
    let panel = Panel::new().x(("t", "s")).y(("y", "m")).line(long, &[0.0, 1.0], &[0.0, 1.0]);
    let clashes = Figure::new("").width(300.0).panel(panel).layout().clashes();
    assert!(
        clashes.iter().any(|c| matches!(c, Clash::Outside(t) if t.text == long)),
        "{clashes:?}"
    );
    let fine = Panel::new().x(("t", "s")).y(("y", "m")).line("y", &[0.0, 1.0], &[0.0, 1.0]);
    let mut layout = Figure::new("Fine").panel(fine).layout();
    assert_eq!(layout.clashes(), []);
    let copy = layout.texts[0].clone();
    layout.texts.push(copy);
    assert!(matches!(layout.clashes()[..], [Clash::Overlap(..)]));
}

#[test]
fn notes_move_apart() {
    let mut panel = Panel::new().x(("t", "s")).y(("y", "m")).line("y", &[0.0, 1.0], &[0.0, 1.0]);
    for k in 0..8 {
        panel = panel.add(Note::new(0.5, 0.5, format!("note number {k}")));
        panel = panel.add(Guide::vertical(0.4 + 0.01 * f64::from(k), format!("guide {k}")));
    }
    let layout = Figure::new("Notes").panel(panel).layout();
    assert_eq!(layout.clashes(), []);
    assert_eq!(layout.texts.iter().filter(|t| t.role == Role::Note).count(), 16);
}

/// A legend never lies over data: where the panel is full it goes above.
#[test]
fn legends_keep_off_the_data() {
    let x = grid(0.0, 1.0, 2000);
    let full = Panel::new().x(("t", "s")).y(("y", "m")).line(
        "everywhere",
        &x,
        &map(&x, |x| (300.0 * x).sin()),
    );
    let free = Panel::new().x(("t", "s")).y(("y", "m")).line("diagonal", &x, &x);
    let place = |panel: Panel| {
        let layout = Figure::new("").panel(panel).layout();
        let legend = layout.texts.iter().find(|t| t.role == Role::Legend).unwrap().clone();
        (legend.y + legend.height, layout.axes[0])
    };
    let (bottom, axes) = place(full);
    assert!(bottom <= axes[1]);
    let (bottom, axes) = place(free);
    assert!(bottom > axes[1] && bottom < axes[3]);
}

#[test]
fn bytes_are_the_same_every_time_and_themes_differ() {
    let t = grid(0.0, 1.0, 50);
    let panel = || {
        Panel::new()
            .x(("t", "s"))
            .y(Axis::new("error", "").log())
            .add(Band::new(
                "bound",
                &t,
                &map(&t, |t| 1e-6 * (1.0 + t)),
                &map(&t, |t| 1e-3 * (1.0 + t)),
            ))
            .add(
                Line::new("error", &t, &map(&t, |t| 1e-5 * (5.0 * t).exp()))
                    .marker(Marker::Cross)
                    .colour(Colour::Series(2)),
            )
    };
    let figure = || Figure::new("Twice").panel(panel()).caption("A caption.");
    for theme in [Theme::Light, Theme::Dark, Theme::Page] {
        assert_eq!(figure().svg(theme), figure().svg(theme));
        assert_eq!(figure().png(theme, 1.0).unwrap(), figure().png(theme, 1.0).unwrap());
    }
    assert_ne!(figure().svg(Theme::Light), figure().svg(Theme::Dark));
    let page = figure().svg(Theme::Page);
    assert!(page.contains("var(--figure-ink,") && !page.contains("fill=\"#"));
    assert!(!page.contains("http://www.w3.org/1999") && !page.contains("@import"));
}

/// Nothing is drawn outside the axes, whatever range is asked for.
#[test]
fn data_outside_the_range_are_cut() {
    let x = grid(-10.0, 10.0, 300);
    let panel = Panel::new()
        .x(Axis::new("x", "m").range(-1.0, 1.0))
        .y(Axis::new("y", "m").range(-1.0, 1.0))
        .add(Line::new("line", &x, &map(&x, |x| x * x * x)).colour(Colour::Series(3)));
    let figure = Figure::new("Cut").panel(panel);
    let axes = figure.layout().axes[0];
    let svg = figure.svg(Theme::Light);
    let colour = Theme::Light.css(Colour::Series(3));
    let document = roxmltree::Document::parse(&svg).unwrap();
    let paths = document.descendants().filter(|n| n.attribute("stroke") == Some(colour.as_str()));
    let numbers: Vec<f64> = paths
        .flat_map(|n| {
            n.attribute("d").unwrap().split(['M', 'L', ' ']).map(str::to_owned).collect::<Vec<_>>()
        })
        .filter_map(|n| n.parse().ok())
        .collect();
    assert!(numbers.len() > 20);
    for pair in numbers.chunks(2) {
        assert!(pair[0] >= axes[0] - 0.01 && pair[0] <= axes[2] + 0.01, "{pair:?} {axes:?}");
        assert!(pair[1] >= axes[1] - 0.01 && pair[1] <= axes[3] + 0.01, "{pair:?} {axes:?}");
    }
}

#[test]
fn empty_and_odd_data_are_no_trouble() {
    let odd = Panel::new().x(("t", "s")).y(("y", "m")).line("nothing", &[], &[]).line(
        "not finite",
        &[0.0, 1.0, f64::NAN],
        &[f64::INFINITY, f64::NAN, 0.0],
    );
    let figure = Figure::new("Odd").panel(odd).panel(Panel::new());
    assert!(figure.is_empty());
    roxmltree::Document::parse(&figure.svg(Theme::Light)).unwrap();
    assert!(figure.png(Theme::Light, 1.0).is_ok());
    assert!(Figure::new("").png(Theme::Light, 1e9).is_err());
    let error = Figure::new("").png(Theme::Light, f64::NAN).unwrap_err();
    assert!(error.hint().contains("SVG"));
}

#[test]
fn three_axes_have_labels_and_numbers() {
    let helix: Vec<[f64; 3]> =
        grid(0.0, 6.0, 100).iter().map(|s| [s.cos(), s.sin(), 0.3 * s]).collect();
    let space = Space::new(("u₁", "m/s"), ("u₂", "m/s"), ("uₙ", "m/s"))
        .line(Line3::new("path", helix).shadow())
        .level(1.0);
    let layout = Figure::new("Helix").width(420.0).panel(Panel::space(space)).layout();
    assert_eq!(layout.clashes(), []);
    for label in ["u₁ / (m/s)", "u₂ / (m/s)", "uₙ / (m/s)"] {
        assert!(layout.texts.iter().any(|t| t.text == label), "{label}");
    }
    assert!(layout.texts.iter().filter(|t| t.role == Role::Tick).count() >= 8);
}

/// On paper: as wide as asked for, letters of the size asked for, no heading, and a PDF whose parts are where it says.
#[test]
fn paper_has_its_own_layout() {
    let (x, y) = ([0.0, 1.0, 2.0], [0.0, 1.0, 0.5]);
    let figure = Figure::new("Heading")
        .panel(Panel::new().x(("t", "s")).y(("x", "m")).line("a line", &x, &y))
        .print(85.0, 8.0)
        .untitled();
    let layout = figure.layout();
    // 11 units are 8 points, 85 mm are 240.94 points.
    assert!((layout.width - 85.0 * 72.0 / 25.4 * 11.0 / 8.0).abs() < 0.01, "{}", layout.width);
    assert!(layout.clashes().is_empty());
    assert!(layout.texts.iter().all(|t| t.text != "Heading"));
    assert!(figure.svg(Theme::Light).contains("width=\"85mm\""));
    let bytes = figure.pdf(Theme::Light);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with("%PDF-1.4") && text.ends_with("%%EOF\n"));
    assert!(text.contains("/MediaBox [0 0 240.945 "));
    let start: usize =
        text.rsplit("startxref\n").next().unwrap().lines().next().unwrap().parse().unwrap();
    assert!(text[start..].starts_with("xref\n"));
    for (k, line) in text[start..].lines().skip(3).take(5).enumerate() {
        let place: usize = line[..10].parse().unwrap();
        assert!(text[place..].starts_with(&format!("{} 0 obj", k + 1)));
    }
    let length: usize =
        text.split("/Length ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let stream = text.find("stream\n").unwrap() + 7;
    assert!(text[stream + length..].starts_with("endstream"));
}
