//! A run step by step, for control loops.
//!
//! The run goes on in a thread of its own and pauses where it is asked to: at a time, which is a knot of a
//! controller, so that a step ends there exactly and what is commanded may jump; or after an event. So it is one
//! run from beginning to end, with its modes and its accumulating impacts, not a run started anew at each step.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Instant as Clock;

use carom::contact::Site;
use carom::control::{ControlError, Controller, ForceLaw, Situation};
use carom::dynamics::Kinematics;
use carom::model::Model;
use carom::record::{Directive, Event as Told, Observer, Sample};
use carom_report::{EventLine, LiveRun};
use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::course::{Done, Order, Watch};
use crate::error::{of_impact, of_run};
use crate::event::Event;
use crate::hooks::{self, Hooks};
use crate::numbers::vector;
use crate::run::{Instant, Run};
use crate::scene::{Given, Scene};
use crate::trouble::{Trouble, wait};

/// Where a run is to pause next.
#[derive(Clone, Copy)]
enum Goal {
    Time(f64),
    Event(f64),
    End,
}

/// What the thread of the run and that of Python share.
struct Shared {
    goal: Goal,
    /// The last state: t, q, v.
    state: (f64, Vec<f64>, Vec<f64>),
    /// Forces of the motors and generalised forces that are held.
    control: Vec<f64>,
    force: Vec<f64>,
    /// They were changed in this pause.
    changed: bool,
    /// Events since the last pause.
    events: Vec<EventLine>,
}

/// The baton: who has it works, the other waits.
struct Baton {
    shared: Mutex<Shared>,
    orders: Mutex<Receiver<()>>,
    pauses: Sender<Pause>,
    interrupt: AtomicBool,
}

/// Why the thread of the run gave the baton back.
enum Pause {
    Reached,
    Over(Box<Result<Done, carom::impact::ImpactError>>),
}

impl Baton {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    /// Gives the baton to Python and waits for it. A simulator that is gone wants the end.
    fn pause(&self) {
        let sent = self.pauses.send(Pause::Reached);
        let orders = self.orders.lock().unwrap_or_else(|poison| poison.into_inner());
        if sent.is_err() || orders.recv().is_err() {
            self.shared().goal = Goal::End;
        }
    }
}

/// Commands what Python has set, and pauses at its goal.
struct Pauser {
    baton: Arc<Baton>,
}

impl Controller for Pauser {
    fn command(&mut self, _: &Situation<'_>, u: &mut [f64]) {
        u.iter_mut().zip(&self.baton.shared().control).for_each(|(u, x)| *u += x);
    }

    fn check(&self, _: &Model, _: &[Site], _: usize) -> Result<(), ControlError> {
        Ok(())
    }

    fn next_knot(&self) -> Option<f64> {
        match self.baton.shared().goal {
            Goal::Time(t) | Goal::Event(t) if t.is_finite() => Some(t),
            _ => None,
        }
    }

    fn pass_knot(&mut self) -> bool {
        self.baton.shared().changed = false;
        self.baton.pause();
        self.baton.shared().changed
    }
}

/// Generalised forces that Python holds.
struct Held {
    baton: Arc<Baton>,
}

impl ForceLaw for Held {
    fn add(&mut self, _: f64, _: (&[f64], &[f64]), _: (&Model, &Kinematics), tau: &mut [f64]) {
        tau.iter_mut().zip(&self.baton.shared().force).for_each(|(tau, x)| *tau += x);
    }
}

/// Records, keeps the last state, and pauses after events.
struct Attendant {
    watch: Watch,
    baton: Arc<Baton>,
    /// An event was told; the run pauses at the sample after it.
    happened: bool,
}

impl Attendant {
    fn directive(&self, kept: Directive) -> Directive {
        let over = matches!(self.baton.shared().goal, Goal::End);
        if over { Directive::Stop } else { kept }
    }
}

impl Observer for Attendant {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        let kept = self.watch.sample(sample);
        {
            let mut shared = self.baton.shared();
            shared.state.0 = sample.t;
            shared.state.1.copy_from_slice(sample.q);
            shared.state.2.copy_from_slice(sample.v);
        }
        let waits = matches!(self.baton.shared().goal, Goal::Event(_));
        if std::mem::take(&mut self.happened) && waits {
            self.baton.pause();
        }
        self.directive(kept)
    }

    fn step(&mut self, t: f64) -> Directive {
        let kept = self.watch.step(t);
        if self.baton.interrupt.swap(false, Ordering::Relaxed) {
            self.baton.pause();
        }
        self.directive(kept)
    }

    fn event(&mut self, event: &Told) -> Directive {
        let kept = self.watch.event(event);
        if let Some(line) = self.watch.live.last_event() {
            self.baton.shared().events.push(line.clone());
        }
        self.happened = true;
        self.directive(kept)
    }
}

