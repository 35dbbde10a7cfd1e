//! Every sort of panel in one place: `cargo run -p carom-figure --example gallery -- DIR`.

use carom_figure::{
    Area, Arrow, Axis, Band, BarSort, Colour, Dash, Figure, Ground, Guide, Hatch, Line, Line3,
    Marker, Note, Panel, Space, Stems, Theme, Timeline,
};
use std::path::PathBuf;

fn grid(from: f64, to: f64, n: usize) -> Vec<f64> {
    (0..n).map(|k| from + (to - from) * k as f64 / (n - 1) as f64).collect()
}

fn map(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().map(|x| f(*x)).collect()
}

fn curves() -> Figure {
    let t = grid(0.0, 2.0, 400);
    let many = (0..6).fold(
        Panel::new().title("Six series").x(("t", "s")).y(("speed", "m/s")),
        |panel, k| {
            panel.line(
                format!("series {k}"),
                &t,
                &map(&t, |t| (3.0 * t + 0.7 * f64::from(k)).sin()),
            )
        },
    );
    let band = Panel::new()
        .title("Band, guides and notes")
        .x(("t", "s"))
        .y(("energy", "J"))
        .add(
            Band::new(
                "bound",
                &t,
                &map(&t, |t| 2e-5 * (-t).exp()),
                &map(&t, |t| 4e-5 * (-t).exp()),
            )
            .hatch(Hatch::Rising),
        )
        .line("energy", &t, &map(&t, |t| 3e-5 * (-t).exp()))
        .add(Guide::vertical(0.5, "first impact"))
        .add(Guide::vertical(0.55, "second impact"))
        .add(Guide::horizontal(1e-5, "limit"))
        .note(1.0, 3e-5 * (-1f64).exp(), "a point");
    let error = Panel::new()
        .title("Logarithmic")
        .x(Axis::new("step", "s").log())
        .y(Axis::new("error", "").log())
        .add(
            Line::new("fourth order", &[1e-4, 1e-3, 1e-2], &[1e-13, 1e-9, 1e-5])
                .marker(Marker::Square),
        )
        .add(
            Line::new("fifth order", &[1e-4, 1e-3, 1e-2], &[1e-16, 1e-11, 1e-6])
                .marker(Marker::Circle),
        );
    let impulses = Panel::new()
        .title("Two scales")
        .x(("t", "s"))
        .y(("force", "N"))
        .right(("impulse", "N·s"))
        .line("normal force", &t, &map(&t, |t| 50.0 + 20.0 * (5.0 * t).cos()))
        .add(Stems::new("normal impulse", &[0.3, 0.8, 1.1, 1.3], &[0.8, 0.4, 0.2, 0.1]).right());
    Figure::new("Curves")
        .columns(2)
        .width(860.0)
        .panel(many)
        .panel(band)
        .panel(error)
        .panel(impulses)
        .caption("Every figure may have a caption that says what is to be seen; it is set in the width of the figure and broken into lines at spaces, however long it may be, as this one shows.")
}

fn pictures() -> Figure {
    let square = |x: f64, y: f64, a: f64| {
        let (s, c) = a.sin_cos();
        [[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]]
            .map(|p| [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1]])
            .to_vec()
    };
    let path = grid(0.0, 2.0, 60);
    let picture = Panel::new()
        .title("A block and its surface")
        .x(("x", "m"))
        .y(("y", "m"))
        .equal()
        .add(Ground::new([0.0, 0.0], [-0.26, 0.97]))
        .add(
            Area::new(square(0.0, 1.0, 0.4))
                .hollow()
                .edge(Colour::Soft, 1.0, Dash::Dashed)
                .name("start"),
        )
        .add(Area::new(square(2.0, 1.2, 0.9)).name("end"))
        .add(
            Line::new("path", &path, &map(&path, |x| 1.0 + x * (2.1 - x)))
                .colour(Colour::Series(0)),
        )
        .add(Arrow::new([2.0, 0.6], [2.0, 1.1]).colour(Colour::Series(1)).name("impulse"))
        .add(Note::new(2.0, 0.6, "contact"));
    let mut bars = Timeline::new(
        vec!["foot".into(), "heel".into()],
        vec![
            BarSort::new("open", Colour::Paper, 1.0, Hatch::None),
            BarSort::new("stick", Colour::Series(0), 0.9, Hatch::None),
            BarSort::new("slip", Colour::Series(4), 0.9, Hatch::Rising),
        ],
    );
    for (row, sort, a, b) in
        [(0, 0, 0.0, 0.4), (0, 2, 0.4, 0.9), (0, 1, 0.9, 2.0), (1, 0, 0.0, 1.2), (1, 1, 1.2, 2.0)]
    {
        bars.bar(row, sort, a, b);
    }
    let helix: Vec<[f64; 3]> = grid(0.0, 1.0, 200)
        .iter()
        .map(|s| [(1.0 - s) * (9.0 * s).cos(), (1.0 - s) * (9.0 * s).sin(), -2.0 + 3.0 * s])
        .collect();
    let space = Space::new(("u₁", "m/s"), ("u₂", "m/s"), ("uₙ", "m/s"))
        .level(0.0)
        .line(Line3::new("path", helix.clone()).shadow())
        .line(Line3::new("start", vec![helix[0]]).look(|l| l.marker(Marker::Circle).width(0.0)))
        .note(helix[0], "start")
        .note(helix[199], "end");
    Figure::new("Pictures")
        .columns(2)
        .width(860.0)
        .panel(picture)
        .panel(Panel::space(space).title("In space"))
        .panel(Panel::new().title("Modes").x(("t", "s")).add(bars))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/gallery".into()));
    std::fs::create_dir_all(&dir)?;
    for (name, figure) in [("curves", curves()), ("pictures", pictures())] {
        for clash in figure.layout().clashes() {
            eprintln!("{name}: {clash}");
        }
        std::fs::write(dir.join(format!("{name}.svg")), figure.svg(Theme::Light))?;
        std::fs::write(dir.join(format!("{name}.png")), figure.png(Theme::Light, 1.5)?)?;
        std::fs::write(dir.join(format!("{name}_dark.png")), figure.png(Theme::Dark, 1.5)?)?;
    }
    Ok(())
}
