//! The convex pieces of a mesh.
//!
//! # Rule
//! Points with the same coordinates are one; triangles of one object of the file that share a point are one *piece*. A piece stands for the convex
//! hull of its points. It is convex itself if the middle of each of its triangles lies on that hull, to within
//! [`DENT`] of its size; a piece that is not has to be cut where the file is made, or is filled up to its hull if that
//! is asked for.
//!
//! A concave mesh is cut into pieces by planes if that is asked for ([`crate::decompose`]).
//!
//! # Tests
//! Here, `tests/meshes.rs` and `tests/decompose.rs`.

use crate::decompose::{Asked, decompose};
use crate::mesh_file::Triangles;
use crate::parts::Approximation;
use carom::model::Hull;
use nalgebra::Vector3;
use std::collections::HashMap;
use std::sync::Arc;

/// Depth of a dent, a fraction of the size of its piece, that is filled in silence: what single precision and
/// rounding of edges leave.
pub(crate) const DENT: f64 = 1e-4;

/// Most corners of the hull of a piece, the outermost: every corner is a place where it may touch a plane, and every edge is compared
/// with those of the other shape. What is left out is told (`simplified`).
const MOST_CORNERS: usize = 500;

/// What becomes of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cut {
    /// Its pieces, which must be convex.
    Pieces,
    /// The hull of all of it.
    Hull,
    /// Pieces that are found by cutting it.
    Auto(Auto),
}

/// How a mesh is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Auto {
    /// Most pieces.
    pub most: usize,
    /// How far they may go beyond the mesh, m; [`MAY_FILL`] of its size where none is stated.
    pub concavity: Option<f64>,
}

/// Most pieces where none are stated.
pub(crate) const MOST_PIECES: usize = 32;

/// How far pieces that are found may go beyond a mesh, a share of its size.
const MAY_FILL: f64 = 0.01;

impl Cut {
    /// By the word of `meshes`, and how meshes are cut.
    pub fn stated(word: Option<&str>, auto: Auto) -> Option<Self> {
        match word {
            Some("hull") => Some(Self::Hull),
            Some("pieces") => Some(Self::Pieces),
            Some("auto") => Some(Self::Auto(auto)),
            _ => None,
        }
    }
}

/// What stands for a mesh.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    pub pieces: Vec<Arc<Hull>>,
    /// What was found by cutting it.
    pub found: Option<Approximation>,
}

/// What to do about a mesh that a robot file names.
pub(crate) const OF_ROBOTS: &str = "cut it into convex pieces that share no point, or write meshes = \"auto\", \"hull\" or \"none\"";

/// The hulls that stand for a mesh; otherwise what is wrong and what helps.
pub(crate) fn convex_pieces(
    mesh: &Triangles,
    cut: Cut,
) -> Result<Standing, (String, &'static str)> {
    let all = match cut {
        Cut::Pieces => pieces(mesh),
        Cut::Hull => vec![(0..mesh.corners.len()).collect()],
        Cut::Auto(auto) => return found(mesh, auto),
    };
    let count = all.len();
    let named = |k: usize| match count {
        1 => "it".to_string(),
        _ => format!("its piece {} of {count}", k + 1),
    };
    let mut hulls = Vec::with_capacity(count);
    for (k, triangles) in all.iter().enumerate() {
        let points: Vec<Vector3<f64>> =
            triangles.iter().flat_map(|&t| mesh.corners[t]).map(|i| mesh.points[i]).collect();
        let Some(hull) = Hull::of_mesh(MOST_CORNERS, &points) else {
            let because = format!("{} lies in a plane", named(k));
            return Err((because, "give pieces that enclose a volume"));
        };
        let dent = triangles.iter().map(|&t| depth(&hull, mesh, t)).fold(0.0, f64::max);
        if cut == Cut::Pieces && dent > DENT * size(&points) {
            let because = format!("{} is not convex: its hull would fill {dent:.3e} m", named(k));
            let instead = "write pieces = \"auto\" to have it cut, cut it into convex pieces that share no point, or are objects (`o`) of an OBJ file, or write hull = true to fill it";
            return Err((because, instead));
        }
        hulls.push(Arc::new(hull));
    }
    Ok(Standing { pieces: hulls, found: None })
}

/// Pieces by cuts ([`crate::decompose`]).
fn found(mesh: &Triangles, auto: Auto) -> Result<Standing, (String, &'static str)> {
    let close =
        "close the mesh where it is made, or fill it: hull = true, of robots meshes = \"hull\"";
    let concavity = auto.concavity.unwrap_or(MAY_FILL * size(&mesh.points));
    let asked = Asked { most: auto.most, concavity };
    let cut = decompose(mesh, asked, MOST_CORNERS).map_err(|open| (open.because(), close))?;
    let Some(cut) = cut else {
        return Err(("it lies in a plane".into(), "give a mesh that encloses a volume"));
    };
    if auto.concavity.is_some() && cut.concavity > concavity {
        let because = format!(
            "its {} pieces go up to {:.3e} m beyond it, farther than concavity = {concavity:e} m",
            cut.hulls.len(),
            cut.concavity
        );
        return Err((because, "give a larger max_pieces or a larger concavity"));
    }
    let pieces: Vec<Arc<Hull>> = cut.hulls.into_iter().map(Arc::new).collect();
    let (count, concavity, moments) = (pieces.len(), cut.concavity, cut.moments);
    let found = Approximation { pieces: count, concavity, moments };
    Ok(Standing { pieces, found: Some(found) })
}

