//! Every scene of the folder `scenes`, run for its stated time and held against its closed form or
//! a cited result. One file per phenomenon; tolerances are formulas of the options.

mod ball;
mod bicycle;
mod box_drop;
mod cradle;
mod domino_wave;
mod double_pendulum;
mod ellipse;
mod falling_rod;
mod four_bar;
mod friction_pendulum;
mod geneva;
mod incline;
mod jumper;
mod many;
mod mug;
mod oscillator;
mod painleve;
mod pendulum;
mod polytopes;
mod rimless_wheel;
mod rocking_block;
mod rolling;
mod slider_crank;
mod stop;
mod superball;
mod support;
mod valley;
mod vibrating_table;
mod whole_folder;
