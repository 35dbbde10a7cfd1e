//! What the tests of carom's crates share. Never published, only a dev-dependency.
//!
//! | file | noun |
//! |---|---|
//! | `allocator` | [`CountingAllocator`], [`allocations`]: kernels allocate nothing |
//! | `campaign` | [`Campaign`]: numbered cases, counted, timed, taken up again |
//! | `layering` | [`upward_uses`]: a folder uses only folders above it |
//! | `literals` | [`small_literals`]: thresholds have a name in one table |
//! | `place` | [`root`], [`scenes`], [`scene`], [`rust_files`]: where things are in the repository; [`contents`] of a folder |
//! | `random` | [`splitmix64`]: random numbers that are the same everywhere |
//! | `scratch` | [`Scratch`]: a folder that is removed at the end of a test |

mod allocator;
mod campaign;
mod layering;
mod literals;
mod place;
mod random;
mod scratch;

pub use allocator::{CountingAllocator, allocations};
pub use campaign::Campaign;
pub use layering::upward_uses;
pub use literals::small_literals;
pub use place::{contents, root, rust_files, scene, scenes};
pub use random::splitmix64;
pub use scratch::Scratch;
