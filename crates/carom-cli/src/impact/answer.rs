//! One answer, as JSON. Numbers are the shortest that read back to the same bits.

use carom::impact::energy_control::attenuation_work;
use carom::impact::force::ImpactForce;
use carom::impact::{ImpactAnswer, ImpactProblem, ImpactSolution, Outcome, Rescue, Rule, Stage};

/// Appends answers to a buffer of bytes.
pub struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Whether all numbers so far were finite.
    finite: bool,
}

/// One contact at one instant.
struct Instant<'p> {
    name: &'p str,
    first: usize,
    tangents: usize,
}

/// What to write beside the answer.
#[derive(Clone, Copy)]
pub struct Extras<'t> {
    /// Text of the problem's `id`.
    pub id: Option<&'t str>,
    /// Whether the law attenuates, so that the missing work is reported.
    pub attenuated: bool,
    /// Finite impact forces, if they were asked for; none of them if no push has the work.
    pub force: Option<&'t Option<ImpactForce>>,
}

impl<'o> Writer<'o> {
    /// Writes at the end of `out`.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, finite: true }
    }

    /// Writes an answer and a line break. False if a number was not finite; the text is then of no use.
    pub fn answer(
        mut self,
        problem: &ImpactProblem,
        answer: &ImpactAnswer,
        extras: Extras,
    ) -> bool {
        self.open(extras.id);
        self.text("\"velocity\":");
        self.numbers(answer.velocity.as_slice());
        self.text(",\"contacts\":[");
        let solution = &answer.solution;
        self.contacts(problem, |writer, k, instant| {
            let (p, u) = (solution.impulses.as_slice(), solution.u_post.as_slice());
            writer.instant(instant, p, u);
            writer.text(",\"outcome\":\"");
            writer.text(solution.outcomes.get(k).copied().unwrap_or(Outcome::Detached).as_str());
            writer.text("\"}");
        });
        self.text("]");
        self.energy(answer, extras.attenuated);
        if solution.rule != Rule::Single {
            self.text(",\"rule\":\"");
            self.text(solution.rule.as_str());
            self.text("\"");
        }
        self.solved(solution);
        match extras.force {
            None => {}
            Some(None) => self.text(",\"impact_force\":null"),
            Some(Some(force)) => self.force(problem, force),
        }
        if solution.trace.enabled {
            self.text(",\"trace\":[");
            for (i, stage) in solution.trace.stages.iter().enumerate() {
                self.comma(i);
                self.stage(problem, stage);
            }
            self.text("]");
        }
        self.text("}\n");
        self.finite
    }

    /// Writes an error and a line break.
    pub fn error(mut self, message: &str, id: Option<&str>) {
        self.open(id);
        self.text("\"error\":");
        self.string(message);
        self.text("}\n");
    }

    fn open(&mut self, id: Option<&str>) {
        self.text("{");
        if let Some(id) = id {
            self.text("\"id\":");
            self.compact(id);
            self.text(",");
        }
    }

    /// A JSON value without the blanks between its parts.
    fn compact(&mut self, value: &str) {
        let (mut quoted, mut escaped) = (false, false);
        for byte in value.bytes() {
            if quoted || !byte.is_ascii_whitespace() {
                self.out.push(byte);
            }
            quoted ^= byte == b'"' && !escaped;
            escaped = quoted && byte == b'\\' && !escaped;
        }
    }

    fn energy(&mut self, answer: &ImpactAnswer, attenuated: bool) {
        let solution = &answer.solution;
        self.text(",\"energy\":{");
        self.field("before", answer.energy_before);
        self.text(",");
        self.field("after", answer.energy_after);
        self.text(",");
        self.field("normal_work", solution.normal_work);
        self.text(",");
        self.field("friction_work", solution.friction_work);
        if attenuated {
            self.text(",");
            self.field("attenuation_work", attenuation_work(answer));
        }
        self.text("}");
    }

    /// How the answer was found and, if another law had to find it, why.
    fn solved(&mut self, solution: &ImpactSolution) {
        let solved = &solution.solved;
        self.text(",\"solved\":{\"by\":\"");
        self.text(solved.by);
        self.text("\",");
        self.field("residual", solved.residual);
        self.text(",");
        self.field("softness", solved.softness);
        self.text(if solved.unique { ",\"unique\":true" } else { ",\"unique\":false" });
        if let Some(rescue) = solution.rescue {
            self.text(",\"rescue\":\"");
            self.text(rescue.as_str());
            self.text("\"");
            if let Rescue::Audit { check, value } = rescue {
                self.text(",\"failed\":\"");
                self.text(check);
                self.text("\",\"figure\":");
                // A figure may be infinite, which JSON has no word for.
                self.number(if value.is_finite() { value } else { f64::MAX });
            }
        }
        self.text("}");
    }

    /// Finite impact forces and the accelerations that they cause.
    fn force(&mut self, problem: &ImpactProblem, estimate: &ImpactForce) {
        self.text(",\"impact_force\":{\"contacts\":[");
        let force = estimate.force.as_slice();
        self.contacts(problem, |writer, _, c| {
            writer.text("{\"name\":");
            writer.string(c.name);
            writer.text(",\"force_tangent\":");
            writer.numbers(&force[c.first..c.first + c.tangents]);
            writer.text(",");
            writer.field("force_normal", force[c.first + c.tangents]);
            writer.text("}");
        });
        self.text("],");
        self.field("work", estimate.work);
        self.text(",\"acceleration\":");
        self.numbers(estimate.acceleration.as_slice());
        self.text("}");
    }

    fn stage(&mut self, problem: &ImpactProblem, stage: &Stage) {
        self.text("{\"event\":\"");
        self.text(stage.event.as_str());
        self.text("\",\"contact\":");
        self.string(problem.contacts.get(stage.contact).map_or("", |c| &c.name));
        self.text(",");
        self.field("normal_impulse", stage.normal_impulse);
        self.text(",\"contacts\":[");
        self.contacts(problem, |writer, _, instant| {
            writer.instant(instant, &stage.impulses, &stage.velocity);
            writer.text("}");
        });
        self.text("],");
        self.field("energy", stage.energy);
        self.text(",");
        self.field("normal_work", stage.normal_work);
        self.text(",");
        self.field("friction_work", stage.friction_work);
        self.text("}");
    }

    /// Calls `write` for each contact, with commas between.
    fn contacts(&mut self, problem: &ImpactProblem, write: impl Fn(&mut Self, usize, &Instant)) {
        let mut first = 0;
        for (k, c) in problem.contacts.iter().enumerate() {
            self.comma(k);
            let tangents = c.tangents.nrows();
            write(self, k, &Instant { name: &c.name, first, tangents });
            first += tangents + 1;
        }
    }

    /// The fields of one contact; the object is left open.
    fn instant(&mut self, c: &Instant, impulses: &[f64], velocities: &[f64]) {
        let (t, n) = (c.first..c.first + c.tangents, c.first + c.tangents);
        self.text("{\"name\":");
        self.string(c.name);
        self.text(",\"impulse_tangent\":");
        self.numbers(&impulses[t.clone()]);
        self.text(",");
        self.field("impulse_normal", impulses[n]);
        self.text(",\"velocity_tangent\":");
        self.numbers(&velocities[t]);
        self.text(",");
        self.field("velocity_normal", velocities[n]);
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.text(",");
        }
    }

    fn field(&mut self, name: &str, value: f64) {
        self.text("\"");
        self.text(name);
        self.text("\":");
        self.number(value);
    }

    fn numbers(&mut self, values: &[f64]) {
        self.text("[");
        for (i, x) in values.iter().enumerate() {
            self.comma(i);
            self.number(*x);
        }
        self.text("]");
    }

    fn number(&mut self, x: f64) {
        self.finite &= x.is_finite();
        // Adding zero turns −0 into 0.
        self.text(ryu::Buffer::new().format(x + 0.0));
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn string(&mut self, text: &str) {
        self.out.push(b'"');
        for c in text.chars() {
            match c {
                '"' => self.text("\\\""),
                '\\' => self.text("\\\\"),
                '\n' => self.text("\\n"),
                '\r' => self.text("\\r"),
                '\t' => self.text("\\t"),
                c if c < ' ' => self.text(&format!("\\u{:04x}", u32::from(c))),
                c => {
                    self.text(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        self.out.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(x: f64) -> String {
        let mut out = Vec::new();
        Writer::new(&mut out).number(x);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        let mut x = 1.0e-300_f64;
        while x < 1e300 {
            for y in [x, -x / 3.0, x * std::f64::consts::PI] {
                assert_eq!(written(y).parse::<f64>().unwrap().to_bits(), y.to_bits());
            }
            x *= 1.7e5;
        }
        assert_eq!(written(-0.0), "0.0");
    }

    #[test]
    fn strings_are_escaped() {
        let mut out = Vec::new();
        Writer::new(&mut out).error("a \"b\"\n\u{1}é", Some("7"));
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"id\":7,\"error\":\"a \\\"b\\\"\\n\\u0001é\"}\n"
        );
    }
}
