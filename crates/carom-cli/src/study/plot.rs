//! Pictures of a dataset. Prints the names of the files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use carom_figure::{Figure, Theme};
use carom_report::ReportError;
use carom_report::run::disk::{folder_within, replace};
use carom_study::StudyError;
use carom_study::dataset::{PICTURES, Reader};
use carom_study::pictures::{Kind, Picture};

use super::page;
use crate::args::{PictureKind, PlotFormat, StudyPlotArgs};
use crate::exit;

/// Letters on paper, points.
const LETTERS: f64 = 8.0;
/// Dots per inch of a PNG with a width on paper, for a scale of 1.
const DOTS: f64 = 150.0;

/// `carom study plot`.
pub fn run(args: &StudyPlotArgs) -> Result<ExitCode, StudyError> {
    let reader = Reader::open(&args.folder)?;
    let picture = picture(args)?;
    let mut figure = picture.draw(&reader)?;
    if let Some(mm) = args.width {
        figure = figure.print(mm, LETTERS);
    }
    let path = match &args.out {
        Some(path) => path.clone(),
        None => folder_within(&args.folder, Path::new(PICTURES))?.join(picture.kind.word()),
    };
    let mut names = String::new();
    for format in &args.format {
        match write(&figure, *format, &path, args)? {
            Ok(file) => names.push_str(&format!("{}\n", file.display())),
            Err(code) => return Ok(code),
        }
    }
    if args.page {
        let file = with_end(&path, "html");
        let html = picture.page(&reader, &page::way(&args.folder, &file, &reader)?)?;
        replace(&file, html.as_bytes())?;
        names.push_str(&format!("{}\n", file.display()));
    }
    Ok(exit::print_all(&names))
}

fn picture(args: &StudyPlotArgs) -> Result<Picture, StudyError> {
    let kind = match args.kind {
        PictureKind::Scatter => Kind::Scatter,
        PictureKind::Bifurcation => Kind::Bifurcation,
        PictureKind::Map => Kind::Map,
        PictureKind::Basin => Kind::Basin,
        PictureKind::Parallel => Kind::Parallel,
        PictureKind::Histogram => Kind::Histogram,
    };
    let split = |x: &String| x.split(',').map(|x| x.trim().to_string()).collect::<Vec<_>>();
    Ok(Picture {
        kind,
        x: args.x.iter().flat_map(split).collect(),
        y: args.y.clone(),
        value: args.value.clone(),
        condition: args.condition.clone(),
        labels: args.label.iter().map(|text| label(text)).collect::<Result<_, _>>()?,
        marks: args.mark.iter().map(|text| mark(text)).collect::<Result<_, _>>()?,
        title: args.title.clone(),
    })
}

/// `COLUMN=WORDS/UNIT` as the three.
fn label(text: &str) -> Result<(String, String, String), StudyError> {
    let Some((column, words)) = text.split_once('=') else {
        let (name, expected) = ("--label".into(), "COLUMN=WORDS");
        return Err(StudyError::Values { name, text: text.into(), expected });
    };
    let (words, unit) = words.split_once('/').unwrap_or((words, ""));
    Ok((column.trim().into(), words.trim().into(), unit.trim().into()))
}

/// `NUMBER=WORDS` as both.
fn mark(text: &str) -> Result<(f64, String), StudyError> {
    let (number, words) = text.split_once('=').unwrap_or((text, ""));
    match number.trim().parse::<f64>().ok().filter(|x| x.is_finite()) {
        Some(at) => Ok((at, words.trim().into())),
        None => Err(StudyError::Values {
            name: "--mark".into(),
            text: text.into(),
            expected: "NUMBER=WORDS",
        }),
    }
}

fn write(
    figure: &Figure,
    format: PlotFormat,
    path: &Path,
    args: &StudyPlotArgs,
) -> Result<Result<PathBuf, ExitCode>, ReportError> {
    let theme = if args.dark { Theme::Dark } else { Theme::Light };
    let (bytes, extension) = match format {
        PlotFormat::Svg => (figure.svg(theme).into_bytes(), "svg"),
        PlotFormat::Png => {
            let scale = figure.pixels(DOTS).unwrap_or(1.0) * args.scale;
            match figure.png(theme, scale) {
                Ok(bytes) => (bytes, "png"),
                Err(error) => return Ok(Err(exit::fail(&error.to_string(), error.hint()))),
            }
        }
        PlotFormat::Pdf => (figure.pdf(theme), "pdf"),
    };
    let file = with_end(path, extension);
    replace(&file, &bytes)?;
    Ok(Ok(file))
}

/// Not `with_extension`: names such as `e0.5` have points.
fn with_end(path: &Path, extension: &str) -> PathBuf {
    let mut file = path.as_os_str().to_os_string();
    file.push(format!(".{extension}"));
    PathBuf::from(file)
}
