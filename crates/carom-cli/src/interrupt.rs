//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit;

/// Set by Ctrl-C or a request to terminate; a second one ends the process at once.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without a handler the run can still be done; it can only not be interrupted gently.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit::STOPPED));
        }
    });
    flag
}
