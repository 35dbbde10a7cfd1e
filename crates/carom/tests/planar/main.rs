//! One planar contact in closed form: numbered equations of `impact::planar`, special cases, published numbers,
//! random problems against brute force and against the differential law.

#[path = "../impact_support/mod.rs"]
mod impact_support;

mod agreement;
mod cases;
mod contact;
mod equations;
