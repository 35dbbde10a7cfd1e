//! `carom events`: the events of a run as a table, one row for each contact or motor that took part.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use carom_report::{ContactLine, EventLine, ImpactForces, ReportError, SavedRun, SavedScene};
use carom_scene::plain;

use crate::args::EventsArgs;
use crate::exit;
use crate::salvage::{regret, salvage};

/// Titles of the columns, with units; the last two only where forces are estimated.
const TITLES: [&str; 7] =
    ["t/s", "event", "contact", "p_n/N·s", "lost/J", "mean F_n/N", "least F_n/N"];

/// Prints the table.
pub fn run(args: &EventsArgs) -> ExitCode {
    salvage(&args.run);
    let read = match args.damage.damaged {
        true => SavedRun::load_damaged_events(&args.run),
        false => SavedRun::load_events(&args.run).map(|(_, events)| (events, Vec::new())),
    };
    let events = match read {
        Ok((events, damage)) => {
            regret(&damage);
            events
        }
        Err(error) => return exit::fail(&error.to_string(), error.hint()),
    };
    let all = events.len();
    let mut chosen: Vec<EventLine> = events.into_iter().filter(|e| wanted(e, args)).collect();
    if let Some(last) = args.last {
        chosen.drain(..chosen.len().saturating_sub(last));
    }
    chosen.truncate(args.first.unwrap_or(chosen.len()));
    if let Some(duration) = args.impact_duration
        && let Err(error) = estimate(&args.run, duration, &mut chosen)
    {
        return exit::fail(&error.to_string(), error.hint());
    }
    let text = if args.json {
        serde_json::to_string_pretty(&chosen).unwrap_or_default() + "\n"
    } else {
        table(&chosen)
    };
    let printed = exit::print_all(&text);
    if chosen.len() < all && io::stderr().is_terminal() {
        exit::say(format_args!("{} of {all} events", chosen.len()));
    }
    printed
}

/// Adds the forces of impacts of this duration.
fn estimate(dir: &Path, duration: f64, events: &mut [EventLine]) -> Result<(), ReportError> {
    let (summary, _) = SavedRun::load_events(dir)?;
    let saved = SavedScene::load(dir, &summary)?;
    let forces = ImpactForces::new(&saved.scene.model, duration);
    events.iter_mut().for_each(|event| forces.estimate(event));
    Ok(())
}

/// Whether an event is among those that are asked for.
fn wanted(event: &EventLine, args: &EventsArgs) -> bool {
    let kind = args.kind.is_empty() || args.kind.contains(&event.kind);
    let contact = args
        .contact
        .as_ref()
        .is_none_or(|part| event.contacts.iter().any(|c| c.name.contains(part.as_str())));
    let since = args.since.is_none_or(|t| event.t >= t);
    kind && contact && since && args.until.is_none_or(|t| event.t <= t)
}

