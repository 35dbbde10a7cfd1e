//! The cuts, one after the other: equation (3) of [`super`].
//!
//! # Rule
//! Of each direction, and of the planes beside dents, those with the least volumes are kept; of these the one is taken for which
//! ```text
//! max(c₁, c₂)/c + ½ (V₁ + V₂)/V + 0.1 ((V₁ − V₂)/(V₁ + V₂))² − 0.05 a/ℓ                (1)
//! ```
//! is least, where a share of c above [`GAIN`] counts as one, below it the third term is left out, and a is the extent across the plane of a piece of the longest extent ℓ.
//!
//! # Tests
//! `tests/decompose.rs`.

use super::closed::{Closed, OpenEdge, extent};
use super::excess::{FEW, MOST, concavity};
use super::part::{Part, Plane};
use super::planes::{beside_dents, tried};
use super::tree::Tree;
use crate::mesh_file::Triangles;
use carom::model::Hull;
use nalgebra::{Matrix3, Vector3};

/// What is asked of a decomposition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Asked {
    /// Most pieces.
    pub most: usize,
    /// The concavity from which on a piece is not cut, m.
    pub concavity: f64,
}

/// What became of it.
#[derive(Debug, Clone)]
pub(crate) struct Pieces {
    pub hulls: Vec<Hull>,
    /// The largest concavity of a piece, from above, m.
    pub concavity: f64,
    /// Volume, centre of mass and ∫xxᵀ about it of the solid, of unit density.
    pub moments: (f64, Vector3<f64>, Matrix3<f64>),
}

/// Most points of parts that all planes that are tried may have between them: some tens of seconds.
pub(crate) const WORK: usize = 60_000_000;

/// Corners of the hulls that planes are compared by.
const ROUGHLY: usize = 120;

/// Weight of the volumes against the concavities.
const VOLUME: f64 = 0.5;

/// Weight of cuts into halves of one size: a cup has to be quartered before any of its hulls gets smaller.
const EVEN: f64 = 0.1;

/// Weight of cuts across the longest side.
const ACROSS: f64 = 0.05;

/// A larger share of the concavity than this is no gain: few cubes tell it only roughly.
const GAIN: f64 = 0.8;

/// Planes beside the longest dents whose concavities are compared, and as many of the others.
const DENTS: usize = 3;

/// A part that is cut, or a piece.
struct Piece {
    part: Part,
    hull: Hull,
    concavity: f64,
    /// No plane cuts it.
    done: bool,
}

/// Cut a mesh into pieces, each of at most `corners` corners; otherwise an edge at which it is open.
pub(crate) fn decompose(
    mesh: &Triangles,
    asked: Asked,
    corners: usize,
) -> Result<Option<Pieces>, OpenEdge> {
    let mesh = Closed::of(mesh)?;
    if mesh.corners.is_empty() {
        return Ok(None);
    }
    let tree = Tree::new(&mesh);
    let dents = beside_dents(&mesh);
    let piece = |part: Part| -> Option<Piece> {
        let hull = part.hull(corners)?;
        let [_, concavity] = concavity(&tree, &hull, MOST);
        Some(Piece { part, hull, concavity, done: false })
    };
    let Some(first) = piece(Part::whole(&tree)) else { return Ok(None) };
    let mut pieces = vec![first];
    let mut work = 0;
    while pieces.len() < asked.most && work < WORK {
        let open =
            pieces.iter().enumerate().filter(|(_, p)| !p.done && p.concavity > asked.concavity);
        let worst = open.max_by(|one, other| {
            one.1.concavity.total_cmp(&other.1.concavity).then(other.0.cmp(&one.0))
        });
        let Some((place, _)) = worst else { break };
        let piece_now = &pieces[place];
        let longest = extent(&piece_now.hull.corners).max();
        let mut choice = Choice { piece: piece_now, tree: &tree, longest, work };
        let halves = choice.best(&dents);
        work = choice.work;
        match halves {
            Some(halves) => {
                let mut halves = halves.into_iter().filter_map(piece);
                let Some(one) = halves.next() else { continue };
                pieces[place] = one;
                pieces.extend(halves);
            }
            None => pieces[place].done = true,
        }
    }
    let concavity = pieces.iter().map(|p| p.concavity).fold(0.0, f64::max);
    let hulls = pieces.into_iter().map(|p| p.hull).collect();
    Ok(Some(Pieces { hulls, concavity, moments: mesh.moments() }))
}

