//! `carom plot`: pictures of a run, one file per plot and format. Prints the names of the files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use carom_figure::{FigureError, Theme};
use carom_report::plots::{Plot, PlotKind, RunPlots};
use carom_report::run::disk::{folder_within, replace};
use carom_report::run::folder::PLOTS;
use carom_report::{ReportError, significant};

use crate::args::{PlotArgs, PlotFormat};
use crate::exit;
use crate::salvage::{load, salvage};

/// Runs the command.
pub fn run(args: &PlotArgs) -> ExitCode {
    if let (Some(from), Some(until)) = (args.from, args.until)
        && from >= until
    {
        let message = format!("`--from {from}` is not before `--until {until}`");
        return exit::fail(&message, "give a start that is before the end");
    }
    salvage(&args.run);
    let files = match draw(args) {
        Ok(files) => files,
        Err(Failure::Outside(message)) => {
            return exit::fail(&message, "give times within the run");
        }
        Err(Failure::Report(error)) => return exit::fail(&error.to_string(), error.hint()),
        Err(Failure::Figure(error)) => return exit::fail(&error.to_string(), error.hint()),
    };
    for kind in args.only.iter().filter(|kind| files.iter().all(|(k, _)| k != *kind)) {
        exit::say(format_args!("nothing to plot: the run has no {}", missing(*kind)));
    }
    let names: String = files.iter().map(|(_, path)| format!("{}\n", path.display())).collect();
    exit::print_all(&names)
}

/// What a run lacks that has no plot of a sort.
fn missing(kind: PlotKind) -> &'static str {
    match kind {
        PlotKind::Overview | PlotKind::Motion => "moving body",
        PlotKind::Coordinates => "coordinate",
        PlotKind::Speeds | PlotKind::Phase => "motion",
        PlotKind::Torques => "motor that does anything",
        PlotKind::Forces | PlotKind::Modes => "contact that closes",
        PlotKind::Energy => "energy",
        PlotKind::Impulse => "impact whose path is known",
        PlotKind::Feasibility => "impact with friction in the plane",
    }
}

/// Refuses a stretch of time in which there is no motion of the run.
fn outside(args: &PlotArgs, t: &[f64]) -> Result<(), Failure> {
    let (Some(&start), Some(&end)) = (t.first(), t.last()) else { return Ok(()) };
    let option = match (args.from, args.until) {
        (Some(from), _) if from >= end || from.is_nan() => format!("--from {from}"),
        (_, Some(until)) if until <= start || until.is_nan() => format!("--until {until}"),
        _ => return Ok(()),
    };
    let range = format!("{} s to {} s", significant(start), significant(end));
    Err(Failure::Outside(format!("`{option}` leaves nothing of the run, which goes from {range}")))
}

/// Why there are no pictures.
enum Failure {
    Outside(String),
    Report(ReportError),
    Figure(FigureError),
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::Report(error)
    }
}

fn draw(args: &PlotArgs) -> Result<Vec<(PlotKind, PathBuf)>, Failure> {
    let account = load(&args.run, args.damage)?;
    outside(args, account.table.t())?;
    let run = RunPlots::new(&account)?.between(args.from, args.until);
    let dir = match &args.out {
        Some(dir) => {
            std::fs::create_dir_all(dir).map_err(ReportError::io("create", dir))?;
            dir.clone()
        }
        None => folder_within(&args.run, Path::new(PLOTS))?,
    };
    let kinds = if args.only.is_empty() { &PlotKind::ALL[..] } else { &args.only };
    let mut files = Vec::new();
    let mut formats = args.format.clone();
    if args.pdf && !formats.contains(&PlotFormat::Pdf) {
        formats.push(PlotFormat::Pdf);
    }
    for plot in kinds.iter().flat_map(|kind| run.of(*kind)) {
        let plot = for_paper(plot, args);
        for format in &formats {
            files.push((plot.kind, write(&plot, *format, &dir, args)?));
        }
    }
    Ok(files)
}

/// A column of a journal where only the size of the letters is given, mm.
const COLUMN: f64 = 85.0;
/// Letters where only a width is given, points.
const LETTERS: f64 = 8.0;
/// Dots per inch of a PNG with a width on paper, for a scale of 1.
const DOTS: f64 = 150.0;

/// The plot as it is wanted on paper.
fn for_paper(mut plot: Plot, args: &PlotArgs) -> Plot {
    if args.width.is_some() || args.font_size.is_some() {
        let (mm, points) = (args.width.unwrap_or(COLUMN), args.font_size.unwrap_or(LETTERS));
        plot.figure = plot.figure.print(mm, points);
    }
    if args.no_title {
        plot.figure = plot.figure.untitled();
    }
    plot
}

fn write(plot: &Plot, format: PlotFormat, dir: &Path, args: &PlotArgs) -> Result<PathBuf, Failure> {
    let theme = if args.dark { Theme::Dark } else { Theme::Light };
    let (bytes, extension) = match format {
        PlotFormat::Svg => (plot.figure.svg(theme).into_bytes(), "svg"),
        PlotFormat::Png => {
            let scale = plot.figure.pixels(DOTS).unwrap_or(1.0) * args.scale;
            (plot.figure.png(theme, scale).map_err(Failure::Figure)?, "png")
        }
        PlotFormat::Pdf => (plot.figure.pdf(theme), "pdf"),
    };
    let path = dir.join(&plot.name).with_extension(extension);
    replace(&path, &bytes)?;
    Ok(path)
}
