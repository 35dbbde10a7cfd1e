//! Where frames go: a film by ffmpeg, which gets them through a pipe, a GIF, a folder of PNG files, or one of them.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use carom_figure::{FigureError, Picture};
use carom_report::ReportError;
use carom_report::pictures::{Gif, GifError};
use carom_report::run::disk::replace;

/// Pictures that the colours of a GIF are chosen from.
const SAMPLES: usize = 6;
/// Names of frames begin so.
const FRAME: &str = "frame_";
/// Films that ffmpeg makes.
const FILMS: [&str; 4] = ["mp4", "webm", "mkv", "mov"];

/// Why there is no film.
#[derive(Debug)]
pub enum SinkError {
    /// A picture cannot be drawn.
    Picture(FigureError),
    /// A file cannot be written.
    File(ReportError),
    /// The GIF cannot be made.
    Gif(GifError),
    /// ffmpeg is not there.
    NoFfmpeg,
    /// ffmpeg gave up, with its last words.
    Ffmpeg {
        /// What it said last.
        words: String,
    },
    /// A folder that holds other things.
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// One of them.
        name: String,
    },
    /// A sort of file that is not known.
    Sort {
        /// The file.
        path: PathBuf,
    },
}

impl std::fmt::Display for SinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Picture(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
            Self::Gif(error) => write!(f, "the GIF cannot be written: {error}"),
            Self::NoFfmpeg => write!(f, "ffmpeg, which writes this sort of film, is not here"),
            Self::Ffmpeg { words } => write!(f, "ffmpeg gave up: {words}"),
            Self::Foreign { folder, name } => {
                write!(f, "`{}` holds other things, such as `{name}`", folder.display())
            }
            Self::Sort { path } => {
                write!(f, "`{}` is no sort of film that is known", path.display())
            }
        }
    }
}

impl SinkError {
    /// What may be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Picture(_) => "give a smaller --size",
            Self::File(error) => error.hint(),
            Self::Gif(_) => "give a smaller --size, or a folder for PNG frames",
            Self::NoFfmpeg => "install ffmpeg, or write a .gif, or give a folder for PNG frames",
            Self::Ffmpeg { .. } => "write a .gif, or give a folder for PNG frames",
            Self::Foreign { .. } => "give a new folder, or an empty one",
            Self::Sort { .. } => {
                "end it with .mp4, .webm, .mkv, .mov, .gif or .png, or give a folder, such as frames/"
            }
        }
    }
}

fn ending(path: &Path) -> Option<String> {
    path.extension().and_then(OsStr::to_str).map(str::to_lowercase)
}

/// Whether one picture is asked for.
pub fn is_still(out: &Path) -> bool {
    ending(out).as_deref() == Some("png") && !out.is_dir()
}

fn is_film(out: &Path) -> bool {
    ending(out).is_some_and(|ending| FILMS.contains(&ending.as_str()))
}

/// The size that a sort of film can have: most players want even numbers.
pub fn fitting((width, height): (u32, u32), out: &Path) -> (u32, u32) {
    if is_film(out) { (width & !1, height & !1) } else { (width, height) }
}

/// Times whose pictures a sink wants to see before it begins.
pub fn samples(out: &Path, times: &[f64]) -> Vec<f64> {
    if ending(out).as_deref() != Some("gif") {
        return Vec::new();
    }
    let last = times.len().saturating_sub(1);
    (0..SAMPLES.min(times.len())).map(|k| times[k * last / SAMPLES.max(2)]).collect()
}

/// Where frames go.
pub enum Sink {
    /// One PNG.
    Still(PathBuf),
    /// A folder of PNG files.
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Frames so far.
        count: usize,
    },
    /// A GIF, written when it is whole.
    Gif {
        /// The film so far.
        film: Box<Gif<Vec<u8>>>,
        /// The file.
        out: PathBuf,
    },
    /// ffmpeg.
    Ffmpeg(Pipe),
}

impl Sink {
    /// Makes a place ready for frames of a size.
    pub fn open(
        out: &Path,
        size: (u32, u32),
        fps: f64,
        samples: &[Picture],
    ) -> Result<Self, SinkError> {
        let out = out.to_path_buf();
        match ending(&out).as_deref() {
            _ if out.is_dir() => Self::folder(out),
            None => Self::folder(out),
            Some("png") => Ok(Self::Still(out)),
            Some("gif") => {
                let film = Gif::new(Vec::new(), samples, fps);
                let film = film.map_err(SinkError::Gif)?;
                Ok(Self::Gif { film: Box::new(film), out })
            }
            Some(_) if is_film(&out) => Ok(Self::Ffmpeg(Pipe::open(out, size, fps)?)),
            Some(_) => Err(SinkError::Sort { path: out }),
        }
    }

