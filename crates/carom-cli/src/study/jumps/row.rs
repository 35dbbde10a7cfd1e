//! What is kept of one jump: a line of `study.csv`.

use carom_agility::{JumpMeasure, JumpOutcome, Varied};
use carom_scene::study::Jump;

/// Names of the columns after those of the varied coordinates.
const MEASURES: [&str; 18] = [
    "capability",
    "dce",
    "outcome",
    "stance",
    "rise",
    "least_distance",
    "last_distance",
    "largest_force",
    "impacts",
    "saturations",
    "applied",
    "lost",
    "gain",
    "closure",
    "energy",
    "steps",
    "ended",
    "no_dce",
];

/// The first line of the file.
pub fn header(varied: &[Varied]) -> String {
    let names = varied.iter().map(|v| format!("q.{}", v.name));
    let all = std::iter::once("sample".to_string()).chain(names);
    all.chain(MEASURES.map(String::from)).collect::<Vec<_>>().join(",")
}

/// The line of a jump.
pub fn line(jump: &Jump) -> String {
    let m = &jump.measure;
    let mut cells = vec![jump.sample.to_string()];
    cells.extend(jump.at.iter().map(f64::to_string));
    cells.extend([jump.capability, jump.dce].map(number));
    cells.push(m.outcome.word().into());
    let numbers = [m.stance, m.rise, m.least_distance, m.last_distance, m.largest_force];
    cells.extend(numbers.map(number));
    cells.extend([m.impacts, m.saturations].map(|n| n.to_string()));
    cells.extend([m.applied, m.lost, m.gain, m.closure, m.energy].map(number));
    cells.push(jump.steps.to_string());
    cells.extend([&jump.ended, &jump.no_dce].map(|words| words.replace(',', ";")));
    cells.join(",")
}

/// The jump of a line with so many varied coordinates.
pub fn parse(line: &str, varied: usize) -> Option<Jump> {
    let cells: Vec<&str> = line.split(',').collect();
    if cells.len() != 1 + varied + MEASURES.len() {
        return None;
    }
    let at = |i: usize| cells[1 + varied + i];
    let real = |i: usize| match at(i) {
        "" => Some(f64::NAN),
        text => text.parse().ok(),
    };
    let whole = |i: usize| at(i).parse().ok();
    Some(Jump {
        sample: cells[0].parse().ok()?,
        at: cells[1..=varied].iter().map(|c| c.parse().ok()).collect::<Option<_>>()?,
        capability: real(0)?,
        dce: real(1)?,
        measure: JumpMeasure {
            outcome: JumpOutcome::of_word(at(2))?,
            stance: real(3)?,
            rise: real(4)?,
            least_distance: real(5)?,
            last_distance: real(6)?,
            largest_force: real(7)?,
            impacts: whole(8)?,
            saturations: whole(9)?,
            applied: real(10)?,
            lost: real(11)?,
            gain: real(12)?,
            closure: real(13)?,
            energy: real(14)?,
        },
        steps: at(15).parse().ok()?,
        ended: at(16).into(),
        no_dce: at(17).into(),
    })
}

/// The shortest text that reads back as the same number; NaN is empty.
fn number(x: f64) -> String {
    if x.is_nan() { String::new() } else { x.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back() {
        let measure = JumpMeasure {
            outcome: JumpOutcome::AtOnce,
            stance: 0.0,
            rise: 0.1 + 0.2,
            least_distance: 4.9,
            last_distance: 5.0,
            largest_force: 31.25,
            impacts: 3,
            saturations: 7,
            applied: -0.25,
            lost: 1e-300,
            gain: 0.0,
            closure: 1e-9,
            energy: 6.0,
        };
        let (at, ended) = (vec![0.1, -2.0 / 3.0], "reached-end".to_string());
        let row = Jump {
            sample: 12,
            at,
            capability: 123.456,
            dce: 55.5,
            no_dce: String::new(),
            measure,
            steps: 900,
            ended,
        };
        let text = line(&row);
        assert_eq!(parse(&text, 2), Some(row.clone()));
        assert_eq!(parse(&text[..text.len() / 2], 2), None, "a line that was cut off");
        assert_eq!(header(&[]).split(',').count(), MEASURES.len() + 1);
        let powerless = Jump { dce: f64::NAN, no_dce: "too weak".into(), ..row };
        let read = parse(&line(&powerless), 2).unwrap();
        assert!(read.dce.is_nan() && read.no_dce == "too weak");
    }
}
