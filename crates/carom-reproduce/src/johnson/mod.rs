//! Johnson 2024: the ball, the slope and the practice problems, as worked examples.
//!
//! | file | experiment |
//! |---|---|
//! | `ball` | section 1 |
//! | `slope` | section 4 and practice problem 3 |
//! | `problems` | practice problems 1, 2 and 4; `arm`, `corner`, `elastic` compute them |
//!
//! Signs: Johnson's P̂ is minus the impulse p on the system; here p, ≥ 0 where it pushes.
#![allow(non_snake_case)]

mod arm;
mod ball;
mod corner;
mod elastic;
mod problems;
mod slope;

pub use ball::BALL;
pub use problems::PROBLEMS;
pub use slope::SLOPE;
