//! Work over all threads, and figures of merit.

use std::sync::atomic::{AtomicU64, Ordering};

/// Calls `work` for 0, …, count − 1 on several threads; each folds into its own tally, and the tallies are added.
pub fn over<T: Default + Send>(
    (count, threads): (u64, u64),
    work: impl Fn(u64, &mut T) + Sync,
    mut add: impl FnMut(T),
) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    let mut tally = T::default();
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        if i >= count {
                            return tally;
                        }
                        work(i, &mut tally);
                    }
                })
            })
            .collect();
        for job in jobs {
            if let Ok(tally) = job.join() {
                add(tally);
            }
        }
    });
}

/// The larger of two figures, NaN being the largest.
pub fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
