//! The inertia of a body: stated, or that of its geoms.
//!
//! # Law
//! `boundmass` and `boundinertia` raise mass and principal moments A, B, C to a least value;
//! `balanceinertia` replaces moments that no body has by their mean; `settotalmass` scales all:
//! ```text
//! m ← max(m, m₀),   A ← max(A, A₀)                                                  (1)
//! A, B, C ← (A + B + C)/3   where one exceeds the sum of the others                  (2)
//! m ← s m,  I ← s I,   s = m_total / Σ m                                             (3)
//! ```
//! Tests: `tests/mjcf.rs`: `eq1_eq3_compiler_changes_inertia`.

use super::geom::Geom;
use super::item::Item;
use super::orientation::pose;
use super::settings::{FromGeoms, Settings};
use super::tag::Tag;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::parts::BodyPart;
use crate::source::Spot;
use carom::spatial::Inertia;
use nalgebra::{Matrix3, SymmetricEigen, Vector3};

/// Whether the inertia of a body is that of its geoms.
pub(crate) fn geoms_weigh(inertial: Option<&Tag>, settings: &Settings) -> bool {
    match settings.from_geoms {
        FromGeoms::Always => true,
        FromGeoms::WhereMissing => inertial.is_none(),
        FromGeoms::Never => false,
    }
}

/// The inertia of a body in its frame, and where it is written.
pub(crate) fn inertia(
    inertial: Option<&Tag>,
    geoms: &[Geom],
    body: &Tag,
    settings: &Settings,
) -> Result<(Inertia, Spot), Flaw> {
    let by_geoms = geoms_weigh(inertial, settings);
    // MuJoCo puts the least mass of a body without inertia where the body itself is, in its own frame.
    let stands = !by_geoms || geoms.iter().any(|g| g.inertia.is_some());
    let (found, spot) = match (by_geoms, inertial) {
        (true, _) => {
            let all = geoms.iter().filter_map(|g| g.inertia.as_ref());
            (all.fold(Inertia::massless(), |sum, one| sum.joined(one)), body.spot)
        }
        (false, Some(tag)) => (stated(&Item::plain(tag), settings)?, tag.spot),
        (false, None) => (Inertia::massless(), body.spot),
    };
    let mut found = bounded(found, settings);
    // Frames of cameras and sensors have no inertia, wherever it is written.
    if found.mass == 0.0 && found.about_com == Matrix3::zeros() {
        found = Inertia::massless();
    }
    if found.mass > 0.0 && found.com == Vector3::zeros() && !stands {
        found.com = Item::plain(body).vector("pos")?.unwrap_or(found.com);
    }
    Ok((found, spot))
}

/// `<inertial>`.
fn stated(item: &Item<'_>, settings: &Settings) -> Result<Inertia, Flaw> {
    if !item.has("pos") {
        return Err(item.missing("pos", "the centre of mass, 3 numbers"));
    }
    let frame = pose(item, settings)?;
    let mass = item.needed("mass", "a number > 0").and_then(|_| item.not_negative("mass", 0.0))?;
    let about_com = match (item.vector("diaginertia")?, item.numbers("fullinertia", 6..=6)?) {
        (Some(_), Some(_)) => {
            let reason = "the moments are stated in one way";
            return Err(item.conflict("diaginertia", "fullinertia", reason));
        }
        (Some(d), None) => Matrix3::from_diagonal(&d),
        (None, Some(f)) => Matrix3::new(f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]),
        (None, None) => Matrix3::zeros(),
    };
    Ok(Inertia { mass, com: Vector3::zeros(), about_com }.in_frame(&frame))
}

/// Equations (1) and (2).
fn bounded(inertia: Inertia, settings: &Settings) -> Inertia {
    let mut out = inertia;
    out.mass = out.mass.max(settings.least_mass);
    if settings.least_inertia == 0.0 && !settings.balance {
        return out;
    }
    let eigen = SymmetricEigen::new(out.about_com);
    let mut moments = eigen.eigenvalues.map(|m| m.max(settings.least_inertia));
    if settings.balance && 2.0 * moments.max() > moments.sum() {
        moments = Vector3::repeat(moments.mean());
    }
    let R = eigen.eigenvectors;
    out.about_com = R * Matrix3::from_diagonal(&moments) * R.transpose();
    out
}

/// Equation (3).
pub(crate) fn scale_total(bodies: &mut [BodyPart], settings: &Settings) -> Result<(), Flaw> {
    if settings.total_mass <= 0.0 {
        return Ok(());
    }
    let total: f64 = bodies.iter().map(|b| b.inertia.mass).sum();
    let Some(first) = bodies.first() else { return Ok(()) };
    if total <= 0.0 {
        let (owner, key) = ("<compiler>".to_string(), "settotalmass".to_string());
        let allowed = "used with bodies that have mass".to_string();
        let fault = Fault::Range { owner, key, value: settings.total_mass, allowed };
        return Err(Flaw::at(first.spot, fault));
    }
    let s = settings.total_mass / total;
    for body in bodies {
        body.inertia.mass *= s;
        body.inertia.about_com *= s;
    }
    Ok(())
}
