//! Long lists of numbers: base64 of their bytes, least significant first.

use super::base64::encode;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A list of numbers, written as `{"f32": "…"}`, `{"f64": "…"}`, `{"u8": "…"}` or `{"u32": "…"}`.
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
}

impl Packed {
    /// Single precision in tuples of `width`; where all are the same, one stands for all.
    pub(super) fn track(numbers: &[f32], width: usize) -> Self {
        let first = numbers.get(..width).unwrap_or(numbers);
        let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let constant = numbers.chunks(width).all(|tuple| bits(tuple) == bits(first));
        Self::F32(if constant { first.to_vec() } else { numbers.to_vec() })
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
        }
    }
}

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, bytes): (&str, Vec<u8>) = match self {
            Self::F32(x) => ("f32", x.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Self::F64(x) => ("f64", x.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Self::U8(x) => ("u8", x.clone()),
            Self::U32(x) => ("u32", x.iter().flat_map(|x| x.to_le_bytes()).collect()),
        };
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(key, &encode(&bytes))?;
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
    fn bytes_come_least_significant_first() {
        let text = |p: Packed| serde_json::to_string(&p).unwrap();
        // 1.0 is 0x3f800000 in single and 0x3ff0000000000000 in double precision.
        assert_eq!(text(Packed::F32(vec![1.0])), r#"{"f32":"AACAPw=="}"#);
        assert_eq!(text(Packed::F64(vec![1.0])), r#"{"f64":"AAAAAAAA8D8="}"#);
        assert_eq!(text(Packed::U8(vec![0, 1, 2])), r#"{"u8":"AAEC"}"#);
    }
}
