//! Figures of a dataset.
