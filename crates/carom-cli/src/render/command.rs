//! The command: which frames, drawn how.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_figure::Theme;
use carom_report::pictures::{Look, Studio};
use rayon::prelude::*;

use crate::args::RenderArgs;
use crate::interrupt::interrupt_flag;
use crate::progress::{Counter, clock};
use crate::salvage::account;
use crate::{exit, live};

use super::sink::{self, Sink, SinkError};

/// Frames of a film, at most.
const MOST: usize = 100_000;
/// Frames that are drawn before they are written, per thread.
const AHEAD: usize = 2;

/// Runs the command.
pub fn run(args: &RenderArgs) -> ExitCode {
    let stop = interrupt_flag();
    let studio = match studio(args, &stop) {
        Ok(studio) => studio,
        Err(code) => return code,
    };
    let times = match times(args, &studio) {
        Ok(times) => times,
        Err((message, hint)) => return exit::fail(&message, hint),
    };
    let began = std::time::Instant::now();
    match film(args, &studio, &times, &stop) {
        Ok(count) if count < times.len() => {
            let out = args.out.display();
            exit::say(format_args!("interrupted: {out} has {count} of {} frames", times.len()));
            ExitCode::from(exit::STOPPED)
        }
        Ok(count) => {
            if !args.quiet {
                let frames = crate::words::counted(count, "frame", "frames");
                let wall = clock(began.elapsed());
                exit::say(format_args!("{}: {frames}, {wall}", args.out.display()));
            }
            ExitCode::SUCCESS
        }
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// The run made ready: from its folder, or from its scene, which is simulated.
fn studio(args: &RenderArgs, stop: &AtomicBool) -> Result<Studio, ExitCode> {
    let account = match args.target.is_dir() {
        true => account(&args.target, &args.overrides, args.damage)?,
        false => live::from_file(&args.target, &args.overrides, stop)?.account,
    };
    Studio::new(&account).map_err(|error| exit::fail(&error.to_string(), error.hint()))
}

/// Times of the frames.
fn times(args: &RenderArgs, studio: &Studio) -> Result<Vec<f64>, (String, &'static str)> {
    let (start, end) = studio.span();
    let from = args.from.unwrap_or(start);
    let until = args.until.unwrap_or(if from < studio.home() { studio.home() } else { end });
    if !(from >= start && from <= end && until >= from && until <= end) {
        let message = format!(
            "the film would go from {from} s to {until} s, the run goes from {start} s to {end} s"
        );
        return Err((message, "give --from and --until within the run, the earlier one first"));
    }
    if sink::is_still(&args.out) {
        return Ok(vec![from]);
    }
    let step = args.speed / args.fps;
    let count = ((until - from) / step + 1e-9).floor() + 1.0;
    if count > MOST as f64 {
        let message = format!("the film would have {count:.0} frames, more than {MOST}");
        return Err((message, "let it be shorter, or faster, or have fewer frames per second"));
    }
    Ok((0..count as usize).map(|k| (from + step * k as f64).min(until)).collect())
}

/// The look that is asked for.
fn look(args: &RenderArgs) -> Look {
    let (width, height) = sink::fitting(args.size, &args.out);
    Look {
        width,
        height,
        theme: if args.dark { Theme::Dark } else { Theme::Light },
        view: args.camera,
        zoom: args.zoom,
        follow: args.follow.then_some(true).or(args.no_follow.then_some(false)),
        speed: args.speed,
        clock: !args.no_clock,
    }
}

/// Draws and writes frame after frame; gives how many there are when it was interrupted or done.
fn film(
    args: &RenderArgs,
    studio: &Studio,
    times: &[f64],
    stop: &AtomicBool,
) -> Result<usize, SinkError> {
    let look = look(args);
    let draw = |t: &f64| studio.picture(*t, &look).map_err(SinkError::Picture);
    // Colours of the film, where they are few, are chosen from frames all over it.
    let samples = sink::samples(&args.out, times);
    let samples = samples.iter().map(draw).collect::<Result<Vec<_>, _>>()?;
    let mut sink = Sink::open(&args.out, (look.width, look.height), args.fps, &samples)?;
    drop(samples);
    let counter = Counter::new(!args.quiet);
    let mut done = 0;
    for part in times.chunks(AHEAD * rayon::current_num_threads()) {
        let pictures: Vec<_> = part.par_iter().map(draw).collect();
        for picture in pictures {
            sink.frame(&picture?)?;
            done += 1;
            counter.update(done, times.len(), " frames");
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    counter.clear();
    sink.finish()?;
    Ok(done)
}
