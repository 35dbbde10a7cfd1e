//! Arguments of the command line.
//!
//! | file | holds |
//! |---|---|
//! | `value` | numbers and words, checked |
//! | `colour` | whether there are colours, before anything else is read |
//! | `scene` | the scene that a command takes |
//! | `agility` | arguments of `carom capability` and `carom optimize` |
//! | `study` | arguments of `carom study` |
//! | `command` | the subcommands, and the arguments of all others |

mod agility;
mod colour;
mod command;
mod scene;
mod study;
mod value;

pub use agility::{CapabilityArgs, HoldWord, OptimizeArgs, QuestionArgs};
pub use colour::colour_of;
pub use command::{
    CheckArgs, Cli, Command, CompletionsArgs, DamageArgs, EventsArgs, GalleryArgs, ImpactArgs,
    LawsArgs, LessonArgs, ManArgs, NewArgs, PlotArgs, PlotFormat, RenderArgs, ReportArgs,
    ReproduceArgs, RunArgs, ViewArgs,
};
pub use scene::SceneArgs;
pub use study::{
    PictureKind, StudyArgs, StudyCommand, StudyFolderArgs, StudyMergeArgs, StudyPlotArgs,
    StudyRowArgs,
};
