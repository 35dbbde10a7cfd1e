//! A process that carries out command lines one after the other, so that not each starts one: `carom-cli` as a library.
//!
//! What it prints goes to two files, what it is told and how it ended through a socket. It lives under a limit of memory;
//! a line that computes for long is interrupted as by Ctrl-C, and one that then does not end is a hang.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// The word with which this program is started as a hand.
pub const WORD: &str = "--hand";
/// Time of the processor after which a command is interrupted.
const ENOUGH: Duration = Duration::from_secs(2);
/// Time of the processor within which it must have ended.
const SLOW: Duration = Duration::from_secs(10);
/// Time on the wall after which one that only waits hangs.
const HUNG: Duration = Duration::from_secs(540);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// What separates the words of a line, which may hold anything else.
const BETWEEN: char = '\u{1f}';

/// How a command ended, and what it printed.
pub struct Answer {
    /// Exit code; none after a panic or if the process is gone.
    pub code: Option<u8>,
    /// What else there is to say.
    pub fate: String,
    /// Whether it had to be interrupted.
    pub interrupted: bool,
    /// Whether the process has ended with it: `reproduce` ends so when it is interrupted.
    pub gone: bool,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}

/// The process, seen from outside.
pub struct Hand {
    child: Child,
    stream: BufReader<UnixStream>,
    out: PathBuf,
    err: PathBuf,
}

impl Hand {
    /// Starts one; files and socket are in `folder`.
    pub fn start(folder: &Path) -> std::io::Result<Self> {
        let [socket, out, err] = ["socket", "out", "err"].map(|name| folder.join(name));
        let _ = fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket)?;
        let open = |path: &Path| OpenOptions::new().create(true).append(true).open(path);
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""]);
        command.arg(std::env::current_exe()?).arg(WORD).arg(&socket);
        // One arena of memory for many threads, or what is only reserved would reach the limit.
        command.env("MALLOC_ARENA_MAX", "2").stdin(Stdio::null());
        let child = command.stdout(open(&out)?).stderr(open(&err)?).spawn()?;
        let (stream, _) = listener.accept()?;
        stream.set_read_timeout(Some(LOOK))?;
        Ok(Self { child, stream: BufReader::new(stream), out, err })
    }

    /// Has a command carried out in a folder.
    pub fn ask(&mut self, arguments: &[String], folder: &Path) -> Answer {
        for path in [&self.out, &self.err] {
            let _ = File::options().write(true).open(path).and_then(|file| file.set_len(0));
        }
        let mut words = vec![folder.display().to_string(), "carom".into()];
        words.extend_from_slice(arguments);
        // Line breaks would end the line too early; no value has one.
        let line = format!("{}\n", words.join(&BETWEEN.to_string()));
        let _ = self.stream.get_mut().write_all(line.as_bytes());
        let (start, before) = (Instant::now(), self.computed());
        let (mut told, mut interrupted, mut gone) = (String::new(), false, false);
        let fate = loop {
            match self.stream.read_line(&mut told) {
                Ok(0) => {
                    gone = true;
                    let status = self.child.wait();
                    break match status.as_ref().ok().and_then(|s| s.code()) {
                        Some(code) if interrupted => code.to_string(),
                        _ => format!("gone: {:?}", status.map(|s| s.to_string())),
                    };
                }
                Ok(_) => break told.trim().to_string(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => break error.to_string(),
            }
            let used = self.computed().saturating_sub(before);
            if used > SLOW || start.elapsed() > HUNG {
                let _ = self.child.kill();
                break format!("hangs: {:?}, of them {used:?} computed", start.elapsed());
            }
            if used > ENOUGH && !interrupted {
                interrupted = true;
                let _ = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
            }
        };
        let read = |path: &Path| fs::read(path).unwrap_or_default();
        Answer {
            code: fate.parse().ok(),
            fate,
            interrupted,
            gone,
            out: read(&self.out),
            err: read(&self.err),
        }
    }

    /// For how long the process has computed.
    fn computed(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = fs::read_to_string(path).unwrap_or_default();
        let numbers = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        let ticks: u64 = numbers.skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
        Duration::from_millis(10 * ticks)
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The process, seen from inside: carries out lines until there are no more.
pub fn work(socket: &str) -> std::io::Result<()> {
    let mut stream = UnixStream::connect(socket)?;
    for line in BufReader::new(stream.try_clone()?).lines() {
        let line = line?;
        let mut words = line.split(BETWEEN);
        std::env::set_current_dir(words.next().unwrap_or_default())?;
        let arguments: Vec<std::ffi::OsString> = words.map(Into::into).collect();
        let ended = catch_unwind(AssertUnwindSafe(|| carom_cli::main(arguments)));
        let code = ended.ok().and_then(|code| (0..=u8::MAX).find(|n| ExitCode::from(*n) == code));
        let told = code.map_or("panic".into(), |code| code.to_string());
        stream.write_all(format!("{told}\n").as_bytes())?;
    }
    Ok(())
}
