//! `carom gallery`: one page of many scenes, with pictures, films and reports.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_figure::Theme;
use carom_report::document::RunDocument;
use carom_report::page::{Exhibit, Numbers, gallery, report};
use carom_report::pictures::{Gif, Look, Studio};
use carom_report::run::disk::replace;
use carom_report::{Account, ReportError};
use carom_scene::Scene;
use rayon::prelude::*;

use crate::args::{DamageArgs, GalleryArgs};
use crate::interrupt::interrupt_flag;
use crate::live::{simulate, too_many};
use crate::progress::{Counter, clock};
use crate::salvage::{load, salvage};
use crate::{exit, words};

/// Size of pictures and films, px.
const SIZE: (u32, u32) = (480, 300);
/// Frames per second of a film.
const FPS: f64 = 15.0;
/// A film is no longer than this, s; a longer run goes faster.
const LONGEST: f64 = 6.0;
/// A film is no shorter than this, s; a shorter run goes slower.
const SHORTEST: f64 = 2.5;
/// The page, and by which a gallery is known.
const PAGE: &str = "index.html";

/// Runs the command.
pub fn run(args: &GalleryArgs) -> ExitCode {
    let began = std::time::Instant::now();
    let made = targets(args).and_then(|targets| {
        prepare(&args.out)?;
        Ok((targets.len(), exhibits(&targets, args)?))
    });
    let (wanted, exhibits) = match made {
        Ok(made) => made,
        Err(Failure { message, hint }) => return exit::fail(&message, hint),
    };
    let page = args.out.join(PAGE);
    let html = gallery(&exhibits, env!("CARGO_PKG_VERSION"));
    if let Err(error) = replace(&page, html.as_bytes()) {
        return exit::fail(&error.to_string(), error.hint());
    }
    let failed: Vec<&Exhibit> = exhibits.iter().filter(|e| e.outcome.is_err()).collect();
    for exhibit in &failed {
        let why = exhibit.outcome.as_ref().err().map_or("", String::as_str);
        exit::say(format_args!("error: {}: {why}", exhibit.name));
    }
    if !args.quiet {
        let count = words::counted(exhibits.len(), "scene", "scenes");
        exit::say(format_args!("{}: {count}, {}", page.display(), clock(began.elapsed())));
    }
    match () {
        () if exhibits.len() < wanted => ExitCode::from(exit::STOPPED),
        () if failed.is_empty() => ExitCode::SUCCESS,
        () => ExitCode::from(exit::FAILED),
    }
}

/// Why there is no gallery.
struct Failure {
    message: String,
    hint: &'static str,
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self { message: error.to_string(), hint: error.hint() }
    }
}

