//! Arguments of the command line.
//!
//! | file | holds |
//! |---|---|
//! | `value` | numbers and words, checked |
//! | `scene` | the scene that a command takes |
//! | `agility` | arguments of `carom capability` and `carom optimize` |
//! | `command` | the subcommands, and the arguments of all others |

mod agility;
mod command;
mod scene;
mod value;

pub use agility::{CapabilityArgs, HoldWord, OptimizeArgs, QuestionArgs};
pub use command::{
    CheckArgs, Cli, Command, DamageArgs, EventsArgs, GalleryArgs, ImpactArgs, LawsArgs, NewArgs,
    PlotArgs, PlotFormat, RenderArgs, ReportArgs, ReproduceArgs, RunArgs, StudyArgs, ViewArgs,
};
pub use scene::SceneArgs;
