//! From the number of a row to the values of its parameters.
//!
//! | file | noun |
//! |---|---|
//! | `value` | a number, or a text such as the name of a law |
//! | `random` | numbers from a seed, a name and a row, without a state |
//! | `sobol` | points that fill a cube evenly |
//! | `latin` | Latin hypercubes, row by row |
//! | `vary` | what is said about one parameter |
//! | `rows` | a file with a row of values per line |
//! | `plan` | all of them together |
//!
//! Every value is a function of seed, parameter and row alone: any row can be computed anywhere, in any order, and
//! more rows never change earlier ones.

mod latin;
mod plan;
mod random;
mod rows;
mod sobol;
mod value;
mod vary;

pub use plan::{MOST_ROWS, Plan};
pub use rows::RowTable;
pub use sobol::DIMENSIONS;
pub use value::Value;
pub use vary::{Parameter, Vary};
