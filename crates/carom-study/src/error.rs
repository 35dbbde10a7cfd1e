//! What can be wrong with a study.

use carom::hybrid::SimError;
use carom::impact::ImpactError;
use carom_report::ReportError;
use carom_scene::SceneError;
use carom_scene::expression::ExpressionError;
use std::path::PathBuf;
use thiserror::Error;

/// A study that cannot be done, gone on with, or read.
#[derive(Debug, Error)]
pub enum StudyError {
    /// Values that cannot be read.
    #[error("the values of `{name}` cannot be read: `{text}` is not {expected}")]
    Values {
        /// The parameter.
        name: String,
        /// What was written.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A number out of its range.
    #[error("`{name}`: {what} is {value}, must be {allowed}")]
    Range {
        /// The parameter or option.
        name: String,
        /// What about it.
        what: &'static str,
        /// The value.
        value: f64,
        /// What it may be.
        allowed: String,
    },
    /// A name that is given twice.
    #[error("{what} `{name}` is given twice")]
    Twice {
        /// Parameter or result.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A name that cannot be one.
    #[error("`{name}` cannot be the name of a {what}: {reason}")]
    Name {
        /// Parameter or result.
        what: &'static str,
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// An expression that cannot be used.
    #[error("{what} `{name}`: {source}")]
    Expression {
        /// Parameter, result or condition.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        source: ExpressionError,
    },
    /// Nothing varies.
    #[error("nothing is varied")]
    NothingVaries,
    /// Draws without a number of rows.
    #[error("`{name}` is drawn, but the number of rows is not said")]
    NoSamples {
        /// A parameter that is drawn.
        name: String,
    },
    /// More rows than there can be.
    #[error("the study would have {rows:.3e} rows, at most {most:.0e} are possible")]
    TooManyRows {
        /// How many.
        rows: f64,
        /// The bound.
        most: f64,
    },
    /// More rows than the values give.
    #[error("{samples} rows are asked for, but the values give only {rows} different ones")]
    TooManySamples {
        /// How many are asked for.
        samples: u64,
        /// How many there are.
        rows: u64,
    },
    /// A table of rows that cannot be read.
    #[error("`{}`, line {line}: {problem}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// The line, from 1; 0 if it is about the whole file.
        line: u64,
        /// What is wrong.
        problem: TableProblem,
    },
    /// The scene cannot be read with these values.
    #[error("the scene cannot be read with {values}: {source}")]
    Scene {
        /// The values.
        values: String,
        /// What is wrong.
        source: Box<SceneError>,
    },
    /// The law cannot be built with these values.
    #[error("the scene cannot be run with {values}: {source}")]
    Law {
        /// The values.
        values: String,
        /// What is wrong.
        source: Box<ImpactError>,
    },
    /// The folder holds another study.
    #[error("`{}` holds another study: its {what} is {there}, asked for is {asked}", dir.display())]
    OtherStudy {
        /// The folder.
        dir: PathBuf,
        /// In what they differ.
        what: String,
        /// What the folder has.
        there: String,
        /// What is asked for.
        asked: String,
    },
    /// The folder holds a study of jumps.
    #[error("`{}` holds a study of random jumps", dir.display())]
    Jumps {
        /// The folder.
        dir: PathBuf,
    },
    /// The folder is no study.
    #[error("`{}` is not a study: `study.json` is missing or not of carom", dir.display())]
    NotAStudy {
        /// The folder.
        dir: PathBuf,
    },
    /// A file of the study is not what was written.
    #[error("`{}` is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: &'static str,
    },
    /// Fewer files than shards.
    #[error("{shards} shards cannot share {parts} parts of {part_rows} rows")]
    Shards {
        /// How many shards.
        shards: u64,
        /// How many parts there are.
        parts: u64,
        /// Rows of a part.
        part_rows: u64,
    },
    /// Two shards have the same rows.
    #[error("rows from {row} on are in `{}` and in `{}`, and differ", first.display(), second.display())]
    Overlap {
        /// The first row.
        row: u64,
        /// A file.
        first: PathBuf,
        /// Another file.
        second: PathBuf,
    },
    /// A column that the dataset does not have.
    #[error("the study has no column `{name}`{}", suggestion.as_ref().map_or(String::new(), |s| format!("; did you mean `{s}`?")))]
    NoColumn {
        /// The name.
        name: String,
        /// A name like it.
        suggestion: Option<String>,
    },
    /// A picture that cannot be drawn.
    #[error("{picture} needs {needs}")]
    Picture {
        /// The sort of picture.
        picture: &'static str,
        /// What it needs.
        needs: String,
    },
    /// A row that is not there.
    #[error("the study has rows 0 to {last}, not {row}")]
    NoRow {
        /// The row asked for.
        row: u64,
        /// The last one.
        last: u64,
    },
    /// The disk or the format refuses.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// What is wrong with a table of rows.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TableProblem {
    /// Neither CSV nor Parquet.
    #[error("its name ends neither in .csv nor in .parquet")]
    Kind,
    /// Another number of values than of names.
    #[error("{found} values, {expected} are named in the first line")]
    Width {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A quotation mark that is not closed.
    #[error("a quotation mark is not closed")]
    Quote,
    /// A value that is empty or not a number.
    #[error("`{column}` is {value}")]
    Value {
        /// The column.
        column: String,
        /// What it is.
        value: String,
    },
    /// No rows.
    #[error("there are no rows")]
    Empty,
    /// A column of a type that is not understood.
    #[error("column `{column}` holds neither numbers nor texts")]
    Type {
        /// The column.
        column: String,
    },
}

impl StudyError {
    /// What the user may do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Values { .. } => {
                "write FROM:TO:COUNT, [A, B, …], random(A, B), normal(MEAN, SD), sobol(A, B), \
                 lhs(A, B, COUNT), log(A, B, COUNT) or expr(…)"
            }
            Self::Range { .. } => "change the value",
            Self::Twice { .. } => "give each name once",
            Self::Name { .. } => "choose another name",
            Self::Expression { source: ExpressionError::UnknownName { .. }, .. } => {
                "names are those of the columns of `carom run` (docs/runs.md), such as q.…, v.…, energy.kinetic, and \
                 those of the varied values"
            }
            Self::Expression { .. } => "docs/studies.md lists the functions",
            Self::NothingVaries => {
                "give --vary PATH=VALUES, --rows FILE, or [study] vary.\"PATH\" = \"VALUES\" in the scene"
            }
            Self::NoSamples { .. } => "say how many with --samples",
            Self::TooManyRows { .. } => "give fewer values, or draw them: sobol(…) with --samples",
            Self::TooManySamples { .. } => {
                "give fewer --samples, more values, or draw a value: random(…), sobol(…)"
            }
            Self::Table { .. } => "the first line names the values, each other line is a row",
            Self::Scene { source, .. } => return source.hint(),
            Self::Law { source, .. } => return source.hint().into(),
            Self::OtherStudy { .. } => {
                "give another folder with --out; nothing was changed in this one"
            }
            Self::Jumps { .. } => {
                "its rows are in `study.csv`, its picture is `study.svg`; another study needs another folder"
            }
            Self::NotAStudy { .. } => "give the folder that `carom study --out` wrote",
            Self::Damaged { .. } => {
                "remove the file: the same `carom study` command computes its rows again"
            }
            Self::Shards { shards, parts, part_rows } => {
                let rows = (parts * part_rows / shards).max(1);
                return format!("give fewer shards, or --part-rows {rows} or less");
            }
            Self::Overlap { .. } => "merge the shards of one study only",
            Self::NoColumn { .. } => "`carom study show FOLDER` lists the columns",
            Self::Picture { .. } => "see `carom study plot --help`",
            Self::NoRow { .. } => "rows are counted from 0",
            Self::Report(error) => error.hint(),
        }
        .into()
    }
}

