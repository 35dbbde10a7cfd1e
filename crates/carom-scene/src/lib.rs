//! Files in: scenes and robot descriptions become a model.
