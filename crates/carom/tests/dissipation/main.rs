//! Dissipation principle: numbered equations, scans as independent checks, invariances, feasibility curves.
#![allow(non_snake_case)]

#[path = "../support/random_impacts.rs"]
mod support;

mod feasibility;
mod invariance;
mod one_contact;
mod scan;
mod several_contacts;
