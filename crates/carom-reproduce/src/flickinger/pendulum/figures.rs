//! Trajectories, energies and forces in the form of the published figures.
