//! `carom report`: a run as one HTML file, or several in comparison.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_report::document::RunDocument;
use carom_report::looks::Looks;
use carom_report::page::{comparison, report_with};
use carom_report::run::disk::replace;
use carom_report::run::folder::REPORT;
use carom_report::{Account, ReportError};

use crate::args::ReportArgs;
use crate::interrupt::interrupt_flag;
use crate::live::{Lived, from_file};
use crate::run::{code, ending};
use crate::salvage;
use crate::{exit, job};

/// Runs of one page, at most: as many as there are colours that are told apart.
const MOST: usize = 7;

/// Runs the command.
pub fn run(args: &ReportArgs) -> ExitCode {
    let orders = match orders(args) {
        Ok(orders) => orders,
        Err(code) => return code,
    };
    match &orders[..] {
        [order] if order.path.is_dir() => of_run(&order.path, args),
        [order] => of_scene(order, args),
        _ => compared(&orders, args),
    }
}

/// A run that is to be shown: a folder, or a scene with changes.
struct Order {
    path: PathBuf,
    overrides: Vec<String>,
    name: String,
}

/// All runs that are asked for: every target, and every scene with every law.
fn orders(args: &ReportArgs) -> Result<Vec<Order>, ExitCode> {
    let mut orders: Vec<Order> = Vec::new();
    for path in &args.targets {
        let stem = path.file_stem().map_or("run".into(), |s| s.to_string_lossy().into_owned());
        if path.is_dir() {
            refuse_changes(args)?;
            orders.push(Order { path: path.clone(), overrides: Vec::new(), name: stem });
            continue;
        }
        let laws: Vec<Option<&String>> = match args.laws.len() {
            0 => vec![None],
            _ => args.laws.iter().map(Some).collect(),
        };
        for law in laws {
            let name = match law {
                Some(law) if args.targets.len() == 1 => law.clone(),
                Some(law) => format!("{stem}, {law}"),
                None => stem.clone(),
            };
            let mut overrides: Vec<String> =
                law.map(|law| job::law_override(law)).into_iter().collect();
            overrides.extend_from_slice(&args.overrides);
            orders.push(Order { path: path.clone(), overrides, name });
        }
    }
    if orders.len() > MOST {
        let message = format!("{} runs are too many for one page", orders.len());
        return Err(exit::fail(&message, &format!("compare at most {MOST}")));
    }
    tell_apart(&mut orders);
    Ok(orders)
}

/// A run that is done cannot be changed.
fn refuse_changes(args: &ReportArgs) -> Result<(), ExitCode> {
    let change = args.overrides.first().map(|change| format!("--set {change}"));
    match change.or(args.laws.first().map(|law| format!("--law {law}"))) {
        None => Ok(()),
        Some(option) => {
            let message = format!("`{option}` cannot change a run that is done");
            let hint = "give the scene instead of the run, or `carom run` it again";
            Err(exit::fail(&message, hint))
        }
    }
}

/// Runs of the same name are numbered.
fn tell_apart(orders: &mut [Order]) {
    let names: Vec<String> = orders.iter().map(|order| order.name.clone()).collect();
    for (k, order) in orders.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == names[k]).count() > 1 {
            let nth = names[..=k].iter().filter(|name| **name == names[k]).count();
            order.name = format!("{} ({nth})", names[k]);
        }
    }
}

/// The report of a scene, which is simulated.
fn of_scene(order: &Order, args: &ReportArgs) -> ExitCode {
    let stop = interrupt_flag();
    let Lived { account, result } = match from_file(&order.path, &order.overrides, &stop) {
        Ok(lived) => lived,
        Err(code) => return code,
    };
    let out = args.out.clone().unwrap_or_else(|| default_file(&order.path));
    match write(&account, &out) {
        Ok(()) => ending(&result, &account.summary, &out, false),
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// The report of a run on disk.
fn of_run(run: &Path, args: &ReportArgs) -> ExitCode {
    let out = args.out.clone().unwrap_or_else(|| run.join(REPORT));
    let account = match salvage::account(run, &[], args.damage) {
        Ok(account) => account,
        Err(code) => return code,
    };
    match write(&account, &out) {
        Ok(()) => {
            exit::say(out.display());
            ExitCode::SUCCESS
        }
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// Several runs on one page. The exit code is that of the run that ended worst.
fn compared(orders: &[Order], args: &ReportArgs) -> ExitCode {
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("compare.html"));
    let stop = interrupt_flag();
    let (mut runs, mut worst) = (Vec::new(), 0);
    for order in orders {
        let account = match account(order, args, &stop, &mut worst) {
            Ok(account) => account,
            Err(code) => return code,
        };
        match RunDocument::new(&account) {
            Ok(document) => runs.push((order.name.clone(), document)),
            Err(error) => return exit::fail(&error.to_string(), error.hint()),
        }
    }
    match comparison(&runs).and_then(|html| replace(&out, html.as_bytes())) {
        Ok(()) => {
            exit::say(out.display());
            ExitCode::from(worst)
        }
        Err(error) => exit::fail(&error.to_string(), error.hint()),
    }
}

/// A run from its folder, or from its scene; how one that is simulated ended is told and counted.
fn account(
    order: &Order,
    args: &ReportArgs,
    stop: &AtomicBool,
    worst: &mut u8,
) -> Result<Account, ExitCode> {
    if order.path.is_dir() {
        return salvage::account(&order.path, &[], args.damage);
    }
    let Lived { account, result } = from_file(&order.path, &order.overrides, stop)?;
    ending(&result, &account.summary, Path::new(&order.name), false);
    *worst = (*worst).max(code(&account.summary));
    // Who interrupts one run wants no others.
    if stop.load(Ordering::Relaxed) {
        return Err(ExitCode::from(exit::STOPPED));
    }
    Ok(account)
}

/// Writes the file under another name first, so that it is there completely or not at all.
fn write(account: &Account, out: &Path) -> Result<(), ReportError> {
    let looks = Looks::of_run(account);
    let html = report_with(&RunDocument::new(account)?, looks.as_ref())?;
    replace(out, html.as_bytes())
}

/// `NAME.html` in the present folder for a scene `NAME.toml`.
fn default_file(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().map_or_else(|| "scene".into(), |s| s.to_os_string());
    PathBuf::from(stem).with_extension("html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_name_are_numbered() {
        let order =
            |name: &str| Order { path: PathBuf::new(), overrides: Vec::new(), name: name.into() };
        let mut all = ["a", "b", "a"].map(order);
        tell_apart(&mut all);
        assert_eq!(all.map(|order| order.name), ["a (1)", "b", "a (2)"]);
    }
}
