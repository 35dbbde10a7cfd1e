//! Curves over the posture, in the form of the source's figures.

use carom::impact::ThreeLinkChain;
use carom::impact::chain::LENGTH;
use carom_figure::{Axis, Band, Colour, Figure, Ground, Guide, Hatch, Line, Marker, Panel};

use super::interval::Interval;
use super::sweep::{Point, Sweep};

/// A quantity of a sweep with its axis.
#[derive(Clone, Copy)]
pub struct Quantity {
    /// Heading of the panel.
    pub title: &'static str,
    /// Name and unit on the axis.
    pub axis: (&'static str, &'static str),
    /// The number.
    pub of: fn(&Point) -> f64,
}

/// Share of the energy that is lost.
pub const LOSS: Quantity = Quantity {
    title: "Energy loss",
    axis: ("loss of kinetic energy", "%"),
    of: |p| 100.0 * p.loss,
};
/// Normal impulse at A0.
pub const IMPULSE: Quantity =
    Quantity { title: "Normal impulse at A0", axis: ("impulse", "N·s"), of: |p| p.impulse };
/// Normal velocity at A0 after.
pub const REBOUND: Quantity =
    Quantity { title: "Normal velocity at A0 after", axis: ("velocity", "m/s"), of: |p| p.rebound };
/// Tangential velocity at Ac after.
pub const SLIP: Quantity = Quantity {
    title: "Tangential velocity at Ac after",
    axis: ("velocity", "m/s"),
    of: |p| p.slip[1],
};

/// Named sweeps to be drawn over each other.
pub struct Curves<'a> {
    /// Name and sweep.
    pub sweeps: Vec<(String, &'a Sweep)>,
    /// Letters at places of the horizontal axis.
    pub marks: Vec<(f64, &'static str)>,
    /// Shaded intervals.
    pub shaded: Vec<Interval>,
}

impl<'a> Curves<'a> {
    /// Sweeps named by their methods.
    pub fn by_method(sweeps: &'a [Sweep]) -> Self {
        let sweeps = sweeps.iter().map(|s| (s.method.name().to_string(), s)).collect();
        Self { sweeps, marks: Vec::new(), shaded: Vec::new() }
    }

    /// Panels below each other, lettered A, B, C, with one legend.
    pub fn figure(&self, title: &str, quantities: &[Quantity], caption: &str) -> Figure {
        let mut figure = Figure::new(title).caption(caption).share_x().one_legend().width(760.0);
        for (k, quantity) in quantities.iter().enumerate() {
            let letter = char::from(b'A' + k as u8);
            let heading = format!("{letter}  {}", quantity.title);
            figure = figure.panel(self.panel(*quantity, k == 0).title(heading));
        }
        figure
    }

    fn panel(&self, quantity: Quantity, lettered: bool) -> Panel {
        let axis = Axis::new("φ₁", "°").range(-90.0, 90.0);
        let mut panel = Panel::new().x(axis).y(quantity.axis).height(190.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (_, sweep) in &self.sweeps {
            for p in &sweep.points {
                (low, high) = (low.min((quantity.of)(p)), high.max((quantity.of)(p)));
            }
        }
        for i in &self.shaded {
            let band =
                Band::new("rebound with interaction", &[i.from, i.to], &[low; 2], &[high; 2]);
            panel = panel.add(band.hatch(Hatch::Rising).opacity(0.2));
        }
        for (name, sweep) in &self.sweeps {
            let x = sweep.values(|p| p.degrees);
            panel = panel.add(Line::new(name, &x, &sweep.values(quantity.of)));
        }
        for (at, letter) in &self.marks {
            panel = panel.add(Guide::vertical(*at, if lettered { *letter } else { "" }));
        }
        panel
    }
}

/// The chain in three postures.
pub fn chain() -> Figure {
    let mut figure = Figure::new("The chain at the impact").columns(3).width(760.0).caption(
        "A0 touches the ground, Ac hits it. Angles are counter-clockwise from the vertical; φ2 = 90°, φ3 = 180° + φ1.",
    );
    for degrees in [-50.0_f64, -10.0, 50.0] {
        let chain = ThreeLinkChain {
            phi: degrees.to_radians(),
            friction_touching: 0.0,
            friction_colliding: 0.0,
            restitution: 0.0,
        };
        let mut points = vec![[0.0, 0.0]];
        for phi in chain.angles() {
            let [x, y] = points[points.len() - 1];
            points.push([x - LENGTH * phi.sin(), y + LENGTH * phi.cos()]);
        }
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (p[0], p[1])).unzip();
        let links =
            Line::unnamed(&x, &y).colour(Colour::Ink).width(3.0).marker(Marker::Circle).radius(4.0);
        let panel = Panel::new()
            .title(format!("φ₁ = {}°", crate::show::fixed(degrees, 0)))
            .equal()
            .bare()
            .x(Axis::new("x", "m").range(-2.1, 1.1))
            .y(Axis::new("y", "m").range(-0.35, 1.25))
            .add(Ground::new([0.0, 0.0], [0.0, 1.0]))
            .add(links)
            .note(x[0], y[0], "A0")
            .note(x[3], y[3], "Ac");
        figure = figure.panel(panel);
    }
    figure
}
