//! v̇ without contact forces where the mechanism allows a shorter way than [`super::forward`].
//!
//! | file | computes |
//! |---|---|
//! | [`short_way`] | the choice, branch by branch |
//! | [`planar`] | trees that move in a plane: articulated bodies of three by three |
//! | [`plane`] | whether a branch moves in a plane, and in which |
//! | [`lone`] | a free rigid body that carries nothing |

pub mod lone;
pub mod planar;
pub mod plane;
pub mod short_way;

pub use short_way::Flight;