/// A run that pauses.
#[pyclass(frozen, module = "carom._carom")]
pub struct Simulator {
    baton: Arc<Baton>,
    trouble: Arc<Trouble>,
    hand: Mutex<Hand>,
}

/// Python's end of the baton.
struct Hand {
    orders: Option<Sender<()>>,
    pauses: Receiver<Pause>,
    thread: Option<JoinHandle<()>>,
    over: Option<Py<Run>>,
    end: f64,
}

#[pymethods]
impl Simulator {
    #[new]
    #[pyo3(signature = (scene, end, start = None, hooks = None))]
    fn new(
        py: Python<'_>,
        scene: &Bound<'_, Scene>,
        end: f64,
        start: Option<Given<'_>>,
        hooks: Option<hooks::Given>,
    ) -> PyResult<Self> {
        let scene = scene.get();
        let hooks = Hooks::new(py, hooks, scene.scene.actuators.len())?;
        let order = scene.order(scene.state(start)?);
        let first = order.start.clone().unwrap_or_else(|| scene.scene.initial.clone());
        if end.is_nan() || end <= first.t {
            let message = format!("until = {end} s must lie after the start at {} s", first.t);
            return Err(PyValueError::new_err(message));
        }
        let (give, orders) = channel();
        let (pauses, take) = channel();
        let shared = Shared {
            goal: Goal::End,
            state: (first.t, first.q.as_slice().to_vec(), first.v.as_slice().to_vec()),
            control: vec![0.0; scene.scene.actuators.len()],
            force: vec![0.0; scene.scene.model.nv()],
            changed: false,
            events: Vec::new(),
        };
        let baton = Arc::new(Baton {
            shared: Mutex::new(shared),
            orders: Mutex::new(orders),
            pauses,
            interrupt: AtomicBool::new(false),
        });
        let trouble = Arc::new(Trouble::default());
        let (own, noted) = (Arc::clone(&baton), Arc::clone(&trouble));
        let work = move || work(order, hooks, (own, &noted), end);
        let thread = std::thread::Builder::new().name("carom simulator".into()).spawn(work)?;
        let hand = Hand { orders: Some(give), pauses: take, thread: Some(thread), over: None, end };
        Ok(Self { baton, trouble, hand: Mutex::new(hand) })
    }

    /// The state at hand.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> Instant<'py> {
        let shared = self.baton.shared();
        let (t, q, v) = &shared.state;
        (*t, PyArray1::from_slice(py, q), PyArray1::from_slice(py, v))
    }

    /// Whether the run is over.
    #[getter]
    fn over(&self) -> PyResult<bool> {
        Ok(self.hand()?.over.is_some())
    }

    /// Forces of the motors from now on.
    fn set_control(&self, control: &Bound<'_, PyAny>) -> PyResult<()> {
        let _free = self.hand()?;
        let count = self.baton.shared().control.len();
        let control = vector(control, "control", count)?;
        let mut shared = self.baton.shared();
        shared.changed |= shared.control != control;
        shared.control = control;
        Ok(())
    }

    /// Generalised forces from now on.
    fn set_force(&self, force: &Bound<'_, PyAny>) -> PyResult<()> {
        let _free = self.hand()?;
        let count = self.baton.shared().force.len();
        let force = vector(force, "force", count)?;
        let mut shared = self.baton.shared();
        shared.changed |= shared.force != force;
        shared.force = force;
        Ok(())
    }

    /// Goes on to a time; with `event`, only to the next event before it. The events on the way, and the
    /// exception that ended the run, if any.
    fn go(&self, py: Python<'_>, t: f64, event: bool) -> PyResult<(Vec<Event>, Option<Py<PyAny>>)> {
        let mut hand = self.hand()?;
        let now = self.baton.shared().state.0;
        if hand.over.is_some() {
            return Err(PyRuntimeError::new_err("the run is over"));
        }
        if !t.is_finite() || t < now {
            let message = format!("t = {t} s must be finite and not before the present {now} s");
            return Err(PyValueError::new_err(message));
        }
        if t == now && !event {
            return Ok((Vec::new(), None));
        }
        // At the end of the run there is no need for a pause.
        let goal = if t < hand.end { t } else { f64::INFINITY };
        {
            let mut shared = self.baton.shared();
            shared.goal = if event { Goal::Event(goal) } else { Goal::Time(goal) };
            shared.events.clear();
        }
        let error = self.proceed(py, &mut hand)?;
        let events = std::mem::take(&mut self.baton.shared().events);
        Ok((events.into_iter().map(|e| Event(Arc::new(e))).collect(), error))
    }

    /// Ends the run and returns its recording.
    fn finish(&self, py: Python<'_>) -> PyResult<Py<Run>> {
        let mut hand = self.hand()?;
        if hand.over.is_none() {
            self.baton.shared().goal = Goal::End;
            self.proceed(py, &mut hand)?;
        }
        let over = hand.over.as_ref().map(|run| run.clone_ref(py));
        over.ok_or_else(|| PyRuntimeError::new_err("the run did not end"))
    }
}

