//! The overview: verdict counts, times and speed-ups of all experiments.

use std::fmt::Write;

use super::html::{escape, time};
use crate::outcome::Outcome;
use crate::runner::Report;

/// Writes the overview.
pub fn overview(text: &mut String, reports: &[Report], total_seconds: f64) {
    let mut total = [0; 3];
    for outcome in outcomes(reports) {
        let counts = outcome.counts();
        total = [0, 1, 2].map(|i| total[i] + counts[i]);
    }
    let claims: usize = total.iter().sum();
    let _ = write!(
        text,
        "<section id=\"overview\">\n<h1>Published experiments, computed by carom</h1>\n\
         <p class=\"lead\">{} experiments, {claims} statements of their sources beside carom's numbers. A verdict is \
         computed from those numbers; a statement that the text leaves open is said to be so.</p>\n\
         <div class=\"tiles\">\n<div class=\"tile agrees\"><b>{}</b> agree</div>\n\
         <div class=\"tile differs\"><b>{}</b> differ</div>\n\
         <div class=\"tile undecidable\"><b>{}</b> not decidable</div>\n\
         <div class=\"tile\"><b>{}</b> wall time of all</div>\n{}</div>\n",
        reports.len(),
        total[0],
        total[1],
        total[2],
        time(total_seconds),
        speed_tile(reports),
    );
    table(text, reports);
    text.push_str("</section>\n");
}

fn outcomes(reports: &[Report]) -> impl Iterator<Item = &Outcome> {
    reports.iter().filter_map(|r| r.result.as_ref().ok())
}

/// Published and own times of everything that has both, summed.
fn times<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Option<(f64, f64)> {
    let mut sums = (0.0, 0.0);
    for timing in outcomes.flat_map(|o| &o.timings) {
        if let Some(published) = timing.published {
            sums = (sums.0 + published, sums.1 + timing.ours);
        }
    }
    (sums.1 > 0.0).then_some(sums)
}

fn speed_tile(reports: &[Report]) -> String {
    match times(outcomes(reports)) {
        None => String::new(),
        Some((published, ours)) => format!(
            "<div class=\"tile\"><b>{}×</b> faster: published {} CPU, carom {}</div>\n",
            grouped(published / ours),
            time(published),
            time(ours)
        ),
    }
}

fn table(text: &mut String, reports: &[Report]) {
    text.push_str(
        "<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th>experiment</th><th class=\"wide\">source</th><th class=\"wide\">covers</th>\
         <th class=\"n\">agrees</th><th class=\"n\">differs</th><th class=\"n\">not decidable</th>\
         <th class=\"n\">time</th><th class=\"n\">published</th><th class=\"n\">speed-up</th></tr></thead>\n<tbody>\n",
    );
    for report in reports {
        row(text, report);
    }
    text.push_str("</tbody>\n</table></div>\n");
}

fn row(text: &mut String, report: &Report) {
    let e = report.experiment;
    let _ = write!(
        text,
        "<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"wide\">{1}</td><td class=\"wide\">{2}</td>",
        e.name,
        escape(e.source.short()),
        escape(&covers(e.covers)),
    );
    match &report.result {
        Err(trouble) => {
            let _ = write!(
                text,
                "<td colspan=\"6\" class=\"error\">{}</td>",
                escape(&trouble.to_string())
            );
        }
        Ok(outcome) => {
            for (count, class) in
                outcome.counts().into_iter().zip(["agrees", "differs", "undecidable"])
            {
                let class = if count == 0 { "none" } else { class };
                let _ = write!(text, "<td class=\"n {class}\">{count}</td>");
            }
            let (published, speed) = match times(std::iter::once(outcome)) {
                None => ("–".into(), "–".into()),
                Some((published, ours)) => {
                    (time(published), format!("{}×", grouped(published / ours)))
                }
            };
            let _ = write!(
                text,
                "<td class=\"n\">{}</td><td class=\"n\">{published}</td><td class=\"n\">{speed}</td>",
                time(report.seconds)
            );
        }
    }
    text.push_str("</tr>\n");
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
