//! Motors through an event: knots, feet that stand, saturation after it.

use super::motion::Motion;
use super::transition::{Dead, Place, Transition, singular};
use super::watch::Watch;
use crate::record::{Event, EventKind};

impl Transition {
    /// Knots that have come, and the feet that stand at the beginning of the event.
    pub(super) fn start_drive(&mut self, motion: &mut Motion<'_>, place: &Place<'_>) {
        if motion.drive.is_idle() {
            return;
        }
        let mut drive = std::mem::take(&mut motion.drive);
        drive.begin(&self.before, &self.touching, |site| self.opens(site));
        for &(controller, _) in place.fired.iter().filter(|f| f.1 == Watch::Knot) {
            drive.pass_knot(controller);
        }
        motion.drive = drive;
    }

    /// Modes of all sites; a foot that would pull is let go, and all modes are chosen again with
    /// the motors as they then are. Feet are only ever let go, so this ends.
    pub(super) fn stand(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        y: &[f64],
        impact: bool,
    ) -> Result<(), Dead> {
        self.choose_modes(motion, place, y, impact)?;
        while !motion.drive.is_idle() {
            let mut drive = std::mem::take(&mut motion.drive);
            let again = drive.release_open(&motion.modes);
            motion.drive = drive;
            if !again {
                break;
            }
            self.choose_modes(motion, place, y, impact)?;
        }
        Ok(())
    }

    /// Saturation of the motors for the motion that follows.
    pub(super) fn end_drive(
        &mut self,
        motion: &mut Motion<'_>,
        place: &Place<'_>,
        y: &[f64],
        tell: &mut dyn FnMut(&Event),
    ) -> Result<(), Dead> {
        if motion.drive.is_idle() {
            return Ok(());
        }
        let (q, v) = y.split_at(motion.model.nq());
        motion.accelerate(place.t, q, v).map_err(|e| singular(place.t, e))?;
        let mut changes = std::mem::take(&mut self.event.actuators);
        motion.drive.end(place.fired, &mut changes);
        let kind = match (changes.is_empty(), motion.drive.switched(&motion.modes)) {
            (_, true) => Some(EventKind::Switch),
            (false, false) => Some(EventKind::Saturation),
            (true, false) => None,
        };
        self.event.actuators = changes;
        if let Some(kind) = kind {
            self.start_event(motion, place.t, q, v);
            self.event.contacts.clear();
            self.event.kind = kind;
            tell(&self.event);
        }
        self.event.actuators.clear();
        Ok(())
    }
}
