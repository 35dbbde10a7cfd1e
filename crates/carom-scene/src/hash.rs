//! SHA-256 of the texts of a scene, so that a result names what it was computed from.

use sha2::{Digest, Sha256};

/// The SHA-256 of a list of texts, each with its length before it, in hexadecimal.
pub(crate) fn hash<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    }
    hasher.finalize().iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(list: &[&str]) -> String {
        hash(list.iter().copied())
    }

    /// Results on disk name their scene by it.
    #[test]
    fn hashes_stay_the_same() {
        assert_eq!(of(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(
            of(&["gravity = [0, 0, -9.81]\n", "", "μ"]),
            "40c68ac21302b47bb1198371f21d4253b192823ba511e6a0316da0ff218e15b8"
        );
    }

    #[test]
    fn lists_of_texts_do_not_run_together() {
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}
