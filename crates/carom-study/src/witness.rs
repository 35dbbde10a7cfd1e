//! Who else watches the runs of rows: results that are functions of a whole run.

use crate::error::RowFault;
use carom::hybrid::{Outcome, SimError};
use carom::record::{Directive, Event, Observer, Sample};
use carom_scene::Scene;

/// Watches runs for [`crate::Ask::functions`].
pub trait Witness: Observer {
    /// A run of this scene begins; `changes` are all its overrides.
    fn begin(&mut self, scene: &Scene, changes: &[String]);

    /// It is over: one value for each function, NaN where there is none, and what went wrong.
    fn end(
        &mut self,
        scene: &Scene,
        ended: &Result<Outcome, SimError>,
    ) -> (Vec<f64>, Option<RowFault>);
}

/// Two who watch one run; it ends when either wants it to.
pub struct Both<'a>(pub &'a mut dyn Observer, pub Option<&'a mut dyn Witness>);

impl Both<'_> {
    fn tell(&mut self, told: impl Fn(&mut dyn Observer) -> Directive) -> Directive {
        let first = told(self.0);
        let second = self.1.as_mut().map_or(Directive::Continue, |w| told(*w));
        if first == Directive::Stop { first } else { second }
    }
}

impl Observer for Both<'_> {
    fn sample(&mut self, sample: &Sample<'_>) -> Directive {
        self.tell(|who| who.sample(sample))
    }

    fn step(&mut self, t: f64) -> Directive {
        self.tell(|who| who.step(t))
    }

    fn event(&mut self, event: &Event) -> Directive {
        self.tell(|who| who.event(event))
    }
}
