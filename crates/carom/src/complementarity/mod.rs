//! Complementarity problems; this folder knows no mechanics.
