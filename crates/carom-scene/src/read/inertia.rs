//! Mass and inertia of a body: stated, or from its shape.

use crate::error::Flaw;
use crate::fault::Fault;
use crate::read::shape::PlacedSolid;
use crate::read::view::View;
use carom::spatial::{Inertia, InertiaError};
use nalgebra::{Matrix3, Vector3};

/// The inertia of a body; massless if it states neither mass nor density.
pub(crate) fn inertia(
    name: &str,
    view: &View<'_>,
    shape: Option<&PlacedSolid>,
) -> Result<Inertia, Flaw> {
    let Some(mass) = mass(view, shape)? else {
        if let Some(key) = view.first_of(&["inertia", "com", "depth"]) {
            return Err(view.not_here(key, "the body has no mass", "give it a mass or a density"));
        }
        return Ok(Inertia::massless());
    };
    let com = match (view.vector("com"), shape) {
        (Some(com), _) => com,
        (None, Some(shape)) => shape.pose.point(&shape.solid.center()),
        (None, None) => Vector3::zeros(),
    };
    let about_com = match (stated_inertia(name, view)?, shape) {
        (Some(stated), _) => stated,
        (None, Some(shape)) => {
            let local = shape.solid.inertia(mass).ok_or_else(|| missing_inertia(view))?;
            shape.pose.R * local * shape.pose.R.transpose()
        }
        (None, None) => return Err(missing_inertia(view)),
    };
    Inertia::new(mass, com, about_com).map_err(|source| {
        let key = if matches!(source, InertiaError::Mass { .. }) { "mass" } else { "inertia" };
        view.flaw(key, Fault::Inertia { body: name.into(), source })
    })
}

fn missing_inertia(view: &View<'_>) -> Flaw {
    view.missing("inertia", "given, or follow from a shape; shape = \"point\" is a mass point")
}

fn mass(view: &View<'_>, shape: Option<&PlacedSolid>) -> Result<Option<f64>, Flaw> {
    let (mass, density) = (view.number("mass"), view.number("density"));
    if mass.is_some() && density.is_some() {
        return Err(view.conflict("mass", "density", "the mass follows from the density"));
    }
    let Some(density) = density else {
        if mass.is_some() && view.has("depth") {
            return Err(view.not_here("depth", "it serves a density only", "leave it out"));
        }
        return Ok(mass);
    };
    let Some(shape) = shape else {
        return Err(view.not_here("density", "the body has no shape", "give it a shape"));
    };
    let Some(volume) = shape.solid.volume(view.number("depth")) else {
        return Err(view.not_here(
            "density",
            "its shape has no volume",
            "give a flat shape a depth, a rod an area, or give a mass",
        ));
    };
    let mass = density * volume;
    if mass.is_finite() && mass > 0.0 {
        return Ok(Some(mass));
    }
    let fault = Fault::Range {
        owner: view.owner.clone(),
        key: "density".into(),
        value: density,
        allowed: format!("such that density × volume ({volume} m³) is finite and > 0"),
    };
    Err(view.flaw("density", fault))
}

/// The inertia as it is written: one moment, three, or a matrix.
fn stated_inertia(name: &str, view: &View<'_>) -> Result<Option<Matrix3<f64>>, Flaw> {
    let Some(node) = view.node("inertia") else { return Ok(None) };
    let wrong = |expected: &str| {
        let (owner, key) = (view.owner.clone(), "inertia".to_string());
        let fault = Fault::WrongType { owner, key, expected: expected.into(), found: node.found() };
        view.flaw("inertia", fault)
    };
    if let Some(moment) = node.number() {
        if !view.planar {
            return Err(wrong("three principal moments, or a matrix, in a spatial scene"));
        }
        // As a plate: the moments about x and y do not matter, but must be possible.
        let half = 0.5 * moment;
        return Ok(Some(Matrix3::from_diagonal(&Vector3::new(half, half, moment))));
    }
    if view.planar {
        return Err(wrong("one number in a planar scene"));
    }
    if let Some(moments) = view.numbers("inertia") {
        return Ok(Some(Matrix3::from_diagonal(&Vector3::from_iterator(moments))));
    }
    let rows = node.list().unwrap_or_default();
    let entries: Vec<f64> =
        rows.iter().filter_map(|row| row.list()).flatten().filter_map(|n| n.number()).collect();
    let matrix = Matrix3::from_row_iterator(entries);
    for (row, column) in [(0, 1), (0, 2), (1, 2)] {
        let difference = (matrix[(row, column)] - matrix[(column, row)]).abs();
        if difference > 1e-12 * matrix.amax() {
            let fault = Fault::Asymmetric { body: name.into(), row, column };
            return Err(view.flaw("inertia", fault));
        }
    }
    Ok(Some(matrix))
}
