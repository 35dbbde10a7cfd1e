//! Which samples are shown, and where frames are put between them.
//!
//! # Rule
//! ```text
//! more than MOST samples: those at events stay (two at the same time, before and after), the
//!   others are thinned evenly                                                              (1)
//! farther apart than h = max(min(0.02 s, D/200), D/10000), D the duration: frames between    (2)
//! ```
//! (2) is for runs that keep every step of the integrator: in free flight a step may be as long as
//! the flight, and its parabola would be drawn as a straight line.
//!
//! # Tests
//! `eq1_thins_but_keeps_events`, `eq2_fills_long_steps`.

/// Samples that are shown without thinning.
pub(super) const MOST: usize = 20_000;
/// Longest time between frames, s, in a long run.
const LONGEST: f64 = 0.02;
/// A short run has so many frames at least.
const LEAST: f64 = 200.0;
/// No more frames than this are put between samples, for the whole run.
const FILLED: f64 = 10_000.0;

/// A frame: at sample `left` if `s` is 0, else a fraction `s` of the way to the next sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub left: usize,
    pub s: f64,
}

/// The frames of a run, in order of time.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Timeline {
    pub frames: Vec<Frame>,
    /// Samples that are shown.
    pub kept: usize,
}

impl Timeline {
    /// Frames for the times of all samples, which never decrease.
    pub fn new(t: &[f64]) -> Self {
        let shown = shown(t);
        let duration = t.last().unwrap_or(&0.0) - t.first().unwrap_or(&0.0);
        let longest = LONGEST.min(duration / LEAST).max(duration / FILLED);
        let mut timeline = Self::default();
        for (left, _) in shown.iter().enumerate().filter(|(_, shown)| **shown) {
            timeline.kept += 1;
            timeline.frames.push(Frame { left, s: 0.0 });
            if !shown.get(left + 1).copied().unwrap_or(false) {
                continue;
            }
            let step = t[left + 1] - t[left];
            // A step that is longer by round-off only is not cut.
            let parts = (step / longest - 1e-9).ceil();
            if parts.is_finite() && parts > 1.0 {
                let s = |k: usize| Frame { left, s: k as f64 / parts };
                timeline.frames.extend((1..parts as usize).map(s));
            }
        }
        timeline
    }

    /// Time of a frame.
    pub fn time(&self, frame: usize, t: &[f64]) -> f64 {
        let Frame { left, s } = self.frames[frame];
        if s == 0.0 { t[left] } else { t[left] + s * (t[left + 1] - t[left]) }
    }
}

/// Whether each sample is shown, rule (1).
fn shown(t: &[f64]) -> Vec<bool> {
    let n = t.len();
    if n <= MOST {
        return vec![true; n];
    }
    let pair = |i: usize| i > 0 && t[i] == t[i - 1] || i + 1 < n && t[i] == t[i + 1];
    let needed = |i: usize| i == 0 || i + 1 == n || pair(i);
    let fixed = (0..n).filter(|i| needed(*i)).count();
    // Even a run of events alone keeps some of the motion between them.
    let room = MOST.saturating_sub(fixed).max(MOST / 4);
    let every = (n - fixed).div_ceil(room).max(1);
    let mut since = 0;
    (0..n)
        .map(|i| {
            since += 1;
            let take = needed(i) || since >= every;
            if take {
                since = 0;
            }
            take
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eq1_thins_but_keeps_events() {
        // 100 000 samples, an event every 1000.
        let mut t = Vec::new();
        for i in 0..100_000 {
            t.push(f64::from(i) * 1e-3);
            if i % 1000 == 500 {
                t.push(f64::from(i) * 1e-3);
            }
        }
        let timeline = Timeline::new(&t);
        assert!(timeline.kept <= MOST + 200, "{}", timeline.kept);
        assert!(timeline.kept > MOST / 2);
        assert_eq!(timeline.frames.len(), timeline.kept, "nothing to fill");
        let times: Vec<f64> = (0..timeline.frames.len()).map(|k| timeline.time(k, &t)).collect();
        let pairs = times.windows(2).filter(|w| w[0] == w[1]).count();
        assert_eq!(pairs, 100);
        assert_eq!((times[0], *times.last().unwrap()), (0.0, *t.last().unwrap()));
        let widest = times.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
        assert!(widest < 0.0061, "evenly: {widest}");
    }

    #[test]
    fn eq2_fills_long_steps() {
        let t = [0.0, 0.45, 0.45, 1.0];
        let timeline = Timeline::new(&t);
        assert_eq!(timeline.kept, 4);
        let times: Vec<f64> = (0..timeline.frames.len()).map(|k| timeline.time(k, &t)).collect();
        assert!(times.windows(2).all(|w| w[1] - w[0] <= 1.0 / 200.0 + 1e-12));
        assert!(times.windows(2).all(|w| w[1] >= w[0]));
        assert_eq!(times.iter().filter(|t| **t == 0.45).count(), 2);
        // 0.45/0.005 = 90 and 0.55/0.005 = 110 parts.
        assert_eq!(timeline.frames.len(), 4 + 89 + 109);
    }

    #[test]
    fn short_and_empty_runs() {
        assert_eq!(Timeline::new(&[]).frames.len(), 0);
        assert_eq!(Timeline::new(&[0.0]).frames.len(), 1);
        assert_eq!(Timeline::new(&[0.0, 0.0]).frames.len(), 2);
        // A sample every 0.01 s for 10 s is shown as it is.
        let t: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 0.01).collect();
        assert_eq!(Timeline::new(&t).frames.len(), 1001);
    }
}
