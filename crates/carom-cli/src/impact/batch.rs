//! Blocks of lines to several threads and back in order.
//!
//! Blocks go to the threads in turn and come back in turn, so the order is kept without sorting. The channels are
//! short: a reader that is faster than the solvers waits, and so do the solvers for a slow output.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::solver::{Block, SHOWN, Solver, Wishes};
use super::summary::Summary;

/// Bytes read at a time: enough work to pay for handing it over.
const BLOCK: usize = 1 << 18;

/// Longest line, 256 MB.
pub const LONGEST: usize = 1 << 28;

/// Refuses a line without an end.
pub fn check_length(bytes: usize) -> io::Result<()> {
    if bytes < LONGEST {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "a line is longer than 256 MB"))
}

/// Answers all lines of `first` and then of `rest`, in order.
pub fn run(
    first: Vec<u8>,
    rest: impl Read,
    mut output: impl Write + Send,
    wishes: Wishes,
    threads: usize,
) -> io::Result<Summary> {
    thread::scope(|scope| {
        let mut to = Vec::new();
        let mut from = Vec::new();
        for _ in 0..threads.max(1) {
            let (give, blocks) = sync_channel::<Vec<u8>>(2);
            let (done, take) = sync_channel::<Block>(2);
            let work = move || work(&blocks, &done, wishes);
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(_) => {}
                Err(error) if to.is_empty() => return Err(error),
                // The system has no more; those that there are do all of it.
                Err(_) => break,
            }
            to.push(give);
            from.push(take);
        }
        let collect = move || collect(&from, &mut output);
        let writer = thread::Builder::new().spawn_scoped(scope, collect)?;
        let read = distribute(first, rest, &to);
        drop(to);
        let written = writer.join().unwrap_or_else(|_| Err(io::Error::other("a thread failed")))?;
        read?;
        Ok(written)
    })
}

/// A thread's life: blocks in, answers out.
fn work(blocks: &Receiver<Vec<u8>>, done: &SyncSender<Block>, wishes: Wishes) {
    let mut solver = Solver::new(wishes);
    while let Ok(text) = blocks.recv() {
        let mut block = Block::default();
        solver.block(&text, &mut block);
        if done.send(block).is_err() {
            return;
        }
    }
}

/// Cuts the input into blocks of whole lines and hands them out in turn.
fn distribute(
    mut pending: Vec<u8>,
    mut rest: impl Read,
    to: &[SyncSender<Vec<u8>>],
) -> io::Result<()> {
    let mut turn = to.iter().cycle();
    let mut ended = false;
    // So much of what waits is known to have no line break.
    let mut searched = 0;
    while !ended {
        if memchr::memchr(b'\n', &pending[searched..]).is_none() || pending.len() < BLOCK / 4 {
            let known = pending.len();
            pending.resize(known + BLOCK, 0);
            let count = rest.read(&mut pending[known..])?;
            pending.truncate(known + count);
            ended = count == 0;
        }
        let whole = match memchr::memrchr(b'\n', &pending[searched..]) {
            Some(last) if !ended => searched + last + 1,
            _ if ended => pending.len(),
            _ => {
                searched = pending.len();
                check_length(searched)?;
                continue;
            }
        };
        searched = 0;
        let tail = pending.split_off(whole);
        let mut block = std::mem::replace(&mut pending, tail);
        if block.last() == Some(&b'\n') {
            block.pop();
        } else if block.is_empty() {
            continue;
        }
        // A closed channel means that the output is gone; there is nobody left to read for.
        if turn.next().is_none_or(|give| give.send(block).is_err()) {
            return Ok(());
        }
    }
    Ok(())
}

/// Takes the answers in turn and writes them.
fn collect(from: &[Receiver<Block>], output: &mut impl Write) -> io::Result<Summary> {
    let mut summary = Summary::default();
    for take in from.iter().cycle() {
        let Ok(block) = take.recv() else {
            break;
        };
        output.write_all(&block.answers)?;
        output.flush()?;
        for (line, fault) in block.faults {
            if summary.faults.len() < SHOWN {
                summary.faults.push((summary.lines + line, fault));
            }
        }
        summary.lines += block.lines;
        summary.problems += block.problems;
        summary.failures += block.failures;
    }
    Ok(summary)
}
