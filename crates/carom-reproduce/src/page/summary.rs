//! The overview: verdict counts, times and speed-ups of all experiments.

use std::fmt::Write;

use super::html::{escape, time};
use crate::claim::Cause;
use crate::outcome::Speed;
use crate::record::{Found, Record};
use crate::stamp::Stamp;

/// Writes the overview.
pub fn overview(text: &mut String, records: &[Record], stamp: &Stamp) {
    let sum = |own: bool| {
        outcomes(records).map(|f| f.counts(own)).fold([0; 3], |a, b| [0, 1, 2].map(|i| a[i] + b[i]))
    };
    let (total, own) = (sum(false), sum(true));
    let claims: usize = total.iter().sum();
    let seconds: f64 = records.iter().map(|r| r.seconds).sum();
    let _ = write!(
        text,
        "<section id=\"overview\">\n<h1>Published experiments, computed by carom</h1>\n\
         <p class=\"lead\">{} experiments, {claims} statements of their sources beside carom's numbers. A verdict is \
         computed from those numbers; whatever does not agree names its cause. Quotations are of the sources; pages are \
         where their sections begin and their figures stand.</p>\n\
         <p class=\"source\">{}</p>\n\
         <div class=\"tiles\">\n<div class=\"tile agrees\"><b>{}</b> agree</div>\n\
         <div class=\"tile differs\"><b>{}</b> differ</div>\n\
         <div class=\"tile undecidable\"><b>{}</b> not decidable</div>\n\
         <div class=\"tile\"><b>{}</b> time of all experiments</div>\n{}</div>\n",
        records.len(),
        escape(&stamp.words()),
        total[0],
        total[1],
        total[2],
        time(seconds),
        speed_tile(records),
    );
    causes(text, records);
    if own.iter().sum::<usize>() > 0 {
        let _ = writeln!(
            text,
            "<p>Counted apart: {} statements that carom makes of itself, of which {} hold and {} do not.</p>",
            own.iter().sum::<usize>(),
            own[0],
            own[1] + own[2]
        );
    }
    table(text, records);
    text.push_str("</section>\n");
}

fn outcomes(records: &[Record]) -> impl Iterator<Item = &Found> {
    records.iter().filter_map(|r| r.result.as_ref().ok())
}

/// How many statements of the sources have which cause.
fn causes(text: &mut String, records: &[Record]) {
    let words: Vec<String> = Cause::ALL
        .into_iter()
        .map(|cause| (cause, outcomes(records).map(|f| f.because(cause)).sum::<usize>()))
        .filter(|(_, number)| *number > 0)
        .map(|(cause, number)| format!("{number} {}", meaning(cause)))
        .collect();
    if !words.is_empty() {
        let _ = writeln!(text, "<p>Of those that do not agree: {}.</p>", words.join("; "));
    }
}

fn meaning(cause: Cause) -> &'static str {
    match cause {
        Cause::Source => "where the source is in error, with the proof",
        Cause::Reading => "where our way to read or test the text decides",
        Cause::SomeValues => "that hold only for some values of what the text leaves open",
        Cause::Open => "that are open",
    }
}

/// The sum over all runs that have a published time, and how it varies.
fn speed_tile(records: &[Record]) -> String {
    let Some(speed) = Speed::of(outcomes(records).flat_map(|f| &f.timings)) else {
        return String::new();
    };
    let [ratio, low, high] = speed.ratios();
    format!(
        "<div class=\"tile\"><b>{}×</b> faster, {} to {} over {} repetitions of {} runs, each counted once: published {} \
         CPU, carom {} wall; {} to {} by run</div>\n",
        grouped(ratio),
        grouped(low),
        grouped(high),
        speed.repetitions,
        speed.runs,
        time(speed.published),
        time(speed.ours[0]),
        grouped(speed.by_run[0]),
        grouped(speed.by_run[1]),
    )
}

