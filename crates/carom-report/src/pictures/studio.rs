//! A run made ready to be drawn.

use super::look::Look;
use super::moment::Motion;
use super::{flat, space};
use crate::document::RunDocument;
use crate::error::ReportError;
use crate::run::Account;
use crate::stage::Stage;
use carom_figure::{FigureError, Picture};

/// A little of the rest is shown, as a part of the motion.
const BEYOND: f64 = 0.12;

/// A run made ready.
pub struct Studio {
    motion: Motion,
    /// Time from which nothing moves any more, if there is one.
    rest: Option<f64>,
}

impl Studio {
    /// Makes a run ready.
    pub fn new(account: &Account) -> Result<Self, ReportError> {
        Ok(Self::of(account, &RunDocument::new(account)?))
    }

    /// The same where the document is there already.
    pub fn of(account: &Account, document: &RunDocument) -> Self {
        let speeds = document.series.iter().filter(|series| series.group == "speeds");
        let speeds: Vec<Vec<f64>> = speeds.map(|series| series.values.to_f64()).collect();
        let t = document.t.to_f64();
        let still =
            |frame: &usize| speeds.iter().all(|v| v.get(*frame).or(v.first()) == Some(&0.0));
        let frames = (0..t.len()).rev().take_while(still).count();
        let rest = (frames > 0 && !speeds.is_empty()).then(|| t[t.len() - frames]);
        Self { motion: Motion::new(Stage::of(&account.scene), document), rest }
    }

    /// Start and end of the run, s.
    pub fn span(&self) -> (f64, f64) {
        (self.motion.start, self.motion.end)
    }

    /// When a film of the run is over, s: a little after the motion is.
    pub fn home(&self) -> f64 {
        let (start, end) = self.span();
        match self.rest {
            Some(rest) if rest > start => end.min(rest + BEYOND * (rest - start)),
            _ => end,
        }
    }

    /// Whether it is drawn flat.
    pub fn is_planar(&self) -> bool {
        self.motion.stage.is_planar()
    }

    /// The run at a time.
    pub fn picture(&self, t: f64, look: &Look) -> Result<Picture, FigureError> {
        let moment = self.motion.at(t, look.speed);
        match self.is_planar() {
            true => flat::picture(&self.motion, &moment, look),
            false => space::picture(&self.motion, &moment, look),
        }
    }
}