/// Why a row has no results, or only some.
#[derive(Debug, Error)]
pub enum RowFault {
    /// The scene cannot be read with its values.
    #[error("{0}")]
    Scene(SceneError),
    /// The law cannot be built with its values.
    #[error("{0}")]
    Law(ImpactError),
    /// Its values change the scene so that a result does not exist.
    #[error("{0}")]
    Results(Box<StudyError>),
    /// The numerics gave up.
    #[error("{0}")]
    Numerics(SimError),
    /// The program failed.
    #[error("the engine panicked: {0}")]
    Panic(String),
    /// A function of the user failed.
    #[error("result `{name}`: {problem}")]
    Function {
        /// The result.
        name: String,
        /// What it said.
        problem: String,
    },
    /// The process that computed it was lost, each time.
    #[error("its worker was lost {times} times")]
    Worker {
        /// How often it was tried.
        times: u32,
    },
    /// It took too long.
    #[error("stopped at t = {t:?} s after {limit} s of computing")]
    Time {
        /// Time reached, s.
        t: f64,
        /// The limit, s.
        limit: f64,
    },
    /// It took too many steps.
    #[error("stopped at t = {t:?} s after {limit} steps")]
    Steps {
        /// Time reached, s.
        t: f64,
        /// The limit.
        limit: u64,
    },
}

impl RowFault {
    /// The word of the column `stop`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Scene(_) | Self::Results(_) => "scene",
            Self::Law(_) => "law",
            Self::Numerics(_) => "error",
            Self::Panic(_) => "panic",
            Self::Function { .. } => "function",
            Self::Worker { .. } => "worker",
            Self::Time { .. } => "time-limit",
            Self::Steps { .. } => "step-limit",
        }
    }
}
