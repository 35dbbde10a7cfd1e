//! What a mechanism could do: how fast a point can be accelerated, and in which posture best.
#![allow(non_snake_case)]

pub mod program;
