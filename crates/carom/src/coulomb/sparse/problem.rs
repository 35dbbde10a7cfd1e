//! Z, b and the contacts, contact by contact and part by part.

use crate::coulomb::problem::{Contact, Duty};

/// The rows of one contact at the degrees of freedom of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The part.
    pub part: usize,
    /// Where its entries begin, row by row.
    at: usize,
}

/// Most rows of a contact.
pub const ROWS: usize = 3;

/// The problem; memory is reused.
#[derive(Debug, Clone, Default)]
pub struct SparseProblem {
    /// First degree of freedom of each part in s, and the end of the last.
    pub starts: Vec<usize>,
    /// Contacts in row order, each of at most [`ROWS`] rows.
    pub contacts: Vec<Contact>,
    /// b.
    pub b: Vec<f64>,
    pieces: Vec<[Option<Piece>; 2]>,
    entries: Vec<f64>,
    /// Gᵢᵢ.
    diagonal: Vec<f64>,
    /// Largest eigenvalue of Gₜₜ of each contact.
    grip: Vec<f64>,
}

impl SparseProblem {
    /// Forget everything; parts have so many degrees of freedom.
    pub fn reset(&mut self, sizes: impl Iterator<Item = usize>) {
        self.starts.clear();
        self.starts.push(0);
        let mut end = 0;
        self.starts.extend(sizes.map(|n| {
            end += n;
            end
        }));
        self.contacts.clear();
        self.b.clear();
        self.pieces.clear();
        self.entries.clear();
        self.diagonal.clear();
        self.grip.clear();
    }

    /// Append a contact. `fill` writes the rows of a part, row by row, tangents first; `parts` are the
    /// parts that it moves, b its rows of b, friction μd and μs.
    pub fn push(
        &mut self,
        b: &[f64],
        friction: [f64; 2],
        duty: Duty,
        parts: [Option<usize>; 2],
        mut fill: impl FnMut(usize, &mut [f64]),
    ) {
        debug_assert!(!b.is_empty() && b.len() <= ROWS);
        let mut pieces = [None; 2];
        for (piece, part) in pieces.iter_mut().zip(parts) {
            let Some(part) = part else { continue };
            let at = self.entries.len();
            self.entries.resize(at + b.len() * self.size(part), 0.0);
            fill(part, &mut self.entries[at..]);
            *piece = Some(Piece { part, at });
        }
        let contact = Contact {
            first: self.b.len(),
            tangents: b.len() - 1,
            friction: friction[0],
            static_friction: friction[1],
            preload: 0.0,
            driven: false,
            leader: None,
            duty,
        };
        self.b.extend_from_slice(b);
        self.contacts.push(contact);
        self.pieces.push(pieces);
        self.measure();
    }

    /// Diagonal and grip of the last contact.
    fn measure(&mut self) {
        let k = self.contacts.len() - 1;
        let rows = self.contacts[k].rows().len();
        let mut G = [[0.0; ROWS]; ROWS];
        for i in 0..rows {
            for j in 0..=i {
                G[i][j] = self.between(k, (i, j));
            }
            self.diagonal.push(G[i][i]);
        }
        self.grip.push(match rows {
            1 => 0.0,
            2 => G[0][0],
            _ => {
                let (mean, half) = (0.5 * (G[0][0] + G[1][1]), 0.5 * (G[0][0] - G[1][1]));
                mean + half.hypot(G[1][0])
            }
        });
    }

    fn between(&self, k: usize, (i, j): (usize, usize)) -> f64 {
        let dot = |piece: &Piece| {
            let n = self.size(piece.part);
            let row = |i: usize| &self.entries[piece.at + i * n..piece.at + (i + 1) * n];
            row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum::<f64>()
        };
        self.pieces[k].iter().flatten().map(dot).sum()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// Entries of Z.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.starts.len() - 1
    }

    /// Degrees of freedom of a part.
    pub fn size(&self, part: usize) -> usize {
        self.starts[part + 1] - self.starts[part]
    }

    /// Degrees of freedom of all parts.
    pub fn freedom(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Gᵢᵢ of a row.
    pub fn diagonal(&self, row: usize) -> f64 {
        self.diagonal[row]
    }

    /// Largest eigenvalue of Gₜₜ of a contact.
    pub fn grip(&self, k: usize) -> f64 {
        self.grip[k]
    }

    /// Largest Gᵢᵢ.
    pub fn largest(&self) -> f64 {
        self.diagonal.iter().fold(0.0, |g, d| d.max(g))
    }

    /// The pieces of a contact, each with its rows: entry j of row i is at i n + j.
    pub fn pieces(&self, k: usize) -> impl Iterator<Item = (usize, &[f64])> {
        let rows = self.contacts[k].rows().len();
        self.pieces[k].iter().flatten().map(move |piece| {
            let n = self.size(piece.part);
            (piece.part, &self.entries[piece.at..piece.at + rows * n])
        })
    }

    /// The parts that a contact moves.
    pub fn parts_of(&self, k: usize) -> [Option<usize>; 2] {
        self.pieces[k].map(|piece| piece.map(|p| p.part))
    }

    /// Rows of contact k of Z s.
    pub fn times(&self, k: usize, s: &[f64]) -> [f64; ROWS] {
        let mut w = [0.0; ROWS];
        for (part, rows) in self.pieces(k) {
            let s = &s[self.starts[part]..self.starts[part + 1]];
            for (w, row) in w.iter_mut().zip(rows.chunks_exact(s.len())) {
                *w += row.iter().zip(s).map(|(z, s)| z * s).sum::<f64>();
            }
        }
        w
    }

    /// s += Zₖᵀ x for the rows of contact k.
    pub fn add(&self, k: usize, x: &[f64], s: &mut [f64]) {
        for (part, rows) in self.pieces(k) {
            let s = &mut s[self.starts[part]..self.starts[part + 1]];
            for (x, row) in x.iter().zip(rows.chunks_exact(s.len())) {
                s.iter_mut().zip(row).for_each(|(s, z)| *s += z * x);
            }
        }
    }

    /// s = Zᵀ x.
    pub fn gather(&self, x: &[f64], s: &mut Vec<f64>) {
        s.clear();
        s.resize(self.freedom(), 0.0);
        for (k, c) in self.contacts.iter().enumerate() {
            self.add(k, &x[c.rows()], s);
        }
    }

    /// w = Z s + b.
    pub fn velocity(&self, s: &[f64], w: &mut Vec<f64>) {
        w.clear();
        w.extend_from_slice(&self.b);
        for (k, c) in self.contacts.iter().enumerate() {
            let z = self.times(k, s);
            w[c.rows()].iter_mut().zip(z).for_each(|(w, z)| *w += z);
        }
    }

    /// A = Gₙₙ − μd Gₙₜ û of a sliding contact; Gₙₙ of all others.
    pub fn pivot(&self, k: usize) -> f64 {
        let c = &self.contacts[k];
        let own = self.diagonal[c.normal()];
        let Duty::Sliding(d) = c.duty else { return own };
        let pull: f64 =
            (0..c.tangents).zip(d).map(|(t, d)| self.between(k, (c.tangents, t)) * d).sum();
        own - c.friction * pull
    }
}
