//! Morgan 2011: one collision of the double pendulum along each path, and its motion.
