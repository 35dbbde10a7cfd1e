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

/// Most rows of a contact: two tangents, the normal, two of rolling and one of spinning.
pub const ROWS: usize = 6;

/// Rolling or spinning friction of a contact, by rows after its normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// It follows the normal force of its contact, (6) of the parent's parent.
    pub law: Contact,
    /// Largest eigenvalue of its rows of G.
    pub grip: f64,
}

/// The problem; memory is reused.
#[derive(Debug, Clone, Default)]
pub struct SparseProblem {
    /// First degree of freedom of each part in s, and the end of the last.
    pub starts: Vec<usize>,
    /// Contacts in row order, each of at most [`ROWS`] rows with those of its moments.
    pub contacts: Vec<Contact>,
    moments: Vec<[Option<Moment>; 2]>,
    /// Length by which a row of moments is measured, m; 1 for all others.
    units: Vec<f64>,
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
        self.moments.clear();
        self.units.clear();
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
        fill: impl FnMut(usize, &mut [f64]),
    ) {
        self.push_with(b, (friction, duty, &[]), parts, fill);
    }

    /// The same with moments: rows and coefficient of each, whose rows come after the normal. They are measured by the length ℓ
    /// of (4) of the parent.
    pub fn push_with(
        &mut self,
        b: &[f64],
        (friction, duty, moments): ([f64; 2], Duty, &[(usize, f64)]),
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
            tangents: b.len() - 1 - moments.iter().map(|(rows, _)| rows).sum::<usize>(),
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
        self.units.resize(self.b.len(), 1.0);
        let mut first = contact.rows().end;
        let mut own = [None; 2];
        for (slot, &(rows, mu)) in own.iter_mut().zip(moments) {
            let leader = Some((self.contacts.len() - 1, contact.normal()));
            let law = Contact { first, tangents: rows, duty: Duty::Coulomb, leader, ..contact };
            *slot = Some(Moment {
                law: Contact { friction: mu, static_friction: mu, ..law },
                grip: 0.0,
            });
            first += rows;
        }
        self.moments.push(own);
        self.scale_moments();
        self.measure();
    }

    /// (4) of the parent: rows of the moments of the last contact in units in which they move as easily as its normal.
    fn scale_moments(&mut self) {
        let k = self.contacts.len() - 1;
        let (c, rows) = (self.contacts[k], self.rows_of(k).len());
        for m in 0..2 {
            let Some(mut moment) = self.moments[k][m] else { continue };
            let own = moment.law.first - c.first..moment.law.first - c.first + moment.law.tangents;
            let stiff = own.clone().map(|i| self.between(k, (i, i))).fold(0.0, f64::max);
            let normal = self.between(k, (c.tangents, c.tangents));
            if !(stiff > 0.0 && normal > 0.0) {
                continue;
            }
            let length = (normal / stiff).sqrt();
            for piece in self.pieces[k].into_iter().flatten() {
                let n = self.starts[piece.part + 1] - self.starts[piece.part];
                debug_assert!(own.end <= rows);
                let at = piece.at + own.start * n..piece.at + own.end * n;
                self.entries[at].iter_mut().for_each(|z| *z *= length);
            }
            for i in own {
                self.b[c.first + i] *= length;
                self.units[c.first + i] = length;
            }
            moment.law.friction /= length;
            moment.law.static_friction /= length;
            self.moments[k][m] = Some(moment);
        }
    }

    /// Diagonal and grips of the last contact.
    fn measure(&mut self) {
        let k = self.contacts.len() - 1;
        let c = self.contacts[k];
        for i in 0..self.rows_of(k).len() {
            let own = self.between(k, (i, i));
            self.diagonal.push(own);
        }
        self.grip.push(self.largest_of(k, 0, c.tangents));
        for m in 0..2 {
            if let Some(mut moment) = self.moments[k][m] {
                moment.grip = self.largest_of(k, moment.law.first - c.first, moment.law.tangents);
                self.moments[k][m] = Some(moment);
            }
        }
    }

    /// Largest eigenvalue of up to two rows of G of contact k from `at` on.
    fn largest_of(&self, k: usize, at: usize, rows: usize) -> f64 {
        let G = |i: usize, j: usize| self.between(k, (at + i, at + j));
        match rows {
            0 => 0.0,
            1 => G(0, 0),
            _ => {
                let (mean, half) = (0.5 * (G(0, 0) + G(1, 1)), 0.5 * (G(0, 0) - G(1, 1)));
                mean + half.hypot(G(1, 0))
            }
        }
    }

    /// Rolling and spinning friction of contact k.
    pub fn moments(&self, k: usize) -> impl Iterator<Item = &Moment> {
        self.moments[k].iter().flatten()
    }

    /// All rows of contact k, with those of its moments.
    pub fn rows_of(&self, k: usize) -> std::ops::Range<usize> {
        let first = self.contacts[k].first;
        let end = self.contacts.get(k + 1).map_or(self.b.len(), |next| next.first);
        first..end
    }

    /// Length by which a row of moments is measured, m; 1 for all others.
    pub fn unit(&self, row: usize) -> f64 {
        self.units[row]
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
        let rows = self.rows_of(k).len();
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
        for k in 0..self.contacts.len() {
            self.add(k, &x[self.rows_of(k)], s);
        }
    }

    /// w = Z s + b.
    pub fn velocity(&self, s: &[f64], w: &mut Vec<f64>) {
        w.clear();
        w.extend_from_slice(&self.b);
        for k in 0..self.contacts.len() {
            let z = self.times(k, s);
            w[self.rows_of(k)].iter_mut().zip(z).for_each(|(w, z)| *w += z);
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