/// Scenes and runs, those of a folder in the order of their names.
fn targets(args: &GalleryArgs) -> Result<Vec<PathBuf>, Failure> {
    let usual = [PathBuf::from("scenes")];
    let given = if args.targets.is_empty() { &usual[..] } else { &args.targets };
    let mut all = Vec::new();
    for path in given {
        if !path.is_dir() || path.join("summary.json").exists() {
            all.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).map_err(ReportError::io("read", path))?;
        let mut scenes: Vec<PathBuf> =
            entries.flatten().map(|e| e.path()).filter(|p| has_ending(p, "toml")).collect();
        scenes.sort();
        all.extend(scenes);
    }
    match all.is_empty() {
        true => Err(Failure {
            message: format!("there are no scenes in `{}`", given[0].display()),
            hint: "name scenes, or a folder that holds some",
        }),
        false => Ok(all),
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension() == Some(OsStr::new(ending))
}

/// Makes the folder; one that holds other things than a gallery is left alone.
fn prepare(out: &Path) -> Result<(), Failure> {
    fs::create_dir_all(out).map_err(ReportError::io("create", out))?;
    let entries = fs::read_dir(out).map_err(ReportError::io("read", out))?;
    let names: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    let ours = |p: &PathBuf| ["html", "png", "gif"].iter().any(|ending| has_ending(p, ending));
    let known = names.is_empty() || names.iter().any(|p| p.ends_with(PAGE));
    match names.iter().find(|p| !known || !ours(p)) {
        Some(other) => Err(Failure {
            message: format!("`{}` is no gallery: it holds `{}`", out.display(), other.display()),
            hint: "give a new folder, or an empty one",
        }),
        None => Ok(()),
    }
}

/// Simulates and draws one after the other, until all are done or it is interrupted.
fn exhibits(targets: &[PathBuf], args: &GalleryArgs) -> Result<Vec<Exhibit>, Failure> {
    let stop = interrupt_flag();
    let counter = Counter::new(!args.quiet);
    let mut all: Vec<Exhibit> = Vec::new();
    for (k, path) in targets.iter().enumerate() {
        let name = unused(path, &all);
        counter.update(k, targets.len(), &format!(" scenes: {name}"));
        let account = account(path, &stop);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        all.push(match account {
            Ok(account) => exhibit(&account, name, args)?,
            Err(why) => Exhibit {
                title: name.clone(),
                name,
                description: String::new(),
                outcome: Err(why),
                film: false,
            },
        });
    }
    counter.clear();
    Ok(all)
}

/// A name of its own for the files of a scene.
fn unused(path: &Path, others: &[Exhibit]) -> String {
    let stem = path.file_stem().map_or("scene".into(), |s| s.to_string_lossy().into_owned());
    // Parts of addresses with another meaning there stay out of names.
    let plain: String =
        stem.chars().map(|c| if "?#%/\\\"".contains(c) { '_' } else { c }).collect();
    let taken = |name: &String| name == "index" || others.iter().any(|e| e.name == *name);
    let numbered = (2..).map(|k| format!("{plain}_{k}"));
    std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(plain)
}

/// A run of a scene or from a folder; in words why there is none.
fn account(path: &Path, stop: &AtomicBool) -> Result<Account, String> {
    if path.is_dir() {
        salvage(path);
        return load(path, DamageArgs { damaged: false }).map_err(|error| error.to_string());
    }
    let scene = Scene::load(path).map_err(|error| error.report().trim().to_string())?;
    if let Some(samples) = too_many(&scene) {
        return Err(format!("the run would have {samples:.1e} samples, too many for one page"));
    }
    let mut onlooker = |_: f64, _: u64| !stop.load(Ordering::Relaxed);
    let lived = simulate(scene, (path, &[]), &mut onlooker).map_err(|error| error.to_string())?;
    Ok(lived.account)
}

/// Writes report, picture and film of a run.
fn exhibit(account: &Account, name: String, args: &GalleryArgs) -> Result<Exhibit, Failure> {
    let document = RunDocument::new(account)?;
    let file = |ending: &str| args.out.join(format!("{name}.{ending}"));
    replace(&file("html"), report(&document)?.as_bytes())?;
    let studio = Studio::of(account, &document);
    let (start, end) = (studio.span().0, studio.home());
    let look = look(args, end - start);
    let draw = |t: f64| {
        studio.picture(t, &look).map_err(|e| Failure { message: e.to_string(), hint: e.hint() })
    };
    let png = draw(telling(account, start, end))?.png();
    let png = png.map_err(|e| Failure { message: e.to_string(), hint: e.hint() })?;
    replace(&file("png"), &png)?;
    if !args.still {
        let step = look.speed / FPS;
        let count = ((end - start) / step).floor() as usize + 1;
        let frames: Vec<_> =
            (0..count).into_par_iter().map(|k| draw((start + step * k as f64).min(end))).collect();
        let frames = frames.into_iter().collect::<Result<Vec<_>, _>>()?;
        let every = (frames.len() / 6).max(1);
        let samples: Vec<_> = frames.iter().step_by(every).cloned().collect();
        replace(&file("gif"), &film(&samples, &frames)?)?;
    }
    let law = document.facts.iter().find(|fact| fact.label == "impact law");
    let law = law.map_or(String::new(), |fact| fact.value.clone());
    Ok(Exhibit {
        title: document.title.clone(),
        description: first_paragraph(document.description.as_deref().unwrap_or_default()),
        outcome: Ok(Numbers::of(&account.summary, studio.is_planar(), law)),
        film: !args.still,
        name,
    })
}

fn film(
    samples: &[carom_figure::Picture],
    frames: &[carom_figure::Picture],
) -> Result<Vec<u8>, Failure> {
    let made = Gif::new(Vec::new(), samples, FPS).and_then(|mut film| {
        frames.iter().try_for_each(|frame| film.frame(frame))?;
        film.finish()
    });
    made.map_err(|error| Failure {
        message: format!("the GIF cannot be written: {error}"),
        hint: "leave films out with --still",
    })
}

/// As fast as life, unless the film would be too long or too short.
fn look(args: &GalleryArgs, duration: f64) -> Look {
    Look {
        width: SIZE.0,
        height: SIZE.1,
        theme: if args.dark { Theme::Dark } else { Theme::Light },
        speed: duration.max(1e-9) / duration.clamp(SHORTEST, LONGEST),
        clock: false,
        ..Look::default()
    }
}

/// The time whose picture tells most: the first impact, else a third of the way.
fn telling(account: &Account, start: f64, end: f64) -> f64 {
    let impact = account.events.iter().find(|event| event.kind == "impact" && event.t > start);
    impact.map_or(start + (end - start) / 3.0, |event| event.t)
}

/// The first paragraph in one line.
fn first_paragraph(text: &str) -> String {
    let lines = text.trim().lines().take_while(|line| !line.trim().is_empty());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_names() {
        assert_eq!(first_paragraph("\n a\n b  c\n\n d"), "a b c");
        let taken = Exhibit {
            name: "ball".into(),
            title: String::new(),
            description: String::new(),
            outcome: Err(String::new()),
            film: false,
        };
        assert_eq!(unused(Path::new("x/ball.toml"), &[taken]), "ball_2");
        assert_eq!(unused(Path::new("index.toml"), &[]), "index_2");
        assert_eq!(unused(Path::new("a#b.toml"), &[]), "a_b");
    }

    #[test]
    fn films_have_a_bearable_length() {
        let args = GalleryArgs {
            targets: Vec::new(),
            out: PathBuf::new(),
            still: false,
            dark: false,
            quiet: true,
        };
        for duration in [1e-3, 0.1, 0.3, 1.0, 3.0, 10.0, 1000.0] {
            let length = duration / look(&args, duration).speed;
            assert!((SHORTEST * 0.999..=LONGEST * 1.001).contains(&length), "{duration}: {length}");
        }
    }
}
