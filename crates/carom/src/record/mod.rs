//! What is kept of a run: samples, events, the energy ledger, and who is told of them.

pub mod event;
pub mod ledger;
pub mod observer;
pub mod recording;

pub use event::{ActuatorChange, ContactChange, Event, EventKind, Rescue, Solved};
pub use ledger::{Ledger, SiteWork};
pub use observer::{Directive, Observer, Sample};
pub use recording::Recording;
