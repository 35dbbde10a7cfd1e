//! Hurmuzlu & Marghitu 1994: a three-link chain with two contacts under five methods.
