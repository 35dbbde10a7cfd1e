//! Sizes of letters, px.

pub const TITLE: f64 = 15.0;
pub const PANEL: f64 = 12.5;
pub const LABEL: f64 = 12.0;
pub const TICK: f64 = 11.0;
pub const LEGEND: f64 = 11.0;
pub const NOTE: f64 = 10.5;
pub const CAPTION: f64 = 11.0;
