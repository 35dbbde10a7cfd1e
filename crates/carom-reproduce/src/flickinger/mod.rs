//! Flickinger 2011, Flickinger & Bowling 2009: double pendulum, bicycle, mass–spring–friction.
