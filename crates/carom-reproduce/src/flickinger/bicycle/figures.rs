//! Trajectories, energies, forces and coefficients in the form of the published figures.
