//! Rows that wait to be written, column by column.
//!
//! Of thousands of columns of contacts most have one value for hundreds of rows. A column is
//! ```text
//! its value, until another comes; then one value a row                      (1)
//! ```
//! so that a row costs a comparison of what it has with the row before, and memory is that of what changes. Values are the
//! same if their bits are.
//!
//! # Tests
//! `eq1_columns_are_what_was_pushed` below.

/// What a column is made of.
pub(crate) trait Value: Copy {
    /// Whether two values have the same bits.
    fn same(self, other: Self) -> bool;
    /// Adds its bytes, the least significant first.
    fn put(self, bytes: &mut Vec<u8>);
    /// The value at the start of some bytes, and the rest.
    fn take(bytes: &[u8]) -> Option<(Self, &[u8])>;
}

impl Value for f64 {
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits()
    }

    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }

    fn take(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (own, rest) = bytes.split_first_chunk()?;
        Some((Self::from_le_bytes(*own), rest))
    }
}

impl Value for u8 {
    fn same(self, other: Self) -> bool {
        self == other
    }

    fn put(self, bytes: &mut Vec<u8>) {
        bytes.push(self);
    }

    fn take(bytes: &[u8]) -> Option<(Self, &[u8])> {
        bytes.split_first().map(|(own, rest)| (*own, rest))
    }
}

/// Columns compared together.
const BLOCK: usize = 64;

/// Some rows of a column, by (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lane<'a, T> {
    /// All rows have this value.
    One(T),
    /// A value for each row.
    Each(&'a [T]),
}

impl<'a, T: Value> Lane<'a, T> {
    /// The values of some rows.
    pub fn of(values: &'a [T]) -> Option<Self> {
        let first = *values.first()?;
        let same = values.iter().all(|x| x.same(first));
        Some(if same { Self::One(first) } else { Self::Each(values) })
    }

    /// Adds its bytes: whether there are many values, and those.
    pub fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::One(value) => {
                bytes.push(0);
                value.put(bytes);
            }
            Self::Each(values) => {
                bytes.push(1);
                values.iter().for_each(|value| value.put(bytes));
            }
        }
    }
}

/// The values of a lane of that many rows at the start of some bytes, one alone if all are the same; and the rest.
pub(crate) fn take_lane<T: Value>(bytes: &[u8], rows: usize) -> Option<(Vec<T>, &[u8])> {
    let (tag, mut rest) = bytes.split_first()?;
    let count = match tag {
        0 => 1,
        1 => rows,
        _ => return None,
    };
    // A damaged number of rows asks for no memory.
    let mut values = Vec::with_capacity(count.min(rest.len()));
    for _ in 0..count {
        let (value, behind) = T::take(rest)?;
        values.push(value);
        rest = behind;
    }
    Some((values, rest))
}

/// Columns in the making.
#[derive(Debug, Clone)]
pub(crate) struct Lanes<T> {
    /// The last row.
    last: Vec<T>,
    /// Columns with more than one value, in the order in which they got their second.
    varying: Vec<usize>,
    /// Values of those; the others are empty.
    columns: Vec<Vec<T>>,
    rows: usize,
}

impl<T: Value> Lanes<T> {
    /// That many columns without rows.
    pub fn new(width: usize) -> Self {
        let columns = (0..width).map(|_| Vec::new()).collect();
        Self { last: Vec::with_capacity(width), varying: Vec::new(), columns, rows: 0 }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// How many values are held.
    pub fn held(&self) -> usize {
        self.varying.len() * self.rows
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[T]) {
        debug_assert_eq!(row.len(), self.width());
        if self.rows == 0 {
            self.last.clear();
            self.last.extend_from_slice(row);
        }
        for &at in &self.varying {
            self.columns[at].push(row[at]);
            self.last[at] = row[at];
        }
        for start in (0..row.len()).step_by(BLOCK) {
            let end = row.len().min(start + BLOCK);
            let pairs = || row[start..end].iter().zip(&self.last[start..end]);
            // Without a branch, for many values at once.
            if pairs().fold(true, |all, (x, y)| all & x.same(*y)) {
                continue;
            }
            for at in start..end {
                if !row[at].same(self.last[at]) {
                    let column = &mut self.columns[at];
                    column.resize(self.rows, self.last[at]);
                    column.push(row[at]);
                    self.last[at] = row[at];
                    self.varying.push(at);
                }
            }
        }
        self.rows += 1;
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.varying.drain(..).for_each(|at| self.columns[at].clear());
        self.rows = 0;
    }

    /// The rows of a column from `first` on; none if there are no such rows.
    pub fn lane(&self, column: usize, first: usize) -> Option<Lane<'_, T>> {
        if first >= self.rows {
            return None;
        }
        match self.columns[column].get(first..) {
            Some(values) if !values.is_empty() => Lane::of(values),
            _ => Some(Lane::One(self.last[column])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_columns_are_what_was_pushed() {
        // Columns that never change, change once, at every row, back and forth, and between the two zeros.
        let width = 3 * BLOCK + 5;
        let value = |row: usize, column: usize| match column % 5 {
            0 => f64::INFINITY,
            1 => f64::from(u8::from(row > 3 * (column % 7))),
            2 => row as f64 + 0.25,
            3 => [0.0, -0.0][row / 2 % 2],
            _ => f64::from_bits(0x7ff8_0000_0000_0001),
        };
        let mut lanes = Lanes::new(width);
        for round in 0..3 {
            let rows = 17 + round;
            for row in 0..rows {
                lanes.push(&(0..width).map(|c| value(row, c)).collect::<Vec<_>>());
            }
            for first in 0..rows {
                for column in 0..width {
                    let found = match lanes.lane(column, first).unwrap() {
                        Lane::One(x) => vec![x; rows - first],
                        Lane::Each(values) => values.to_vec(),
                    };
                    assert_eq!(found.len(), rows - first);
                    let same = |(k, x): (usize, &f64)| x.same(value(first + k, column));
                    assert!(found.iter().enumerate().all(same), "{column} from {first}");
                }
            }
            assert_eq!(lanes.lane(0, 3), Some(Lane::One(f64::INFINITY)));
            assert!(lanes.held() < rows * width, "what does not change is held once");
            assert_eq!(lanes.lane(2, rows), None);
            lanes.clear();
            assert_eq!((lanes.held(), lanes.lane(2, 0)), (0, None));
        }
    }
}
