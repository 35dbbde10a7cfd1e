//! Long lists of numbers: base64 of their bytes, least significant first.

use super::base64::encode;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A list of numbers, written as `{"f32": "…"}`, `{"f64": "…"}`, `{"u8": "…"}` or `{"u32": "…"}`; tuples of which many follow
/// each other unchanged as `{"f32": "…", "runs": "…"}`.
#[derive(Debug, Clone, PartialEq)]
pub enum Packed {
    /// Single precision, for what is drawn.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// Codes.
    U8(Vec<u8>),
    /// Numbers of things.
    U32(Vec<u32>),
    /// Tuples of single precision, and how often each stands.
    Runs {
        /// The tuples.
        tuples: Vec<f32>,
        /// How often each stands; as many as there are tuples.
        runs: Vec<u32>,
    },
}

impl Packed {
    /// Single precision in tuples of `width`; where all are the same, one stands for all, and where most are those
    /// before them, they are counted.
    pub(super) fn track(numbers: &[f32], width: usize) -> Self {
        let (mut tuples, mut runs): (Vec<f32>, Vec<u32>) = (Vec::new(), Vec::new());
        for tuple in numbers.chunks(width) {
            let last = &tuples[tuples.len().saturating_sub(width)..];
            let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
            if last.len() == tuple.len() && last.iter().zip(tuple).all(same) {
                runs.last_mut().into_iter().for_each(|n| *n += 1);
            } else {
                tuples.extend_from_slice(tuple);
                runs.push(1);
            }
        }
        match runs.len() {
            0 | 1 => Self::F32(tuples),
            n if 2 * n * (width + 1) < numbers.len() => Self::Runs { tuples, runs },
            _ => Self::F32(numbers.to_vec()),
        }
    }

    /// Codes; where all are the same, one stands for all.
    pub(super) fn codes(codes: Vec<u8>) -> Self {
        let constant = codes.windows(2).all(|w| w[0] == w[1]);
        Self::U8(if constant { codes.into_iter().take(1).collect() } else { codes })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(x) => x.len(),
            Self::F64(x) => x.len(),
            Self::U8(x) => x.len(),
            Self::U32(x) => x.len(),
            Self::Runs { tuples, runs } => {
                let times: usize = runs.iter().map(|n| *n as usize).sum();
                times * (tuples.len() / runs.len().max(1))
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers, whatever their width.
    pub fn to_f64(&self) -> Vec<f64> {
        match self {
            Self::F32(x) => x.iter().map(|x| f64::from(*x)).collect(),
            Self::F64(x) => x.clone(),
            Self::U8(x) => x.iter().map(|x| f64::from(*x)).collect(),
            Self::U32(x) => x.iter().map(|x| f64::from(*x)).collect(),
            Self::Runs { tuples, runs } => {
                let width = tuples.len() / runs.len().max(1);
                let all = tuples.chunks(width.max(1)).zip(runs);
                let all = all.flat_map(|(tuple, n)| tuple.repeat(*n as usize));
                all.map(f64::from).collect()
            }
        }
    }
}

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words = |x: &[u32]| x.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let (key, bytes): (&str, Vec<u8>) = match self {
            Self::F32(x) | Self::Runs { tuples: x, .. } => {
                ("f32", x.iter().flat_map(|x| x.to_le_bytes()).collect())
            }
            Self::F64(x) => ("f64", x.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Self::U8(x) => ("u8", x.clone()),
            Self::U32(x) => ("u32", words(x)),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(key, &encode(&bytes))?;
        if let Self::Runs { runs, .. } = self {
            map.serialize_entry("runs", &encode(&words(runs)))?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_kept_once() {
        assert_eq!(Packed::track(&[0.0, 1.0, 0.0, 1.0], 2), Packed::F32(vec![0.0, 1.0]));
        assert_eq!(Packed::track(&[0.0, 1.0, 0.0, 2.0], 2).len(), 4);
        assert_eq!(Packed::track(&[0.0, 0.0, 0.0, -0.0], 2).len(), 4, "to the last bit");
        assert_eq!(Packed::track(&[], 3).len(), 0);
        assert_eq!(Packed::codes(vec![2, 2, 2]), Packed::U8(vec![2]));
        assert_eq!(Packed::codes(vec![2, 1]).len(), 2);
    }

    #[test]
    fn what_stays_is_counted() {
        let mut long = [1.0, 2.0].repeat(20);
        long.extend([3.0, 4.0].repeat(30));
        let packed = Packed::track(&long, 2);
        let wanted = Packed::Runs { tuples: vec![1.0, 2.0, 3.0, 4.0], runs: vec![20, 30] };
        assert_eq!(packed, wanted);
        assert_eq!(packed.len(), long.len());
        assert_eq!(packed.to_f64(), long.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
        let text = serde_json::to_string(&packed).unwrap();
        assert_eq!(text, r#"{"f32":"AACAPwAAAEAAAEBAAACAQA==","runs":"FAAAAB4AAAA="}"#);
    }

    #[test]
    fn bytes_come_least_significant_first() {
        let text = |p: Packed| serde_json::to_string(&p).unwrap();
        // 1.0 is 0x3f800000 in single and 0x3ff0000000000000 in double precision.
        assert_eq!(text(Packed::F32(vec![1.0])), r#"{"f32":"AACAPw=="}"#);
        assert_eq!(text(Packed::F64(vec![1.0])), r#"{"f64":"AAAAAAAA8D8="}"#);
        assert_eq!(text(Packed::U8(vec![0, 1, 2])), r#"{"u8":"AAEC"}"#);
    }
}
