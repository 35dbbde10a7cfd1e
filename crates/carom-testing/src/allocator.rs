//! An allocator that counts.
//!
//! ```
//! use carom_testing::{CountingAllocator, allocations};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! assert_eq!(allocations(|| ()), 0);
//! assert_eq!(allocations(|| drop(std::hint::black_box(vec![1.0; 10]))), 1);
//! ```
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the allocations of each thread. A test that asks for
/// [`allocations`] makes it the global allocator of its binary.
pub struct CountingAllocator;

// SAFETY: every call is passed on unchanged to the system allocator. Growing a block goes through
// `alloc` by the trait's own `realloc`, so it is counted as well.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System.alloc` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How often this thread allocates during some work.
///
/// # Panics
/// If the counter does not count, because [`CountingAllocator`] is not the global allocator: a test
/// that forgets it must fail.
pub fn allocations(work: impl FnOnce()) -> usize {
    let start = COUNT.get();
    drop(std::hint::black_box(Box::new(start)));
    let before = COUNT.get();
    assert!(before > start, "CountingAllocator is not the global allocator of this binary");
    work();
    COUNT.get() - before
}
