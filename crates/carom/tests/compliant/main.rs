//! Tests of the compliant path, by the numbers of its equations.
#![allow(non_snake_case)]

mod agreement;
mod brute;
mod chains;
mod equations;
mod problems;
mod totality;
