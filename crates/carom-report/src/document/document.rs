//! The document that the page draws: format "carom page", version 2.

use super::books::Books;
use super::equations::{PageLaw, law};
use super::facts::{Fact, facts, warnings};
use super::film::Film;
use super::knots::{Knots, MOST};
use super::moments::{PageEvent, moments};
use super::packed::Packed;
use super::pieces::Pieces;
use super::scenery::PageStage;
use super::series::{Series, series};
use super::tracks::{SiteTrack, tracks};
use crate::error::ReportError;
use crate::run::{Account, SourceFile, Summary};
use crate::stage::Stage;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// What `format` says in a document.
pub const FORMAT: &str = "carom page";
/// Version of the format; grows when a page of older ones would be misled.
pub const VERSION: u32 = 2;

/// A file of the scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageSource {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A run as the page draws it. F is the number of frames, B that of moving bodies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunDocument {
    /// Always [`FORMAT`].
    pub format: &'static str,
    /// Always [`VERSION`].
    pub version: u32,
    /// Version of carom that made the run.
    pub carom: String,
    /// Title of the scene, or its file's name.
    pub title: String,
    /// Name of the scene's file.
    pub name: String,
    /// What the scene shows.
    pub description: Option<String>,
    /// `planar` or `spatial`.
    pub space: &'static str,
    /// Against gravity.
    pub up: [f64; 3],
    /// Gravity, m/s².
    pub gravity: [f64; 3],
    /// Files of the scene.
    pub source: Vec<PageSource>,
    /// What was simulated.
    pub facts: Vec<Fact>,
    /// The impact law of the scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<PageLaw>,
    /// What should be known before the numbers are trusted.
    pub warnings: Vec<String>,
    /// What is drawn.
    pub stage: PageStage,
    /// Times of the frames, s; equal twice at an event.
    pub t: Packed,
    /// Degrees of the polynomials that the frames are values of; 0 is a jump. See `pieces`.
    pub degrees: Packed,
    /// What is drawn errs by about, as a part of the size of the motion: the polynomials, or what rare samples allow.
    pub error: f64,
    /// F × B × 7.
    pub poses: Packed,
    /// F × 3.
    pub com: Packed,
    /// Everything that can be plotted.
    pub series: Vec<Series>,
    /// Contacts.
    pub sites: Vec<SiteTrack>,
    /// Events.
    pub events: Vec<PageEvent>,
    /// The energy ledger.
    pub energy: Books,
    /// `summary.json` as it is.
    pub summary: Summary,
}

impl RunDocument {
    /// The document of a run.
    pub fn new(account: &Account) -> Result<Self, ReportError> {
        let (scene, summary) = (&account.scene, &account.summary);
        let stage = Stage::of(scene);
        let rows = account.table.len();
        let knots = Knots::new(account, &stage, MOST);
        let doubt = knots.as_ref().map_or(0.0, |knots| knots.doubt);
        let knotted = knots.and_then(|knots| knots.table);
        let account = &match knotted {
            Some(table) => Cow::Owned(Account { table, ..account.clone() }),
            None => Cow::Borrowed(account),
        };
        let mut film = Film::shoot(account, &stage).ok_or(ReportError::ForeignColumns)?;
        film.error = film.error.max(doubt);
        let (events, traced) = moments(account, &stage.sites, &film);
        let name = Path::new(&summary.job.scene.name).file_name();
        let name = name.map_or(String::new(), |n| n.to_string_lossy().into_owned());
        let source = |f: &SourceFile| PageSource { name: f.name.clone(), text: f.text.clone() };
        Ok(Self {
            format: FORMAT,
            version: VERSION,
            carom: summary.carom.clone(),
            title: scene.title.clone().unwrap_or_else(|| name.clone()),
            name,
            description: scene.description.clone(),
            space: if stage.is_planar() { "planar" } else { "spatial" },
            up: stage.up.into(),
            gravity: scene.model.gravity().into(),
            source: account.files.iter().map(source).collect(),
            facts: facts(account, (rows, &film), traced),
            law: law(&scene.law),
            warnings: warnings(account, &film),
            stage: PageStage::new(&stage, &film.bounds),
            series: series(&account.table, &film),
            sites: tracks(account, &stage, &film),
            events,
            energy: Books::new(&summary.energy),
            t: Packed::F64(film.t),
            degrees: Packed::U8(film.degrees),
            error: film.error,
            poses: Packed::F32(film.poses),
            com: Packed::F32(film.com),
            summary: summary.clone(),
        })
    }

    /// The polynomials that the frames are values of.
    pub fn pieces(&self) -> Pieces {
        let degrees: Vec<u8> = self.degrees.to_f64().iter().map(|x| *x as u8).collect();
        Pieces::new(self.t.to_f64(), &degrees)
    }

    /// The document as JSON.
    pub fn to_json(&self) -> Result<String, ReportError> {
        serde_json::to_string(self).map_err(|source| ReportError::Document { source })
    }
}
