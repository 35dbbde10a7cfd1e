//! Work on a number of threads.

use crate::error::AgilityError;
use rayon::ThreadPoolBuilder;

/// Does some work on so many threads, at least one. Parallel iterators inside keep the order of what
/// they go over, so the result does not depend on the number.
pub(crate) fn on<R: Send>(
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> Result<R, AgilityError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    let pool = pool.map_err(|e| AgilityError::Threads { threads, reason: e.to_string() })?;
    Ok(pool.install(work))
}
