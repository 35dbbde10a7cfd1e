//! Paths in the plane of the generalised speeds, and energies over the impulse, in the form of the thesis's figures.

use carom_figure::{Arrow, Axis, Colour, Dash, Figure, Guide, Line, Marker, Panel};
use nalgebra::Vector2;

use super::algebra::{Corner, Geometry, Pause};
use super::cases::Case;

/// A case as it is drawn.
pub struct Drawing<'a> {
    case: &'a Case,
    corners: &'a [Corner],
    geometry: Geometry,
    /// Window of the plane: u1 from, to, u2 from, to.
    window: [f64; 4],
}

impl<'a> Drawing<'a> {
    /// A case with its corners; `also` are points that must be inside.
    pub fn new(case: &'a Case, corners: &'a [Corner], also: &[Vector2<f64>]) -> Option<Self> {
        let geometry = Geometry::new(&case.collision)?;
        let mut window = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        for u in corners.iter().map(|c| &c.u).chain(also) {
            window = [
                window[0].min(u[0]),
                window[1].max(u[0]),
                window[2].min(u[1]),
                window[3].max(u[1]),
            ];
        }
        let (x, y) = (0.15 * (window[1] - window[0]), 0.1 * (window[3] - window[2]));
        let window = [window[0] - x, window[1] + x, window[2] - y, window[3] + y];
        Some(Self { case, corners, geometry, window })
    }

    /// The plane with the lines v_t = 0 and v_n = 0.
    fn plane(&self, title: impl Into<String>) -> Panel {
        let [x0, x1, y0, y1] = self.window;
        let mut panel = Panel::new()
            .title(title)
            .height(300.0)
            .x(Axis::new("u₁", "rad/s").range(x0, x1))
            .y(Axis::new("u₂", "rad/s").range(y0, y1));
        let far = 4.0 * (x1 - x0).hypot(y1 - y0).max(x0.hypot(y1));
        for (name, row, dash) in [
            ("v_t = 0", self.geometry.a, Dash::Dashed),
            ("v_n = 0", self.geometry.b, Dash::DashDot),
        ] {
            let along = Vector2::new(-row[1], row[0]).normalize() * far;
            let line = Line::new(name, &[-along[0], along[0]], &[-along[1], along[1]]);
            panel = panel.add(line.colour(Colour::Soft).dash(dash).width(1.2));
        }
        panel
    }

    fn path(&self, count: usize, panel: Panel) -> Panel {
        let u = self.corners.iter().take(count).map(|c| (c.u[0], c.u[1]));
        let (x, y): (Vec<f64>, Vec<f64>) = u.unzip();
        let line = Line::new("path", &x, &y).colour(Colour::Series(0)).width(2.2);
        panel.add(line.marker(Marker::Dot).radius(3.5))
    }

    fn arrows(&self, from: &Vector2<f64>, v_t: f64, p: f64, panel: Panel) -> Panel {
        let k = self.geometry.friction(v_t, self.case.collision.mu);
        let (normal, friction) = (self.geometry.L_n * p, self.geometry.L_t * (k * p));
        let at = |v: Vector2<f64>| [v[0], v[1]];
        panel
            .add(
                Arrow::new(at(*from), at(from + normal))
                    .name("normal, L_n p")
                    .colour(Colour::Series(2)),
            )
            .add(
                Arrow::new(at(from + normal), at(from + normal + friction))
                    .name("friction, μ L_t p")
                    .colour(Colour::Series(1)),
            )
            .add(
                Arrow::new(at(*from), at(from + normal + friction))
                    .name("sum")
                    .colour(Colour::Series(0))
                    .width(2.2),
            )
    }

    fn point(&self, name: &str, u: &Vector2<f64>, marker: Marker, panel: Panel) -> Panel {
        let line = Line::points(name, &[u[0]], &[u[1]]).marker(marker).radius(4.5);
        panel.add(line.colour(Colour::Series(3)))
    }

    /// The whole path with its corners named.
    pub fn whole(&self, title: impl Into<String>) -> Panel {
        let mut panel = self.path(self.corners.len(), self.plane(title));
        for corner in self.corners {
            let word = match corner.pause {
                Pause::Start => "start",
                Pause::Reversal | Pause::Stick => "tangential pause",
                Pause::Normal => "normal pause",
                Pause::End => "end",
            };
            panel = panel.note(corner.u[0], corner.u[1], word);
        }
        panel
    }

