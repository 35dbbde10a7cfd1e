//! The impact problem of an event: mass matrix, velocity before and contact rows in the posture of the event.

use carom::contact::{Site, SiteState, site_state, sites};
use carom::dynamics::jacobian::{VelocityProducts, add_point_row, velocity_products};
use carom::dynamics::{CompositeScratch, Kinematics, kinematics, mass_matrix};
use carom::impact::{ImpactContact, ImpactError, ImpactProblem};
use carom::model::Model;
use carom::record::Event;
use nalgebra::{DMatrix, DVector};

/// The problem that the law of a run was given at an event, with the contacts in the order of the event.
pub fn problem_at(model: &Model, event: &Event) -> Result<ImpactProblem, ImpactError> {
    let mut kin = Kinematics::new(model);
    kinematics(model, &event.q, &event.v_pre, &mut kin);
    let mut products = VelocityProducts::new(model);
    velocity_products(model, &kin, &mut products);
    let mut mass = DMatrix::zeros(model.nv(), model.nv());
    mass_matrix(model, &kin, &mut CompositeScratch::new(model), &mut mass);
    let sites = sites(model);
    let contacts = event.contacts.iter().map(|change| {
        let site = &sites[change.site];
        let state = site_state(model, site, (&kin, &products), (&event.q, &event.v_pre));
        contact(model, &kin, site, &state)
    });
    ImpactProblem::new(mass, DVector::from_column_slice(&event.v_pre), contacts.collect())
}

fn contact(model: &Model, kin: &Kinematics, site: &Site, state: &SiteState) -> ImpactContact {
    let (a, b) = site.bodies();
    let row = |axis: usize| {
        let mut row = vec![0.0; model.nv()];
        for (body, sign) in [(a, -1.0), (b, 1.0)] {
            if let Some(body) = body {
                add_point_row(model, kin, (body, &state.x), &state.axes[axis], sign, &mut row);
            }
        }
        row
    };
    let tangents: Vec<f64> = (0..site.tangents).flat_map(row).collect();
    ImpactContact {
        name: site.name.clone(),
        tangents: DMatrix::from_row_slice(site.tangents, model.nv(), &tangents),
        normal: DVector::from_vec(row(2)),
        friction: site.surface.friction,
        static_friction: site.surface.static_friction,
        restitution: site.surface.restitution,
        touching: true,
    }
}
