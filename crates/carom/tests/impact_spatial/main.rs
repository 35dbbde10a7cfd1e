//! Tests of the spatial differential impact.
#![allow(non_snake_case)]

mod alloc;
mod brute;
mod degenerate;
mod march;
mod properties;
mod random;
mod samples;
mod single;
mod stages;
mod stiff;
mod towers;
