//! One instant of a path of several contacts: which of them press, stick and slip.
//!
//! What the planar and the spatial differential law share: the rates of an instant, and the search
//! through all combinations of modes. The equations of one combination are each law's own: a planar
//! contact has one tangent and two directions of slip, so that its [`Trial`] needs no vectors and no
//! sweeps, and a stage of four contacts tries hundreds of combinations.
//!
//! | file | noun |
//! |---|---|
//! | `mode` | [`Mode`] and [`Duty`]: what a contact does, what it may do |
//! | `rates` | [`Rates`] of impulse and velocity |
//! | `combinations` | [`Combinations`] of modes, each a [`Trial`] |

mod combinations;
mod mode;
mod rates;

pub(crate) use combinations::{Combinations, Paradox, TOLERANCE, Trial};
pub(crate) use mode::{Duty, Grip, Mode, Tangent};
pub(crate) use rates::Rates;
