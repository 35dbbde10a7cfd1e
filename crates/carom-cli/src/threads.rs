//! How many threads work.

use std::thread::available_parallelism;

/// More threads than this, or than cores if there are more, only wait for each other.
const MOST: usize = 64;

/// The number that is asked for, as far as it is of use; all cores if none is. Results never depend
/// on it.
pub fn count(asked: Option<usize>) -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    asked.unwrap_or(cores).clamp(1, MOST.max(cores))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_numbers_are_bounded() {
        assert_eq!((count(Some(0)), count(Some(1)), count(Some(8))), (1, 1, 8));
        assert!(count(Some(usize::MAX)) <= MOST.max(count(None)));
    }
}
