//! Expressions of users: arithmetic, comparisons, functions, names.
//!
//! | file | noun |
//! |---|---|
//! | `error` | what is wrong with a text, and where |
//! | `words` | a text as numbers, names and signs |
//! | `tree` | what the text says |
//! | `formula` | the tree with its names resolved, ready to be evaluated |
//! | `jet` | the value with its first two derivatives in time |
//!
//! ```text
//! or  <  and  <  not  <  == != < <= > >=  <  + −  <  * / %  <  −x  <  ^        (1)
//! ```
//! from the loosest to the tightest (1); `^` goes to the right. True is 1, false is 0, and any number but 0 counts as
//! true. `%` is the remainder that has the sign of its divisor. Names may hold dots and, where they are known, hyphens:
//! the longest known name wins, spaces around a minus keep it one.
//!
//! Why not a crate: names such as `loss.ball-ground` are no identifiers to any that was looked at, expressions over
//! a recording need a second meaning of calls (`max(q.x)` goes over samples), and evaluation is in the inner loop of
//! a study. All of it takes about 400 lines without dependencies, and a sample costs 20 to 60 ns.
//!
//! # Tests
//! Beside the code: `eq1_what_binds_tighter`, and the rest of the language.

mod error;
mod formula;
mod jet;
mod tree;
mod words;

pub use error::{ExpressionError, nearest};
pub use formula::Formula;
pub use jet::Jet;
pub use tree::{Operator, Tree};
