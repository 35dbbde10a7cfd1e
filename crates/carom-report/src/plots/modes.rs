//! Contact modes as a timeline of bars.

use super::{RunPlots, palette};
use crate::document::SiteTrack;
use carom_figure::{BarSort, Colour, Figure, Hatch, LegendPlace, Line, Marker, Panel, Timeline};

/// Most contacts with a row of their own.
const MOST: usize = 24;

/// Code of a closed contact without friction.
const CLOSED: f64 = 3.0;

/// One row per contact that closes at some time.
pub(super) fn figure(run: &RunPlots<'_>) -> Option<Figure> {
    let codes: Vec<(&str, Vec<f64>)> =
        run.document.sites.iter().map(|site| (site.name.as_str(), codes_of(run, site))).collect();
    let struck = |k: usize| run.jumps().any(|(_, e)| e.contacts.iter().any(|c| c.site == k));
    let used: Vec<usize> =
        (0..codes.len()).filter(|k| codes[*k].1.iter().any(|c| *c != 0.0) || struck(*k)).collect();
    let shown = &used[..used.len().min(MOST)];
    if shown.is_empty() {
        return None;
    }
    let all = [
        BarSort::new("open", Colour::Paper, 1.0, Hatch::None),
        BarSort::new("stick", palette::STICK, 0.8, Hatch::None),
        BarSort::new("slip", palette::SLIP, 0.9, Hatch::Rising),
        BarSort::new("closed", palette::STICK, 0.4, Hatch::None),
    ];
    // The legend has what occurs; open is always told.
    let occurs = |sort: usize| {
        sort == 0 || shown.iter().any(|k| codes[*k].1.iter().any(|code| *code as usize == sort))
    };
    let kept: Vec<usize> = (0..all.len()).filter(|sort| occurs(*sort)).collect();
    let sorts = kept.iter().map(|sort| all[*sort].clone()).collect();
    let rows = shown.iter().map(|k| codes[*k].0.to_string()).collect();
    let mut timeline = Timeline::new(rows, sorts);
    for (row, k) in shown.iter().enumerate() {
        bars(&run.window.t, &codes[*k].1, |sort, from, to| {
            let place = kept.iter().position(|k| *k == sort).unwrap_or(0);
            timeline.bar(row, place, from, to);
        });
    }
    let mut panel = Panel::new().x(run.window.axis()).add(timeline).legend(LegendPlace::Above);
    let (mut t, mut y) = (Vec::new(), Vec::new());
    for (_, event) in run.jumps() {
        let rows = event.contacts.iter().filter(|c| c.impulse[2] != 0.0);
        for row in rows.filter_map(|c| shown.iter().position(|k| *k == c.site)) {
            t.push(event.t);
            y.push(row as f64);
        }
    }
    if !t.is_empty() {
        panel = panel.add(
            Line::points("impulse", &t, &y)
                .colour(palette::IMPULSE)
                .marker(Marker::Diamond)
                .radius(2.8),
        );
    }
    let mut caption = run.window.caption().unwrap_or_default();
    let hidden = codes.len() - used.len();
    if hidden > 0 {
        let are = if hidden == 1 { "contact stays" } else { "contacts stay" };
        caption = format!("{hidden} {are} open. {caption}");
    }
    if used.len() > MOST {
        caption = format!("The first {MOST} of {} contacts. {caption}", used.len());
    }
    Some(Figure::new(run.heading("contact modes")).panel(panel).caption(caption))
}

/// Codes of a site in the window.
fn codes_of(run: &RunPlots<'_>, site: &SiteTrack) -> Vec<f64> {
    let codes = run.window.codes(&site.modes.to_f64());
    // Without friction nothing sticks or slips.
    let plain = site.kind == "limit" || site.friction == 0.0 && site.static_friction == 0.0;
    codes.into_iter().map(|c| if plain && c != 0.0 { CLOSED } else { c }).collect()
}

/// Intervals of equal modes.
fn bars(t: &[f64], codes: &[f64], mut bar: impl FnMut(usize, f64, f64)) {
    let mut start = 0;
    for k in 1..=codes.len() {
        if k == codes.len() || codes[k] != codes[start] {
            let end = t[k.min(codes.len() - 1)];
            if end > t[start] {
                bar(codes[start] as usize, t[start], end);
            }
            start = k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_fill_the_time_without_gaps() {
        let t = [0.0, 1.0, 1.0, 2.0, 3.0, 3.0, 4.0];
        let codes = [0.0, 0.0, 2.0, 2.0, 2.0, 1.0, 1.0];
        let mut found = Vec::new();
        bars(&t, &codes, |sort, a, b| found.push((sort, a, b)));
        assert_eq!(found, [(0, 0.0, 1.0), (2, 1.0, 3.0), (1, 3.0, 4.0)]);
    }
}