/// Triangles by the piece that they belong to, in the order of their first triangles.
fn pieces(mesh: &Triangles) -> Vec<Vec<usize>> {
    let mut same: HashMap<(usize, [u64; 3]), usize> = HashMap::new();
    // −0 and 0 are one.
    let bits = |p: &Vector3<f64>| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
    let mut root: Vec<usize> = Vec::new();
    let mut corners: Vec<[usize; 3]> = Vec::with_capacity(mesh.corners.len());
    for (k, t) in mesh.corners.iter().enumerate() {
        let object = mesh.objects.get(k).copied().unwrap_or(0);
        corners.push(t.map(|i| {
            *same.entry((object, bits(&mesh.points[i]))).or_insert_with(|| {
                root.push(root.len());
                root.len() - 1
            })
        }));
    }
    for t in &corners {
        for &corner in &t[1..] {
            let (first, other) = (find(&mut root, t[0]), find(&mut root, corner));
            root[first.max(other)] = first.min(other);
        }
    }
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (k, t) in corners.iter().enumerate() {
        let piece = find(&mut root, t[0]);
        let place = *places.entry(piece).or_insert_with(|| {
            all.push(Vec::new());
            all.len() - 1
        });
        all[place].push(k);
    }
    all
}

/// The first of the points that a point is one with; paths are shortened on the way.
fn find(root: &mut [usize], mut i: usize) -> usize {
    while root[i] != i {
        root[i] = root[root[i]];
        i = root[i];
    }
    i
}

fn size(points: &[Vector3<f64>]) -> f64 {
    points.iter().map(|p| (p - points[0]).amax()).fold(0.0, f64::max)
}

/// How deep below the hull the middle of a triangle lies, m.
fn depth(hull: &Hull, mesh: &Triangles, triangle: usize) -> f64 {
    let middle: Vector3<f64> =
        mesh.corners[triangle].iter().map(|&i| mesh.points[i]).sum::<Vector3<f64>>() / 3.0;
    let below = |(n, f): &(Vector3<f64>, Vec<usize>)| n.dot(&(hull.corners[f[0]] - middle));
    hull.faces.iter().map(below).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve triangles of a box between two corners.
    fn brick(mesh: &mut Triangles, low: [f64; 3], high: [f64; 3]) {
        let first = mesh.points.len();
        for i in 0..8 {
            let at = |k: usize| if i >> k & 1 == 1 { high[k] } else { low[k] };
            mesh.points.push(Vector3::new(at(0), at(1), at(2)));
        }
        for f in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            let f = f.map(|i| first + i);
            mesh.corners.extend([[f[0], f[1], f[2]], [f[0], f[2], f[3]]]);
        }
    }

    #[test]
    fn pieces_that_share_no_point_are_apart() {
        let mut mesh = Triangles::default();
        brick(&mut mesh, [0.0; 3], [1.0, 1.0, 1.0]);
        brick(&mut mesh, [2.0, 0.0, 0.0], [3.0, 1.0, 0.5]);
        let hulls = convex_pieces(&mesh, Cut::Pieces).unwrap().pieces;
        assert_eq!(hulls.len(), 2);
        let volumes: Vec<f64> = hulls.iter().map(|h| h.moments().0).collect();
        assert!((volumes[0] - 1.0).abs() < 1e-14 && (volumes[1] - 0.5).abs() < 1e-14);
        let filled = convex_pieces(&mesh, Cut::Hull).unwrap().pieces;
        assert_eq!(filled.len(), 1);
        assert!(filled[0].moments().0 > 2.2);
    }

    #[test]
    fn a_dent_is_told() {
        // Two boxes that share an edge of points make one piece, in the shape of an L.
        let mut mesh = Triangles::default();
        brick(&mut mesh, [0.0; 3], [1.0, 1.0, 1.0]);
        brick(&mut mesh, [1.0, 0.0, 0.0], [2.0, 1.0, 0.5]);
        let (because, instead) = convex_pieces(&mesh, Cut::Pieces).unwrap_err();
        assert!(because.contains("not convex") && instead.contains("hull = true"), "{because}");
        assert!(convex_pieces(&mesh, Cut::Hull).is_ok());
    }

    #[test]
    fn a_flat_piece_is_told() {
        let points = vec![Vector3::zeros(), Vector3::x(), Vector3::y()];
        let mesh = Triangles { points, corners: vec![[0, 1, 2]], ..Triangles::default() };
        assert!(convex_pieces(&mesh, Cut::Pieces).unwrap_err().0.contains("plane"));
    }
}