    /// Figures 2.2 to 2.5: direction, pauses on the first line, bend, normal pause found again.
    pub fn steps(&self, first_normal: &Vector2<f64>) -> Figure {
        let [start, pause, normal, _] = self.corners else { return Figure::new("") };
        let first = self.arrows(&start.u, start.v[0], pause.p, self.plane("2.2  first direction"));
        let first = self.point("start", &start.u, Marker::Dot, first);
        let line = [start.u, *first_normal];
        let second = self.plane("2.3  both pauses on the first line").add(
            Line::new("first line", &line.map(|u| u[0]), &line.map(|u| u[1]))
                .colour(Colour::Series(0)),
        );
        let second = self.point("tangential pause", &pause.u, Marker::Square, second);
        let second = self.point("normal pause", first_normal, Marker::Triangle, second);
        let third = self.path(2, self.plane("2.4  friction changes its direction"));
        // The direction after the pause has the sign of the slip that follows.
        let third = self.arrows(&pause.u, normal.v[0], normal.p - pause.p, third);
        let fourth = self.path(3, self.plane("2.5  normal pause found again"));
        let fourth = self.point("before the bend", first_normal, Marker::Cross, fourth);
        let fourth = self.point("normal pause", &normal.u, Marker::Triangle, fourth);
        Figure::new("A collision whose slip reverses, step by step")
            .columns(2)
            .width(820.0)
            .panel(first)
            .panel(second)
            .panel(third)
            .panel(fourth)
    }
}

/// Figure 2.6: energies over the normal impulse. Rows of `samples`: p_n, v_t, v_n, E_n, E_f.
pub fn energies(samples: &[[f64; 5]], corners: &[Corner]) -> Figure {
    let column = |k: usize| samples.iter().map(|s| s[k]).collect::<Vec<f64>>();
    let (p, E_n, E_f) = (column(0), column(3), column(4));
    let E: Vec<f64> = E_n.iter().zip(&E_f).map(|(a, b)| a + b).collect();
    let mut panel = Panel::new()
        .x(("normal impulse p_n", "N·s"))
        .y(("energy exchange", "J"))
        .line("E = E_n + E_f", &p, &E)
        .line("E_n, normal", &p, &E_n)
        .line("E_f, friction", &p, &E_f)
        .height(280.0);
    for corner in corners {
        let word = match corner.pause {
            Pause::Reversal => "slip reverses",
            Pause::Stick => "slip stops",
            Pause::Normal => "end of compression",
            Pause::Start | Pause::End => continue,
        };
        panel = panel.add(Guide::vertical(corner.p, word));
    }
    Figure::new("Energy exchange during the collision").panel(panel).width(760.0)
}

/// Figure 2.8: all paths in the plane of the contact velocities.
pub fn overview<'a>(all: impl Iterator<Item = (&'a Case, &'a [Corner])>) -> Figure {
    let mut figure = Figure::new("One collision per path")
        .columns(3)
        .width(900.0)
        .caption("Velocity of the tip during the collision, from v_n < 0 to v_n > 0; e* = 0.7.");
    for (case, corners) in all {
        let (x, y): (Vec<f64>, Vec<f64>) = corners.iter().map(|c| (c.v[0], c.v[1])).unzip();
        let (low, high) = x.iter().fold((0.0_f64, 0.0_f64), |(a, b), v| (a.min(*v), b.max(*v)));
        let margin = 0.12 * (high - low);
        let line = Line::unnamed(&x, &y).colour(Colour::Series(0)).width(2.2);
        let panel = Panel::new()
            .title(case.title)
            .x(Axis::new("v_t", "m/s").range(low - margin, high + margin))
            .y(("v_n", "m/s"))
            .height(200.0)
            .add(Guide::vertical(0.0, ""))
            .add(Guide::horizontal(0.0, ""))
            .add(line.marker(Marker::Dot).radius(3.0))
            .note(x[0], y[0], "start");
        figure = figure.panel(panel);
    }
    figure
}
