//! Figures A.2 and A.3: positions and slip velocity under each scheme.
