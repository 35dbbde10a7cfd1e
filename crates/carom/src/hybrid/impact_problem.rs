//! The impact of touching sites in generalised coordinates: M, v⁻ and the rows of the sites.
//!
//! ```text
//! M(q) (v⁺ − v⁻) = Σ Jᵀp,   u = J v,   ω = J_ω v                                (1)
//! ```
//! J has the tangents and the normal of each site, J_ω the relative angular velocity of its two bodies along axes.
//!
//! # Tests
//! `crates/carom-scene/tests/impact_problem.rs`: `eq1_rows_are_those_of_the_run`.

use crate::contact::{Site, SiteGeometry, SiteState, site_state};
use crate::dynamics::jacobian::{
    VelocityProducts, add_point_row, frame_jacobian, velocity_products,
};
use crate::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use crate::impact::{ImpactContact, ImpactProblem};
use crate::model::Model;
use nalgebra::{DMatrix, DVector, Vector3};

/// The impact of sites that touch at q with the velocity v before it; restitution and friction are those of the sites.
pub fn impact_problem(model: &Model, sites: &[&Site], (q, v): (&[f64], &[f64])) -> ImpactProblem {
    let mut kin = Kinematics::new(model);
    kinematics(model, q, v, &mut kin);
    let mut products = VelocityProducts::new(model);
    velocity_products(model, &kin, &mut products);
    let contact = |site: &&Site| {
        let state = site_state(model, site, (&kin, &products), (q, v));
        contact(model, &kin, site, &state)
    };
    ImpactProblem {
        mass_matrix: mass(model, &kin),
        velocity: DVector::from_column_slice(v),
        contacts: sites.iter().map(contact).collect(),
        bilateral: DMatrix::zeros(0, model.nv()),
    }
}

/// M(q).
pub(super) fn mass(model: &Model, kin: &Kinematics) -> DMatrix<f64> {
    let n = model.nv();
    let mut M = DMatrix::zeros(n, n);
    mass_matrix(model, kin, &mut CompositeScratch::new(model), &mut M);
    M
}

/// A site as a contact that touches.
pub(super) fn contact(
    model: &Model,
    kin: &Kinematics,
    site: &Site,
    state: &SiteState,
) -> ImpactContact {
    let n = model.nv();
    let row = |axis: usize| {
        let mut row = vec![0.0; n];
        if let SiteGeometry::Limit { dof, side, .. } = site.geometry {
            row[dof] = side * model.coordinates()[dof].ratio;
            return row;
        }
        let (a, b) = site.bodies();
        for (body, sign) in [(a, -1.0), (b, 1.0)] {
            let Some(body) = body else { continue };
            add_point_row(model, kin, (body, &state.x), &state.axes[axis], sign, &mut row);
        }
        row
    };
    let tangents: Vec<Vec<f64>> = (0..site.tangents).map(row).collect();
    ImpactContact {
        name: site.name.clone(),
        tangents: DMatrix::from_fn(site.tangents, n, |i, j| tangents[i][j]),
        normal: row(2).into(),
        friction: site.surface.friction,
        static_friction: site.surface.static_friction,
        restitution: site.surface.restitution,
        touching: true,
    }
}

/// The rows J_ω of a site along axes of the world.
pub(super) fn angular_rows(
    model: &Model,
    kin: &Kinematics,
    (site, state): (&Site, &SiteState),
    axes: &[Vector3<f64>],
) -> Vec<DVector<f64>> {
    let n = model.nv();
    let mut relative = DMatrix::zeros(3, n);
    let mut J = DMatrix::zeros(6, n);
    let (a, b) = site.bodies();
    for (body, sign) in [(a, -1.0), (b, 1.0)] {
        let Some(body) = body else { continue };
        frame_jacobian(model, kin, body, &state.x, &mut J);
        relative += J.rows(0, 3) * sign;
    }
    axes.iter().map(|axis| relative.transpose() * axis).collect()
}
