//! Keys of studies.

use super::kind::{Kind, Range, TableSpec, field};
use Kind::{Angle, Count, NamedOrTexts, NamedTexts, Number, Text, Vector};
use Range::{Finite, Positive};

/// A study.
pub(crate) static STUDY: TableSpec = TableSpec {
    noun: "study",
    doc: "What `carom study` does: runs of the scene with values that vary (docs/studies.md), or, where a \
          `foot` is named, random jumps: motors' coordinates drawn from ranges, the free body moved along the \
          normal until the foot touches; postures with a joint or a centre of mass below the ground are drawn \
          again.",
    groups: &[&[
        field(
            "samples",
            Count,
            "",
            "all values of grids and lists; 2000 jumps",
            "How many rows, or jumps.",
        ),
        field("seed", Count, "", "1", "What random values depend on."),
        field(
            "vary",
            NamedOrTexts(&VARY),
            "",
            "needed",
            "What varies: texts by the paths of values, such as vary.\"contact.0.restitution\" = \"0:1:101\"; of jumps, \
             ranges of motors' coordinates, by joint.",
        ),
        field(
            "rows",
            Text,
            "",
            "none",
            "A CSV or Parquet file, beside the scene, with a row of values for each run.",
        ),
        field("result", NamedTexts, "", "none", "What is kept of each run: expressions by name."),
        field(
            "keep",
            Text,
            "",
            "none",
            "A condition over values and results: whole runs are kept where it holds.",
        ),
        field(
            "time_limit",
            Number(Positive),
            "s",
            "none",
            "Computing time after which a run is given up.",
        ),
        field("step_limit", Count, "", "none", "Steps after which a run is given up."),
        field("part_rows", Count, "", "4096", "Rows of a file of the dataset."),
        field("foot", Text, "", "none", "Jumps: the contact that is put on the ground."),
        field(
            "body",
            Text,
            "",
            "that of the computed torque",
            "Jumps: the body whose point is watched.",
        ),
        field(
            "point",
            Vector,
            "m",
            "that of the computed torque, or 0",
            "Jumps: the point in its frame.",
        ),
        field(
            "goal",
            Vector,
            "m",
            "that of the computed torque",
            "Jumps: where the point should go.",
        ),
    ]],
};

/// A range.
pub(crate) static VARY: TableSpec = TableSpec {
    noun: "vary",
    doc: "Jumps: the range of one coordinate.",
    groups: &[&[
        field("from", Angle(Finite), "rad or m", "needed", "Lower end."),
        field("to", Angle(Finite), "rad or m", "needed", "Upper end."),
    ]],
};
