//! One line in, one line out, with buffers that are used again and again.

use carom::impact::force::{Displacement, ImpactForce, Rates, impact_force};
use carom::impact::{
    ImpactAnswer, ImpactError, ImpactLaw, ImpactProblem, ImpactWorkspace, resolve_problem_or_comply,
};

use carom_scene::plain;

use super::answer::{Extras, Writer};
use super::fault::Fault;
use super::law::Laws;
use super::problem::{ProblemReader, find_id};

/// What the user wants of the answers.
#[derive(Clone, Copy)]
pub struct Wishes {
    /// The path in impulse space in each answer.
    pub trace: bool,
    /// An error where the law has no sound answer, instead of that of the compliant path.
    pub strict: bool,
}

/// Everything one thread needs to answer problems.
pub struct Solver {
    laws: Laws,
    work: ImpactWorkspace,
    answer: ImpactAnswer,
    strict: bool,
}

impl Solver {
    /// A solver; with `trace`, answers have the path in impulse space, with `strict` a law that has no answer fails.
    pub fn new(Wishes { trace, strict }: Wishes) -> Self {
        let answer = if trace { ImpactAnswer::traced() } else { ImpactAnswer::default() };
        Self { laws: Laws::default(), work: ImpactWorkspace::new(), answer, strict }
    }

    /// Answers all lines of a block of text; blank lines are passed over.
    pub fn block(&mut self, block: &[u8], done: &mut Block) {
        let mut reader = ProblemReader::default();
        let ends = memchr::memchr_iter(b'\n', block).chain([block.len()]);
        let mut start = 0;
        for end in ends {
            let line = &block[start..end];
            start = end + 1;
            done.lines += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            done.problems += 1;
            if let Err(fault) = self.line(line, &mut reader, &mut done.answers) {
                done.failures += 1;
                if done.faults.len() < SHOWN {
                    done.faults.push((done.lines, fault));
                }
            }
        }
    }

    /// Answers one problem.
    fn line<'a>(
        &mut self,
        line: &'a [u8],
        reader: &mut ProblemReader<'a>,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let start = out.len();
        let text = match std::str::from_utf8(line) {
            Ok(text) => text,
            Err(error) => {
                let fault = Fault::not_utf8(error.valid_up_to());
                Writer::new(out).error(&fault.to_string(), None);
                return Err(fault);
            }
        };
        let result = self.resolve(text, reader, out);
        if let Err(fault) = &result {
            out.truncate(start);
            let id = reader.id.or_else(|| find_id(text));
            Writer::new(out).error(&plain(&fault.to_string()), id);
        }
        result
    }

    fn resolve<'a>(
        &mut self,
        text: &'a str,
        reader: &mut ProblemReader<'a>,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        reader.read(text)?;
        let law = self.laws.get(reader.law)?;
        let answer = &mut self.answer;
        if self.strict {
            let solved = law.law.resolve_problem(&reader.problem, &mut self.work, answer);
            solved.map_err(Fault::strict)?;
        } else {
            resolve_problem_or_comply(&law.law, &reader.problem, &mut self.work, answer)?;
        }
        let force = match &reader.displacement {
            Some(displacement) => Some(estimate(&reader.problem, answer, displacement)?),
            None => None,
        };
        let extras = Extras { id: reader.id, attenuated: law.attenuated, force: force.as_ref() };
        if Writer::new(out).answer(&reader.problem, answer, extras) {
            Ok(())
        } else {
            Err(Fault::not_finite())
        }
    }
}

/// Finite impact forces; none where no force that pushes has the work.
fn estimate(
    problem: &ImpactProblem,
    answer: &ImpactAnswer,
    displacement: &Displacement,
) -> Result<Option<ImpactForce>, Fault> {
    match impact_force(problem, &answer.velocity, displacement, &Rates::default()) {
        Ok(force) => Ok(Some(force)),
        Err(ImpactError::Unsolved { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Faults reported with their text; more are only counted.
pub const SHOWN: usize = 10;

/// What became of a block of lines.
#[derive(Default)]
pub struct Block {
    /// Answers, one line each.
    pub answers: Vec<u8>,
    /// Lines, blank ones included.
    pub lines: usize,
    /// Problems among them.
    pub problems: usize,
    /// Problems that failed.
    pub failures: usize,
    /// The first faults, with their line from 1.
    pub faults: Vec<(usize, Fault)>,
}
