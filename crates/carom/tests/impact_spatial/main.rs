//! Tests of the spatial differential impact.
#![allow(non_snake_case)]

mod brute;
mod random;
mod samples;
mod single;
