//! Height fields.
//!
//! # Law
//! `elevation` has nrow rows of ncol numbers e, the first row at the highest y. With the size (x, y, z, base) of the asset the
//! ground over (x (2i/(ncol − 1) − 1), y (2j/(nrow − 1) − 1)) has the height
//! ```text
//! z (e − min e)/(max e − min e),   0 where all e are equal or none are given                    (1)
//! ```
//! and each cell is two triangles that meet in the diagonal from the lowest x and y to the highest.
//!
//! # Limits
//! The sides and the base that MuJoCo gives a field are left out. Fields of files make no contact feature, which is told.
//!
//! # Tests
//! `tests/terrain.rs`: `eq1_heights_are_those_of_mujoco`.

use super::contact::unknown;
use super::item::Item;
use super::tag::Tag;
use crate::error::Flaw;
use crate::fault::Fault;
use crate::height_field::height_field;
use crate::solid::Solid;
use carom::model::Terrain;
use std::collections::HashMap;

/// The ground of a geom of type hfield; none if its heights are in a file.
pub(crate) fn ground(
    geom: &Item<'_>,
    fields: &HashMap<String, &Tag>,
) -> Result<Option<Solid>, Flaw> {
    let wanted = geom.needed("hfield", "the name of a height field")?;
    let Some(tag) = fields.get(&wanted.value) else {
        let mut known: Vec<&str> = fields.keys().map(String::as_str).collect();
        known.sort_unstable();
        return Err(unknown(geom.tag, "hfield", wanted, known.into_iter()));
    };
    let item = Item::plain(tag);
    if item.has("file") {
        return Ok(None);
    }
    let count = |key: &'static str| match item.whole(key, 0)? {
        n @ 2..=100_000 => Ok(n as usize),
        n => Err(item.range(key, n as f64, "a whole number from 2 to 100000")),
    };
    let (rows, columns) = (count("nrow")?, count("ncol")?);
    if rows * columns > 1_000_000 {
        return Err(item.range("nrow", rows as f64, "at most a million heights in all"));
    }
    let size = item.numbers("size", 4..=4)?.ok_or_else(|| item.missing("size", "four numbers"))?;
    if let Some(bad) = size.iter().find(|s| **s <= 0.0) {
        return Err(item.range("size", *bad, "numbers > 0"));
    }
    let all = rows * columns;
    let e = item.numbers("elevation", all..=all)?.unwrap_or_else(|| vec![0.0; all]);
    let (low, high) = e.iter().fold((f64::MAX, f64::MIN), |m, x| (m.0.min(*x), m.1.max(*x)));
    let height = |x: &f64| if high > low { size[2] * (x - low) / (high - low) } else { 0.0 };
    let heights: Vec<Vec<f64>> =
        e.chunks(columns).rev().map(|row| row.iter().map(height).collect()).collect();
    let (points, triangles) = height_field(&heights, [2.0 * size[0], 2.0 * size[1]]);
    let made = Terrain::new(&points, &triangles).map_err(|fault| {
        let (owner, key) = (item.tag.called(), "elevation".to_string());
        let instead = "give heights that differ by less";
        Flaw::at(tag.spot, Fault::NotHere { owner, key, because: fault.to_string(), instead })
    })?;
    Ok(Some(Solid::Terrain { ground: made.into() }))
}
