//! All plots of one run.

use super::window::Window;
use super::{PlotKind, curves, energy, feasibility, force, impulse, modes, motion, phase};
use crate::document::{PageEvent, RunDocument};
use crate::error::ReportError;
use crate::run::Account;
use crate::stage::Stage;
use carom::spatial::{Pose, rotation};
use carom_figure::Figure;
use nalgebra::{Vector3, Vector4};

/// A plot with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Its sort.
    pub kind: PlotKind,
    /// Name for a file, such as `energy` or `impulse_1`.
    pub name: String,
    /// The figure.
    pub figure: Figure,
}

/// What the plots of a run are made from.
#[derive(Debug, Clone)]
pub struct RunPlots<'a> {
    pub(crate) account: &'a Account,
    pub(crate) document: RunDocument,
    pub(crate) stage: Stage,
    pub(crate) window: Window,
    poses: Vec<f64>,
    asked: bool,
}

impl<'a> RunPlots<'a> {
    /// Prepares the plots of a run.
    pub fn new(account: &'a Account) -> Result<Self, ReportError> {
        let document = RunDocument::new(account)?;
        let window = Window::new(&document, None, None);
        let poses = document.poses.to_f64();
        let stage = Stage::of(&account.scene);
        Ok(Self { account, stage, document, window, poses, asked: false })
    }

    /// Plots only the motion between two times, s; without an end, the rest at the end of a run is cut short.
    pub fn between(mut self, from: Option<f64>, until: Option<f64>) -> Self {
        self.window = Window::new(&self.document, from, until);
        self.asked = from.is_some() || until.is_some();
        self
    }

    /// The plots of one sort; none where the run has nothing of that sort, such as forces without contacts.
    pub fn of(&self, kind: PlotKind) -> Vec<Plot> {
        let one = |figure: Option<Figure>| {
            figure.into_iter().map(|f| (kind.word().to_string(), f)).collect()
        };
        let figures: Vec<(String, Figure)> = match kind {
            PlotKind::Overview => one(self.overview()),
            PlotKind::Motion => one(motion::figure(self)),
            PlotKind::Coordinates => one(curves::coordinates(self)),
            PlotKind::Speeds => one(curves::speeds(self)),
            PlotKind::Torques => one(curves::torques(self)),
            PlotKind::Forces => one(force::figure(self)),
            PlotKind::Energy => one(energy::figure(self)),
            PlotKind::Modes => one(modes::figure(self)),
            PlotKind::Phase => one(phase::figure(self)),
            PlotKind::Impulse => impulse::figures(self),
            PlotKind::Feasibility => feasibility::figures(self),
        };
        figures.into_iter().map(|(name, figure)| Plot { kind, name, figure }).collect()
    }

    /// All plots.
    pub fn all(&self) -> Vec<Plot> {
        PlotKind::ALL.into_iter().flat_map(|kind| self.of(kind)).collect()
    }

    /// Motion and energy side by side.
    fn overview(&self) -> Option<Figure> {
        let (motion, caption) = motion::panel(self)?;
        let (energy, from) = energy::stored(self);
        if energy.is_empty() {
            return None;
        }
        let figure = Figure::new(self.document.title.clone()).columns(2).width(980.0);
        let caption = from.into_iter().fold(caption, |caption, from| format!("{caption} {from}"));
        Some(figure.panel(motion.title("Motion")).panel(energy.title("Energy")).caption(caption))
    }

    /// Heading: the title of the scene and what is shown.
    pub(crate) fn heading(&self, what: &str) -> String {
        format!("{}: {what}", self.document.title)
    }

    /// Events in the window in which velocities jumped, with their places among all events.
    pub(crate) fn jumps(&self) -> impl Iterator<Item = (usize, &PageEvent)> {
        let is_jump = |e: &PageEvent| matches!(e.kind.as_str(), "impact" | "jam" | "close");
        let events = self.document.events.iter().enumerate();
        events.filter(move |(_, e)| is_jump(e) && self.window.holds(e.t))
    }

    /// Whether the window was asked for.
    pub(crate) fn asked(&self) -> bool {
        self.asked
    }

    /// Time of a point of the window, s.
    pub(crate) fn time(&self, point: usize) -> f64 {
        self.window.t[point]
    }

    /// A column in the window.
    pub(crate) fn column(&self, name: &str) -> Option<Vec<f64>> {
        let series = self.document.series.iter().find(|s| s.name == name)?;
        Some(self.window.of(series.values.to_f64()))
    }

    /// Poses of the moving bodies at a point of the window.
    pub(crate) fn poses(&self, point: usize) -> Vec<Pose> {
        let (count, spot) = (self.stage.bodies.len(), &self.window.spots[point]);
        let pose = |body: usize| {
            let x = |k: usize| spot.number(&self.poses, 7 * count, 7 * body + k);
            let turn = Vector4::new(x(3), x(4), x(5), x(6)).normalize();
            Pose::new(rotation::from_quaternion(&turn), Vector3::new(x(0), x(1), x(2)))
        };
        (0..count).map(pose).collect()
    }

    /// A vector of a site at a frame: its point, normal or a tangent.
    pub(crate) fn vector(packed: &[f64], frame: usize) -> Vector3<f64> {
        // One entry holds for all frames.
        let place = if packed.len() == 3 { 0 } else { 3 * frame };
        Vector3::from_column_slice(&packed[place..][..3])
    }
}