/// The table; columns are as wide as their widest cell.
pub fn table(events: &[EventLine]) -> String {
    let estimated = events.iter().flat_map(|e| &e.contacts).any(|c| c.force.is_some());
    let shown = if estimated { TITLES.len() } else { TITLES.len() - 2 };
    let mut rows = vec![TITLES.map(String::from)];
    for event in events {
        push_rows(event, &mut rows);
    }
    let mut widths = [0; TITLES.len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths).take(shown) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn push_rows(event: &EventLine, rows: &mut Vec<[String; TITLES.len()]>) {
    // What did not happen is no zero: where nothing was struck there is neither an impulse nor a loss.
    let told = |x: f64| if x == 0.0 { "-".into() } else { number(x) };
    let row = |place: &str, impulse: f64, lost: f64, [mean, least]: [f64; 2]| {
        let [kind, place] = [&event.kind, place].map(|word| plain(word).into_owned());
        [number(event.t), kind, place, told(impulse), told(lost), told(mean), told(least)]
    };
    let struck = event.contacts.iter().any(|c| c.impulse_normal != 0.0);
    for c in &event.contacts {
        // A contact that took no part in a blow is not a row of it, unless its mode changed.
        let idle = struck && c.impulse_normal == 0.0 && c.mode_before == c.mode_after;
        if !idle {
            let lost = -(c.normal_work + c.friction_work);
            rows.push(row(&c.name, c.impulse_normal, lost, forces(c)));
        }
    }
    for motor in &event.actuators {
        let words = format!("{}: {} to {}", motor.name, motor.before, motor.after);
        rows.push(row(&words, 0.0, 0.0, [0.0; 2]));
    }
    if event.contacts.is_empty() && event.actuators.is_empty() {
        rows.push(row("-", 0.0, event.energy_lost(), [0.0; 2]));
    }
}

/// Mean and least normal force of a contact, N; zero without an estimate.
fn forces(contact: &ContactLine) -> [f64; 2] {
    let found = contact.force.as_ref();
    found.map_or([0.0; 2], |force| [force.mean_normal, force.least_normal.unwrap_or(0.0)])
}

/// Six decimals; small and large numbers with an exponent.
fn number(x: f64) -> String {
    // Round-off does not decide a tie: thirteen digits first. Adding zero turns −0 into 0.
    let x = format!("{x:.12e}").parse().unwrap_or(x) + 0.0;
    if x != 0.0 && !(1e-4..1e7).contains(&x.abs()) { format!("{x:.3e}") } else { format!("{x:.6}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A motor is named; contacts that took no part in a blow have no row; what did not happen is no zero.
    #[test]
    fn rows_tell_who_took_part() {
        let contact = |name: &str, impulse: f64, modes: [&str; 2]| {
            serde_json::json!({
                "name": name, "mode_before": modes[0], "mode_after": modes[1],
                "velocity_tangent_before": [0.0, 0.0], "velocity_tangent_after": [0.0, 0.0],
                "velocity_normal_before": 0.0, "velocity_normal_after": 0.0,
                "impulse_normal": impulse, "impulse_tangent": [0.0, 0.0],
                "normal_work": -impulse, "friction_work": 0.0,
            })
        };
        let event = |kind: &str, contacts: serde_json::Value, actuators: serde_json::Value| {
            let value = serde_json::json!({
                "t": 0.5, "kind": kind, "contacts": contacts, "actuators": actuators, "q": [],
                "velocity_before": [], "velocity_after": [], "energy_before": 0.0, "energy_after": 0.0,
            });
            serde_json::from_value::<EventLine>(value).unwrap()
        };
        let none = serde_json::json!([]);
        let struck = serde_json::json!([
            contact("heel", 2.0, ["open", "open"]),
            contact("toe", 0.0, ["stick", "stick"]),
            contact("side", 0.0, ["stick", "open"]),
        ]);
        let motor = serde_json::json!([{ "name": "knee", "before": "free", "after": "upper", "torque": 9.0 }]);
        let text = table(&[
            event("impact", struck, none.clone()),
            event("saturation", none.clone(), motor),
            event("rest", none.clone(), none),
        ]);
        let cells = |line: &str| -> Vec<String> {
            line.split("  ").map(str::trim).filter(|c| !c.is_empty()).map(String::from).collect()
        };
        let rows: Vec<Vec<String>> = text.lines().skip(1).map(cells).collect();
        assert_eq!(rows[0], ["0.500000", "impact", "heel", "2.000000", "2.000000"]);
        assert_eq!(rows[1], ["0.500000", "impact", "side", "-", "-"]);
        assert_eq!(rows[2], ["0.500000", "saturation", "knee: free to upper", "-", "-"]);
        assert_eq!(rows[3], ["0.500000", "rest", "-", "-", "-"]);
    }

    #[test]
    fn numbers_keep_their_size() {
        assert_eq!(number(0.45152364098573097), "0.451524");
        assert_eq!(number(0.18393749999999442), "0.183938");
        assert_eq!(number(-0.0), "0.000000");
        assert_eq!(number(1.5e-9), "1.500e-9");
        assert_eq!(number(-2.5e9), "-2.500e9");
    }
}
