//! Contacts over the frames.

use super::facts::law_words;
use super::film::Film;
use super::packed::Packed;
use crate::run::{Account, Table};
use crate::stage::Stage;
use carom::contact::Site;
use carom::model::BodyId;
use serde::Serialize;

/// One contact over the frames. A list of one entry holds for all frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteTrack {
    /// Its name.
    pub name: String,
    /// `contact`, or `limit` for the stop of a joint, which has no direction in space.
    pub kind: &'static str,
    /// The two bodies by their numbers; −1 is the world. The normal points from the first to the second.
    pub bodies: [i64; 2],
    /// Restitution e.
    pub restitution: Option<f64>,
    /// Dynamic friction.
    pub friction: f64,
    /// Static friction.
    pub static_friction: f64,
    /// Its impact law in words.
    pub law: String,
    /// 0 open, 1 stick, 2 slip.
    pub modes: Packed,
    /// Where it is, in the world, m.
    pub point: Packed,
    /// Normal.
    pub normal: Packed,
    /// First tangent.
    pub tangent1: Packed,
    /// Second tangent; none in the plane.
    pub tangent2: Option<Packed>,
    /// Force along t₁, t₂, n, N.
    pub force: Packed,
}

/// The tracks of all sites.
pub(super) fn tracks(account: &Account, stage: &Stage, film: &Film) -> Vec<SiteTrack> {
    stage.sites.iter().enumerate().map(|(i, site)| track(account, stage, film, (i, site))).collect()
}

fn track(account: &Account, stage: &Stage, film: &Film, (i, site): (usize, &Site)) -> SiteTrack {
    // What is a joint's own, or a moment, has a place but no direction of force.
    let limit = site.joint().is_some() || site.follows().is_some();
    let own = site.pair.and_then(|pair| account.scene.pairs.get(pair.index())?.law.as_ref());
    let reel = &film.reels[i];
    let [tangent1, tangent2] = [0, 1].map(|k| triples(&reel.tangents[k]));
    SiteTrack {
        name: site.name.clone(),
        kind: if limit { "limit" } else { "contact" },
        bodies: bodies(stage, site),
        restitution: Some(site.surface.restitution),
        friction: site.surface.friction,
        static_friction: site.surface.static_friction,
        law: law_words(own.unwrap_or(&account.scene.law)),
        modes: Packed::codes(modes(&account.table, film, site)),
        point: triples(&reel.point),
        normal: triples(&reel.normal),
        tangent1,
        tangent2: Some(tangent2).filter(|_| !stage.is_planar()),
        force: triples(&force(&account.table, film, site)),
    }
}

/// The numbers of the bodies that touch; −1 is the world or what never moves.
fn bodies(stage: &Stage, site: &Site) -> [i64; 2] {
    let number = |id: Option<BodyId>| {
        let place = stage.bodies.iter().position(|body| Some(body.id) == id);
        place.map_or(-1, |place| place as i64)
    };
    let (a, b) = site.bodies();
    [number(a), number(b)]
}

/// Three numbers per frame.
fn triples(numbers: &[f32]) -> Packed {
    Packed::track(numbers, 3)
}

/// The mode of the sample at, or before, each frame.
fn modes(table: &Table, film: &Film, site: &Site) -> Vec<u8> {
    let codes = table.codes(&site.name).unwrap_or_default();
    let code = |left: usize| codes.get(left).copied().unwrap_or(0);
    film.samples.iter().map(|sample| code(*sample)).collect()
}

/// Triples of the columns of force; a missing one is zero.
fn force(table: &Table, film: &Film, site: &Site) -> Vec<f32> {
    let columns = ["t1", "t2", "n"].map(|axis| {
        table.place(&format!("force.{}.{axis}", site.name)).map(|place| &film.columns[place])
    });
    let mut all = Vec::with_capacity(3 * film.t.len());
    for k in 0..film.t.len() {
        all.extend(columns.map(|c| c.and_then(|c| c.get(k)).copied().unwrap_or(0.0)));
    }
    all
}
