//! Where everything is at one state.

use super::Stage;
use carom::contact::site_state::body_twist;
use carom::contact::{PolytopePair, Site, SiteGeometry, SiteState, polytope_pairs, state_of};
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::{Kinematics, kinematics};
use carom::model::Model;
use carom::spatial::Pose;
use nalgebra::Vector3;

/// Where a contact is and how its axes lie, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactFrame {
    /// Gap, m (rad at a revolute limit), > 0 apart.
    pub gap: f64,
    /// The point of the second body nearest to the first, m; at a joint limit, the joint.
    pub point: Vector3<f64>,
    /// Normal from the first body to the second; zero at a joint limit.
    pub normal: Vector3<f64>,
    /// Tangents; zero at a joint limit.
    pub tangents: [Vector3<f64>; 2],
    /// Relative velocity along t₁, t₂, n, m/s.
    pub velocity: [f64; 3],
    /// Whether the point is unique: not so for a disk that lies flat.
    pub unique: bool,
}

/// Poses of all moving bodies and frames of all contacts at one state; scratch is kept.
#[derive(Debug, Clone)]
pub struct Posture<'a> {
    model: &'a Model,
    stage: &'a Stage,
    kin: Kinematics,
    products: VelocityProducts,
    q: Vec<f64>,
    v: Vec<f64>,
    poses: Vec<Pose>,
    /// Pairs whose sites follow their features, and all sites with what they stand for now.
    polytopes: Vec<PolytopePair>,
    sites: Vec<Site>,
}

impl<'a> Posture<'a> {
    /// Room for a model and its stage; nothing is placed yet.
    pub fn new(model: &'a Model, stage: &'a Stage) -> Self {
        Self {
            model,
            stage,
            kin: Kinematics::new(model),
            products: VelocityProducts::new(model),
            q: vec![0.0; model.nq()],
            v: vec![0.0; model.nv()],
            poses: vec![Pose::identity(); stage.bodies.len()],
            polytopes: polytope_pairs(model, &stage.sites),
            sites: stage.sites.clone(),
        }
    }

    /// Places everything at coordinates `q` and velocities `v`. Only velocities of contacts need
    /// `v`; poses and frames do not.
    pub fn place(&mut self, q: &[f64], v: &[f64]) {
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        kinematics(self.model, q, v, &mut self.kin);
        velocity_products(self.model, &self.kin, &mut self.products);
        for (pose, body) in self.poses.iter_mut().zip(&self.stage.bodies) {
            *pose = self.kin.pose(self.model, body.id);
        }
        for pair in &mut self.polytopes {
            let [a, b] = pair.bodies.map(|body| body_twist(self.model, &self.kin, body));
            for site in pair.sites() {
                self.sites[site].geometry = pair.geometry(None);
            }
            let sites = &mut self.sites;
            pair.assign_anew((&a, &b), |site, geometry| sites[site].geometry = geometry);
        }
    }

    /// Poses of the moving bodies in the world, as in [`Stage::bodies`].
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// Centre of mass of all moving bodies, m; the origin if nothing has mass.
    pub fn com(&self) -> Vector3<f64> {
        let mut sum = Vector3::zeros();
        let mut mass = 0.0;
        for (pose, body) in self.poses.iter().zip(&self.stage.bodies) {
            sum += pose.point(&body.com) * body.mass;
            mass += body.mass;
        }
        if mass > 0.0 { sum / mass } else { sum }
    }

    /// The frame of a contact, by its place in [`Stage::sites`].
    pub fn contact(&self, site: usize) -> ContactFrame {
        let products = (&self.kin, &self.products);
        let state = state_of(self.model, (&self.sites, site), products, (&self.q, &self.v));
        let site = &self.sites[site];
        if let Some(dof) = site.joint() {
            return self.limit(dof, &state);
        }
        // A moment has a place, which is that of its contact, but no direction of force; a site that stands for nothing
        // has neither.
        let idle = matches!(site.geometry, SiteGeometry::Idle { .. });
        if !idle && site.follows().is_none() {
            return frame(&state);
        }
        let zero = Vector3::zeros();
        let known = frame(&state);
        ContactFrame { normal: zero, tangents: [zero; 2], unique: known.unique && !idle, ..known }
    }

    /// A joint at its stop: there is a place but no direction.
    fn limit(&self, dof: usize, state: &SiteState) -> ContactFrame {
        let link = self.model.tree().nodes[dof].link;
        let zero = Vector3::zeros();
        ContactFrame {
            gap: state.gap,
            point: self.kin.links[link].o,
            normal: zero,
            tangents: [zero; 2],
            velocity: state.u,
            unique: true,
        }
    }
}

fn frame(state: &SiteState) -> ContactFrame {
    let [t1, t2, normal] = state.axes;
    ContactFrame {
        gap: state.gap,
        // The state has the middle between the two nearest points.
        point: if state.gap.is_finite() { state.x + normal * (0.5 * state.gap) } else { state.x },
        normal,
        tangents: [t1, t2],
        velocity: state.u,
        unique: !state.degenerate,
    }
}