/// A plane that is tried: what it costs by volumes, and the distance to the next one like it.
#[derive(Clone, Copy)]
struct Trial {
    plane: Plane,
    step: f64,
    cost: f64,
    /// The part of the cost for halves that are not even.
    uneven: f64,
}

/// Where a piece is cut.
struct Choice<'a> {
    piece: &'a Piece,
    tree: &'a Tree<'a>,
    /// Longest extent of the piece along the axes, m.
    longest: f64,
    work: usize,
}

impl Piece {
    /// The extent of the hull along a direction.
    fn hull_along(&self, n: &Vector3<f64>) -> f64 {
        let ends = |(l, h): (f64, f64), x: f64| (l.min(x), h.max(x));
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = self.hull.corners.iter().map(|p| n.dot(p)).fold(none, ends);
        high - low
    }
}

impl Choice<'_> {
    /// The halves by the best plane; none if there is none.
    fn best(&mut self, dents: &[Plane]) -> Option<[Part; 2]> {
        // The best of each direction, and of the planes beside dents.
        let mut best: Vec<Trial> = Vec::new();
        let mut beside: Vec<Trial> = Vec::new();
        for (plane, step) in tried(&self.piece.part, dents) {
            let Some((cost, uneven)) = self.by_volume(&plane) else { continue };
            let trial = Trial { plane, step, cost, uneven };
            match best.last_mut().filter(|last| last.plane.normal == plane.normal && step > 0.0) {
                _ if step == 0.0 => beside.push(trial),
                Some(last) if cost < last.cost => *last = trial,
                Some(_) => {}
                None => best.push(trial),
            }
        }
        // Those beside the longest dents, which come first, and those of the least cost.
        best.extend(beside.iter().take(DENTS));
        let mut rest = beside.split_off(DENTS.min(beside.len()));
        rest.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        best.extend(rest.into_iter().take(DENTS));
        let rated = best.into_iter().map(|trial| {
            let share = self.by_concavity(&trial.plane);
            // What is gained need not be even.
            let even = if share < 1.0 { trial.uneven } else { 0.0 };
            (share + trial.cost - even, trial)
        });
        let (_, chosen) = rated.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let plane = self.refined(chosen);
        self.piece.part.cut(self.tree, &plane)
    }

    /// The sum of the volumes of the hulls of both halves, how uneven they are, and how short the side that is cut is; none if there are no halves.
    fn by_volume(&mut self, plane: &Plane) -> Option<(f64, f64)> {
        let part = &self.piece.part;
        self.work += part.points.len();
        let volume = |part: Part| part.hull(ROUGHLY).map_or(0.0, |hull| hull.moments().0);
        let [one, other] = part.cut(self.tree, plane)?.map(volume);
        let uneven = (one - other) / (one + other).max(f64::MIN_POSITIVE);
        let (whole, along) = (self.piece.hull.moments().0, self.piece.hull_along(&plane.normal));
        let short = 1.0 - along / self.longest;
        let uneven = EVEN * uneven * uneven;
        Some((VOLUME * (one + other) / whole + uneven + ACROSS * short, uneven))
    }

    /// The larger concavity of the halves, as a share of that of the piece.
    fn by_concavity(&self, plane: &Plane) -> f64 {
        let Some(halves) = self.piece.part.cut(self.tree, plane) else { return 1.0 };
        // In the middle of what few cubes leave open.
        let middle = |hull: Hull| concavity(self.tree, &hull, FEW).iter().sum::<f64>() * 0.5;
        let of = |part: Part| part.hull(ROUGHLY).map_or(0.0, middle);
        let share = halves.map(of).into_iter().fold(0.0, f64::max) / self.piece.concavity;
        if share < GAIN { share } else { 1.0 }
    }

    /// A plane near another one that costs less by volume.
    fn refined(&mut self, mut trial: Trial) -> Plane {
        let steps = [0.5, 0.25].map(|share| share * trial.step);
        for by in steps.into_iter().filter(|by| *by > 0.0).flat_map(|by| [-by, by]) {
            let plane = Plane { offset: trial.plane.offset + by, ..trial.plane };
            if let Some((cost, uneven)) =
                self.by_volume(&plane).filter(|found| found.0 < trial.cost)
            {
                trial = Trial { plane, cost, uneven, ..trial };
            }
        }
        trial.plane
    }
}
