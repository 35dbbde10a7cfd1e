//! One colliding contact: its normal impulse is the clock, equations (5) to (7) of the parent end the impact.

use super::path::{NAME, Path};
use crate::impact::error::ImpactError;
use crate::impact::planar::release;
use crate::impact::restitution::Restitution;
use crate::impact::trace::StageEvent;

/// Impulse and work of the colliding contact, summed over all intervals of compression and of restitution.
#[derive(Clone, Copy, Default)]
struct Ledger {
    p_c: f64,
    w_c: f64,
    p_r: f64,
    w_r: f64,
}

impl Ledger {
    fn add(&mut self, compressing: bool, p: f64, w: f64) {
        if compressing {
            self.p_c += p;
            self.w_c += w;
        } else {
            self.p_r += p;
            self.w_r += w;
        }
    }
}

/// Follows the path; `i` is the place of the colliding contact in the list.
pub(crate) fn run(
    path: &mut Path<'_>,
    i: usize,
    definition: Restitution,
) -> Result<(), ImpactError> {
    let k = path.scratch.contacts[i];
    let e = path.space.contacts[k].restitution;
    let u_pre = path.u_n(i);
    path.scratch.duties[i].drive = 1.0;
    path.scratch.floors[i] = f64::NEG_INFINITY;
    let mut ledger = Ledger::default();
    let mut compressing = true;
    loop {
        if !compressing && e == 0.0 {
            break;
        }
        path.rates()?;
        let (u_n, rate) = (path.u_n(i), path.scratch.rates.u[path.scratch.duties[i].normal]);
        let end = match definition {
            _ if compressing && rate > 0.0 => -u_n / rate,
            _ if compressing => f64::INFINITY,
            Restitution::Kinematic if rate > 0.0 => (-e * u_pre - u_n) / rate,
            Restitution::Kinematic => f64::INFINITY,
            Restitution::Kinetic => e * ledger.p_c - ledger.p_r,
            Restitution::Energetic => release(-e * e * ledger.w_c - ledger.w_r, u_n, rate),
        };
        let event = path.next_event();
        let again = if !compressing && rate < 0.0 { -u_n / rate } else { f64::INFINITY };
        let ds = end.min(event).min(again).max(0.0);
        if !ds.is_finite() {
            return Err(ImpactError::Jammed { law: NAME, contact: k, rate });
        }
        ledger.add(compressing, ds, ds * (u_n + 0.5 * ds * rate));
        path.advance(ds);
        if ds < end.max(0.0) {
            // Friction elsewhere drove the contact together again.
            if again <= event {
                path.set_u_n(i, 0.0);
                compressing = true;
            }
        } else if compressing {
            path.set_u_n(i, 0.0);
            compressing = false;
            path.record(StageEvent::EndOfCompression, k);
        } else {
            if definition == Restitution::Kinematic {
                path.set_u_n(i, -e * u_pre);
            }
            break;
        }
    }
    path.finish(k);
    Ok(())
}
