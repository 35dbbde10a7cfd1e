//! The plane in which a branch of the tree moves, if there is one.
//!
//! A branch is a link on the world and everything it carries. It moves in a plane when all its
//! turns are about one direction n of the world and all its shifts are across n: this holds in
//! every posture when it holds in one, because turns about n keep n and map what is across n to
//! what is across n.
//!
//! # Tests
//! `tests/flight.rs`: `a_tilted_axis_is_not_planar`, `planar_is_articulated`.

use crate::model::tree::{Link, LinkMotion, WORLD};
use crate::numeric::thresholds::dynamics::STRAIGHT;
use crate::spatial::rotation;
use nalgebra::{Matrix3, Vector3};

/// The direction n of a branch and two axes across it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Columns: two axes in the plane, then n.
    axes: Matrix3<f64>,
}

impl Plane {
    /// The plane of the branch made of those links; `frames` are the base frames of all links
    /// of the tree in the posture where no joint turns or shifts.
    pub fn of(links: &[Link], frames: &[Matrix3<f64>], branch: &[usize]) -> Option<Self> {
        let mut turns = Vec::new();
        let mut shifts = Vec::new();
        for &i in branch {
            let R = &frames[i];
            match links[i].motion {
                LinkMotion::Turn => turns.push(R.column(2).into_owned()),
                LinkMotion::Shift(axis) => shifts.push(R * axis),
                LinkMotion::Planar => {
                    turns.push(R.column(2).into_owned());
                    shifts.extend([R.column(0).into_owned(), R.column(1).into_owned()]);
                }
                LinkMotion::Ball | LinkMotion::Free => return None,
            }
        }
        let n = normal(&turns, &shifts)?;
        let parallel = |a: &Vector3<f64>| a.cross(&n).norm() <= STRAIGHT;
        let across = |a: &Vector3<f64>| a.dot(&n).abs() <= STRAIGHT;
        let holds = turns.iter().all(parallel) && shifts.iter().all(across);
        holds.then(|| Self { axes: rotation::with_z_along(&n) })
    }

    /// The part of a vector in the plane.
    pub fn project(&self, a: &Vector3<f64>) -> [f64; 2] {
        [self.axes.column(0).dot(a), self.axes.column(1).dot(a)]
    }

    /// n.
    pub fn normal(&self) -> Vector3<f64> {
        self.axes.column(2).into_owned()
    }
}

/// A direction that the first turn has, or that the shifts leave.
fn normal(turns: &[Vector3<f64>], shifts: &[Vector3<f64>]) -> Option<Vector3<f64>> {
    if let Some(n) = turns.first() {
        return Some(n.normalize());
    }
    let first = shifts.first()?;
    let crossed = shifts.iter().map(|a| first.cross(a)).find(|c| c.norm() > STRAIGHT);
    let aside = || rotation::with_z_along(&first.normalize()).column(0).into_owned();
    Some(crossed.map_or_else(aside, |c| c.normalize()))
}

/// Base frames of all links in the posture where no joint turns or shifts, and the origins of the
/// links seen from their parents there, in world axes.
pub fn unmoved(links: &[Link]) -> (Vec<Matrix3<f64>>, Vec<Vector3<f64>>) {
    let mut frames: Vec<Matrix3<f64>> = Vec::with_capacity(links.len());
    let mut arms = Vec::with_capacity(links.len());
    for link in links {
        let R = if link.parent == WORLD { Matrix3::identity() } else { frames[link.parent] };
        frames.push(R * link.base.R);
        arms.push(R * link.base.r);
    }
    (frames, arms)
}
