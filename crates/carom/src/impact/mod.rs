//! Velocity jumps: one problem, many laws.