fn table(text: &mut String, records: &[Record]) {
    text.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"scrolls\"><table class=\"overview\">\n<thead><tr><th>experiment</th><th class=\"wide\">source</th><th class=\"wide\">covers</th>\
         <th class=\"n\">agrees</th><th class=\"n\">differs</th><th class=\"n\">not decidable</th><th class=\"n\">own</th>\
         <th class=\"n\">time</th><th class=\"n\">published</th><th class=\"n\">speed-up</th></tr></thead>\n<tbody>\n",
    );
    for record in records {
        row(text, record);
    }
    text.push_str("</tbody>\n</table></div>\n");
}

fn row(text: &mut String, record: &Record) {
    let Some(e) = record.experiment() else { return };
    let _ = write!(
        text,
        "<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"wide\">{1}</td><td class=\"wide\">{2}</td>",
        e.name,
        escape(e.source.short()),
        escape(&covers(e.covers)),
    );
    match &record.result {
        Err([trouble, _]) => {
            let _ = write!(text, "<td colspan=\"7\" class=\"error\">{}</td>", escape(trouble));
        }
        Ok(found) => numbers(text, found, record.seconds),
    }
    text.push_str("</tr>\n");
}

fn numbers(text: &mut String, found: &Found, seconds: f64) {
    for (count, class) in found.counts(false).into_iter().zip(["agrees", "differs", "undecidable"])
    {
        let class = if count == 0 { "none" } else { class };
        let _ = write!(text, "<td class=\"n {class}\">{count}</td>");
    }
    let own = found.counts(true);
    let own = match own.iter().sum::<usize>() {
        0 => "–".into(),
        all => format!("{} of {all}", own[0]),
    };
    let (published, speed) = match Speed::of(found.timings.iter()) {
        None => ("–".into(), "–".into()),
        Some(speed) => (time(speed.published), format!("{}×", grouped(speed.ratios()[0]))),
    };
    let _ = write!(
        text,
        "<td class=\"n\">{own}</td><td class=\"n\">{}</td><td class=\"n\">{published}</td><td class=\"n\">{speed}</td>",
        time(seconds)
    );
}

/// `figure 2.2, figure 2.3` as `figures 2.2, 2.3`.
pub fn covers(items: &[&str]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for item in items {
        let (kind, number) = item.split_once(' ').unwrap_or((item, ""));
        match groups.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push((kind, vec![number])),
        }
    }
    let groups = groups.iter().map(|(kind, numbers)| {
        let plural = if numbers.len() > 1 { "s" } else { "" };
        format!("{kind}{plural} {}", ranges(numbers))
    });
    groups.collect::<Vec<_>>().join("; ")
}

/// `2.2, 2.3, 2.4, 3.1` as `2.2–2.4, 3.1`.
fn ranges(numbers: &[&str]) -> String {
    let parts = |n: &str| {
        let at = n.rfind('.').map_or(0, |i| i + 1);
        Some((n[..at].to_string(), n[at..].parse::<u32>().ok()?))
    };
    let follows = |a: &str, b: &str| match (parts(a), parts(b)) {
        (Some((p, i)), Some((q, j))) => p == q && j == i + 1,
        _ => false,
    };
    let mut runs: Vec<Vec<&str>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| follows(last, number)) => run.push(number),
            _ => runs.push(vec![number]),
        }
    }
    let word = |run: &Vec<&str>| match run[..] {
        [first, .., last] if run.len() > 2 => format!("{first}–{last}"),
        _ => run.join(", "),
    };
    runs.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// A large number with thin spaces between thousands.
pub fn grouped(x: f64) -> String {
    let digits = if x < 10.0 { format!("{x:.1}") } else { format!("{x:.0}") };
    let whole = digits.split('.').next().map_or(0, str::len);
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_grouped() {
        assert_eq!(covers(&["figure 2", "table I", "figure 3"]), "figures 2, 3; table I");
        let long = ["figure 2.8", "figure 2.9", "figure 2.10", "figure 3.1", "figure A.2"];
        assert_eq!(covers(&long), "figures 2.8–2.10, 3.1, A.2");
        assert_eq!(covers(&[]), "");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(1234567.0), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(2.34), "2.3");
        assert_eq!(grouped(123.0), "123");
    }
}