impl Simulator {
    /// Python's end of the baton; two threads cannot have it at once.
    fn hand(&self) -> PyResult<MutexGuard<'_, Hand>> {
        self.hand.try_lock().map_err(|_| {
            PyRuntimeError::new_err("another thread, or a callback of the run, uses this simulator")
        })
    }

    /// Gives the baton to the run and waits for it.
    fn proceed(&self, py: Python<'_>, hand: &mut Hand) -> PyResult<Option<Py<PyAny>>> {
        let orders = hand.orders.as_ref();
        if orders.is_none_or(|orders| orders.send(()).is_err()) {
            return Err(PyRuntimeError::new_err("the run has lost its thread"));
        }
        let mut interrupt = None;
        let pause = loop {
            match wait(py, &mut hand.pauses) {
                Ok(pause) => break pause,
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        interrupt = Some(error);
                        self.baton.interrupt.store(true, Ordering::Relaxed);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the run has lost its thread"));
                }
            }
        };
        let ended = match pause {
            Pause::Reached => None,
            Pause::Over(done) => {
                let done = done.map_err(|error| of_impact(py, &error))?;
                let error = self.trouble.take();
                let error = error.or_else(|| done.result.as_ref().err().map(|e| of_run(py, e)));
                hand.over = Some(Py::new(py, Run::new(done.account))?);
                hand.orders = None;
                hand.thread.take().map(JoinHandle::join);
                error
            }
        };
        match interrupt {
            Some(interrupt) => Err(interrupt),
            None => Ok(ended.map(|e| e.into_value(py).into_any())),
        }
    }
}

impl Drop for Hand {
    /// The thread ends without being waited for: it may be inside a callback.
    fn drop(&mut self) {
        self.orders = None;
    }
}

/// The thread of the run.
fn work(order: Order, mut hooks: Hooks, (baton, trouble): (Arc<Baton>, &Arc<Trouble>), end: f64) {
    {
        let orders = baton.orders.lock().unwrap_or_else(|poison| poison.into_inner());
        if orders.recv().is_err() {
            return;
        }
    }
    let done = course(&order, &mut hooks, (&baton, trouble), end);
    // Nobody may be there to take it any more.
    let _ = baton.pauses.send(Pause::Over(Box::new(done)));
}

fn course(
    order: &Order,
    hooks: &mut Hooks,
    (baton, trouble): (&Arc<Baton>, &Arc<Trouble>),
    end: f64,
) -> Result<Done, carom::impact::ImpactError> {
    let (mut record, kept) = order.record(hooks);
    if record.actuators.is_empty() {
        record.actuators = carom_cli::job::motors(&order.scene);
    }
    record.repeat = "in Python, step by step: the scene alone does not repeat it".into();
    record.options.until = end;
    let simulation = order
        .simulation(hooks, trouble)?
        .actuators(order.scene.actuators.clone())
        .force(Held { baton: Arc::clone(baton) })
        .controller(Box::new(Pauser { baton: Arc::clone(baton) }));
    let live = LiveRun::new(&order.scene.model, record, kept);
    // Only the main thread sees signals; there Python waits for this one.
    let watch = Watch::new(live, hooks.on_event.take(), trouble, false);
    let mut attendant = Attendant { watch, baton: Arc::clone(baton), happened: false };
    let begun = Clock::now();
    let result = simulation.run_with(end, &mut attendant);
    let scene = carom_scene::Scene::clone(&order.scene);
    let account = attendant.watch.live.finish(scene, &result, false, begun.elapsed());
    Ok(Done { account, result })
}
