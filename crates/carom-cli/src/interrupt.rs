//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::exit;

/// One for the process, which has one Ctrl-C: commands of a program that uses this as a library follow each other.
static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Set by Ctrl-C or a request to terminate; a second one ends the process at once.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Without a handler the run can still be done; it can only not be interrupted gently.
        let _ = ctrlc::set_handler(move || {
            if set.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(exit::STOPPED));
            }
        });
        flag
    });
    Arc::clone(flag)
}

/// A command begins: what interrupted the one before it is over.
pub fn begin() {
    if let Some(flag) = FLAG.get() {
        flag.store(false, Ordering::Relaxed);
    }
}
