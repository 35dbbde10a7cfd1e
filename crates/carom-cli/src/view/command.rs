//! The command: what to look at, where the server listens, and how it stops.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::gate::Gate;
use super::server::{Server, wake};
use super::workshop::{Refusal, Workshop};
use crate::args::ViewArgs;
use crate::salvage::salvage;
use crate::{exit, scene_file};

/// Runs the command.
pub fn run(args: &ViewArgs) -> ExitCode {
    let workshop = match workshop(args) {
        Ok(workshop) => workshop,
        Err(code) => return code,
    };
    let asked = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let bound = TcpListener::bind(asked).and_then(|l| l.local_addr().map(|a| (l, a)));
    let (listener, address) = match bound {
        Ok(bound) => bound,
        Err(error) => {
            let message = format!("cannot listen on {asked}: {error}");
            return exit::fail(&message, "give another --port, or none to take any that is free");
        }
    };
    let Some(gate) = Gate::new(address.port()) else {
        return exit::fail("the system gives no random numbers", "look at its random device");
    };
    let stop = Arc::new(AtomicBool::new(false));
    stop_on_interrupt(&stop, address);
    let name = workshop.name();
    let server = Server::new(listener, gate, workshop, stop);
    let url = format!("http://{address}/");
    exit::say(format_args!("{url} shows {name}; Ctrl-C stops"));
    if args.open {
        open(url);
    }
    server.run();
    ExitCode::SUCCESS
}

/// The run or the scene; messages are printed already if there is none.
fn workshop(args: &ViewArgs) -> Result<Workshop, ExitCode> {
    let target: PathBuf = args.target.clone();
    if target.is_dir() {
        if let Some(change) = args.overrides.first() {
            let message = format!("`--set {change}` cannot change a run that is done");
            let hint = "change it on the page, or give the scene instead of the run";
            return Err(exit::fail(&message, hint));
        }
        salvage(&target);
        return Workshop::of_run(target, args.damage)
            .map_err(|error| exit::fail(&error.to_string(), error.hint()));
    }
    Workshop::of_scene(target, args.overrides.clone()).map_err(|refusal| match refusal {
        Refusal::Scene(error) => scene_file::fail(&error),
        other => {
            let error = other.to_json();
            let text = |key: &str| error[key].as_str().unwrap_or_default().to_string();
            exit::fail(&text("message"), &text("hint"))
        }
    })
}

/// Ctrl-C, or a request to terminate, stops the server; a second one ends the process at once.
fn stop_on_interrupt(stop: &Arc<AtomicBool>, address: SocketAddr) {
    let set = Arc::clone(stop);
    // Without a handler the system ends the process, which is as good.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(0);
        }
        wake(address);
    });
}

/// Opens the page in the browser of the desktop.
fn open(url: String) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let quiet = || Stdio::null();
    let started = Command::new(program)
        .args(first)
        .arg(&url)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    match started {
        // Waited for, so that nothing is left of it.
        Ok(mut child) => drop(thread::spawn(move || child.wait())),
        Err(error) => {
            exit::say(format_args!("cannot start `{program}`: {error}; open the address yourself"))
        }
    }
}
