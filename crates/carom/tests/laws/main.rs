//! One module per impact law: each numbered equation of its header is carried by a test here.
#![allow(non_snake_case)]

#[path = "../impact_support/mod.rs"]
mod impact_support;

mod brach;
mod constraint;
mod newton;
mod oracle;
mod poisson;
mod samples;
mod whittaker;
