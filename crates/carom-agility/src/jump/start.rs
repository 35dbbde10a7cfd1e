//! Random postures with a foot on the ground, the same for the same seed.
//!
//! # Law
//! Coordinate k of sample i at its attempt j is uniform in its range by the hash of (seed, i, j, k),
//! ```text
//! q_k = from_k + (to_k − from_k) h(seed, i, j, k)/2⁵³                                     (1)
//! ```
//! so a sample depends neither on the others nor on the order in which they are drawn. The free body is
//! then shifted along the normal until the foot touches, and the posture is taken if every joint and
//! every centre of mass lies above the ground (Flickinger 2011, (6.10) and (6.11)).
//!
//! # Source
//! h is SplitMix64's output function (Steele, Lea and Flood 2014) chained over the four numbers.
//!
//! # Tests
//! `tests/jump.rs`: `eq1_samples_do_not_depend_on_order`, `postures_stand_on_the_ground`.

use carom::contact::site_state::site_state;
use carom::contact::{Site, SiteGeometry};
use carom::dynamics::jacobian::{VelocityProducts, velocity_products};
use carom::dynamics::{Kinematics, kinematics};
use carom::model::Model;
use carom::model::tree::{LinkMotion, WORLD};
use carom::state::State;
use nalgebra::Vector3;
use thiserror::Error;

/// Attempts at one posture.
const ATTEMPTS: u64 = 10_000;

/// A coordinate that varies.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// Its name.
    pub name: String,
    /// Its place in q.
    pub q: usize,
    /// Lower end, rad or m.
    pub from: f64,
    /// Upper end, rad or m.
    pub to: f64,
}

/// Why there are no postures.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum JumpStartError {
    /// The foot is no point, sphere or ellipsoid on a plane that is fixed to the world.
    #[error("contact `{site}` is no foot: it must be a shape on a plane fixed to the world")]
    NoFoot {
        /// The site.
        site: String,
    },
    /// The mechanism does not float.
    #[error(
        "the foot of `{site}` is not carried by a free body, which could be moved to the ground"
    )]
    NotFree {
        /// The site.
        site: String,
    },
    /// No posture of the ranges stands on the ground.
    #[error(
        "in {attempts} attempts no posture of sample {sample} has every joint above the ground"
    )]
    NoPosture {
        /// The sample.
        sample: u64,
        /// How many were tried.
        attempts: u64,
    },
}

impl JumpStartError {
    /// What the user may do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoFoot { .. } => "name a contact between a foot and the ground",
            Self::NotFree { .. } => "the body that carries the leg must be free",
            Self::NoPosture { .. } => "narrow the ranges",
        }
    }
}

/// Makes postures.
#[derive(Debug, Clone)]
pub struct JumpStart<'m> {
    model: &'m Model,
    foot: Site,
    /// First translation of the free body: place in q and in v, and how many there are.
    base: (usize, usize, usize),
    varied: Vec<Varied>,
    seed: u64,
    kin: Kinematics,
    products: VelocityProducts,
}

impl<'m> JumpStart<'m> {
    /// Postures of `model` with `foot` on the ground.
    pub fn new(
        model: &'m Model,
        foot: &Site,
        varied: Vec<Varied>,
        seed: u64,
    ) -> Result<Self, JumpStartError> {
        let no_foot = || JumpStartError::NoFoot { site: foot.name.clone() };
        let SiteGeometry::OnPlane { plane_body, shape_body, .. } = &foot.geometry else {
            return Err(no_foot());
        };
        let links = &model.tree().links;
        let link_of = |body: &Option<carom::model::BodyId>| {
            body.map_or(WORLD, |b| model.tree().seats[b.index()].link)
        };
        let mut link = link_of(shape_body);
        if link_of(plane_body) != WORLD || link == WORLD {
            return Err(no_foot());
        }
        while links[link].parent != WORLD {
            link = links[link].parent;
        }
        let count = match links[link].motion {
            LinkMotion::Free => 3,
            LinkMotion::Planar => 2,
            _ => return Err(JumpStartError::NotFree { site: foot.name.clone() }),
        };
        let base = (links[link].q, links[link].v, count);
        let (kin, products) = (Kinematics::new(model), VelocityProducts::new(model));
        Ok(Self { model, foot: foot.clone(), base, varied, seed, kin, products })
    }

    /// What varies.
    pub fn varied(&self) -> &[Varied] {
        &self.varied
    }

    /// The state of sample `index` into `state`, which holds everything that does not vary.
    pub fn draw(&mut self, index: u64, state: &mut State) -> Result<(), JumpStartError> {
        for attempt in 0..ATTEMPTS {
            for (k, varied) in self.varied.iter().enumerate() {
                let u = uniform([self.seed, index, attempt, k as u64]);
                state.q[varied.q] = varied.from + (varied.to - varied.from) * u;
            }
            if self.stand(state) {
                return Ok(());
            }
        }
        Err(JumpStartError::NoPosture { sample: index, attempts: ATTEMPTS })
    }

    /// Shift the free body so that the foot touches; whether everything is above the ground then.
    pub fn stand(&mut self, state: &mut State) -> bool {
        let (q, v, count) = self.base;
        let (mut normal, mut ground) = (Vector3::zeros(), Vector3::zeros());
        // The gap is linear in the shift: the second round removes the round-off of the first.
        for _ in 0..2 {
            kinematics(self.model, state.q.as_slice(), state.v.as_slice(), &mut self.kin);
            velocity_products(self.model, &self.kin, &mut self.products);
            let at = (state.q.as_slice(), state.v.as_slice());
            let s = site_state(self.model, &self.foot, (&self.kin, &self.products), at);
            (normal, ground) = (s.axes[2], s.x);
            for i in 0..count {
                state.q[q + i] -= s.gap * normal.dot(&self.kin.axes[v + i]);
            }
        }
        self.kin.links.iter().all(|link| {
            let height = |x: &Vector3<f64>| (x - ground).dot(&normal);
            let center = if link.I.mass > 0.0 { link.o + link.I.h / link.I.mass } else { link.o };
            height(&link.o) >= 0.0 && height(&center) >= 0.0
        })
    }
}

/// A number in [0, 1) by the hash of the parts, equation (1).
pub fn uniform(parts: [u64; 4]) -> f64 {
    let mut hash = 0_u64;
    for part in parts {
        hash = mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ mix(part));
    }
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

/// SplitMix64's output function.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