    /// A folder of its own; frames of an earlier film are replaced, anything else is left alone.
    fn folder(folder: PathBuf) -> Result<Self, SinkError> {
        let failed = |action| ReportError::io(action, &folder);
        fs::create_dir_all(&folder).map_err(|e| SinkError::File(failed("create")(e)))?;
        let mut old = Vec::new();
        let entries = fs::read_dir(&folder).map_err(|e| SinkError::File(failed("read")(e)))?;
        for entry in entries {
            let entry = entry.map_err(|e| SinkError::File(failed("read")(e)))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !(name.starts_with(FRAME) && name.ends_with(".png")) {
                return Err(SinkError::Foreign { folder, name });
            }
            old.push(entry.path());
        }
        for path in old {
            fs::remove_file(&path)
                .map_err(|e| SinkError::File(ReportError::io("remove", &path)(e)))?;
        }
        Ok(Self::Folder { folder, count: 0 })
    }

    /// Takes a frame.
    pub fn frame(&mut self, picture: &Picture) -> Result<(), SinkError> {
        let png = |path: &Path| {
            let bytes = picture.png().map_err(SinkError::Picture)?;
            replace(path, &bytes).map_err(SinkError::File)
        };
        match self {
            Self::Still(out) => png(out),
            Self::Folder { folder, count } => {
                *count += 1;
                png(&folder.join(format!("{FRAME}{count:05}.png")))
            }
            Self::Gif { film, .. } => film.frame(picture).map_err(SinkError::Gif),
            Self::Ffmpeg(pipe) => pipe.frame(picture),
        }
    }

    /// Ends the film.
    pub fn finish(self) -> Result<(), SinkError> {
        match self {
            Self::Still(_) | Self::Folder { .. } => Ok(()),
            Self::Gif { film, out } => {
                let bytes = film.finish().map_err(SinkError::Gif)?;
                replace(&out, &bytes).map_err(SinkError::File)
            }
            Self::Ffmpeg(pipe) => pipe.finish(),
        }
    }
}

/// ffmpeg at work. It writes under another name, so that a film is there completely or not at all.
pub struct Pipe {
    child: Child,
    part: PathBuf,
    out: PathBuf,
}

impl Pipe {
    fn open(out: PathBuf, (width, height): (u32, u32), fps: f64) -> Result<Self, SinkError> {
        let name = out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let part = out.with_file_name(format!(".part.{name}"));
        let mut command = Command::new("ffmpeg");
        command
            .args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-"])
            .args(["-pix_fmt", "yuv420p"])
            .arg(&part)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // Ctrl-C is for carom, which then ends the film.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        match command.spawn() {
            Ok(child) => Ok(Self { child, part, out }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(SinkError::NoFfmpeg),
            Err(error) => Err(SinkError::Ffmpeg { words: error.to_string() }),
        }
    }

    fn frame(&mut self, picture: &Picture) -> Result<(), SinkError> {
        let Some(pipe) = &mut self.child.stdin else { return Ok(()) };
        match pipe.write_all(&picture.rgb()) {
            Ok(()) => Ok(()),
            // It ended before its time: its last words tell why.
            Err(_) => Err(self
                .end()
                .err()
                .unwrap_or(SinkError::Ffmpeg { words: "it takes no more frames".into() })),
        }
    }

    /// Waits for its end.
    fn end(&mut self) -> Result<(), SinkError> {
        drop(self.child.stdin.take());
        let mut words = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = io::Read::read_to_string(&mut errors, &mut words);
        }
        match self.child.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => {
                let last = words.lines().last().map_or(status.to_string(), String::from);
                Err(SinkError::Ffmpeg { words: last })
            }
            Err(error) => Err(SinkError::Ffmpeg { words: error.to_string() }),
        }
    }

    fn finish(mut self) -> Result<(), SinkError> {
        self.end()?;
        fs::rename(&self.part, &self.out)
            .map_err(|error| SinkError::File(ReportError::io("rename", &self.out)(error)))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // A film that is done has another name by now.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_by_its_name() {
        assert_eq!(fitting((961, 541), Path::new("a.mp4")), (960, 540));
        assert_eq!(fitting((961, 541), Path::new("a.gif")), (961, 541));
        assert!(is_still(Path::new("a.PNG")) && !is_still(Path::new("frames")));
        let times: Vec<f64> = (0..100).map(f64::from).collect();
        let chosen = samples(Path::new("a.gif"), &times);
        assert_eq!((chosen.len(), chosen[0]), (SAMPLES, 0.0));
        assert!(samples(Path::new("a.mp4"), &times).is_empty());
        assert_eq!(samples(Path::new("a.gif"), &[3.0]), [3.0]);
    }
}
