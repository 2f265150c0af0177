//! The runner's pulse: a thread that wakes every millisecond, and so knows when the machine itself
//! stood still. On a virtual machine or a laptop that is short of power all processes can be held for
//! some milliseconds; no engine is to blame for that, and none is charged.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The time from beat to beat.
const BEAT: Duration = Duration::from_millis(1);
/// A beat that is late by less is an everyday delay, which engines have to live with.
const EVERYDAY: Duration = Duration::from_millis(2);

/// A pulse; it stops when this is dropped.
pub struct Pulse {
    heart: Arc<Heart>,
    thread: Option<JoinHandle<()>>,
}

struct Heart {
    state: Mutex<State>,
    stops: AtomicBool,
}

#[derive(Clone, Copy)]
struct State {
    /// When it last beat.
    beat: Instant,
    /// The time without a beat so far, where a beat was due.
    lost: Duration,
}

impl State {
    /// All time lost up to a moment, also since the last beat.
    fn lost_by(&self, now: Instant) -> Duration {
        let late = now.saturating_duration_since(self.beat).saturating_sub(BEAT);
        if late > EVERYDAY { self.lost + late } else { self.lost }
    }

    fn beats(&mut self, now: Instant) {
        *self = Self { lost: self.lost_by(now), beat: now };
    }
}

impl Pulse {
    /// Starts the pulse.
    ///
    /// # Errors
    /// If there can be no more threads.
    pub fn start() -> io::Result<Self> {
        let state = State { beat: Instant::now(), lost: Duration::ZERO };
        let heart = Arc::new(Heart { state: Mutex::new(state), stops: AtomicBool::new(false) });
        let beating = heart.clone();
        let thread = thread::Builder::new().name("pulse".into()).spawn(move || {
            while !beating.stops.load(Relaxed) {
                thread::sleep(BEAT);
                beating.with(|state| state.beats(Instant::now()));
            }
        })?;
        Ok(Self { heart, thread: Some(thread) })
    }

    /// For how long the machine has stood still, all told.
    pub fn lost(&self) -> Duration {
        self.heart.with(|state| state.lost_by(Instant::now()))
    }
}

impl Heart {
    fn with<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.heart.stops.store(true, Relaxed);
        // A panic of that thread has nothing to tell.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn only_time_without_a_due_beat_is_lost() {
        let begun = Instant::now();
        let mut state = State { beat: begun, lost: Duration::ZERO };
        state.beats(begun + ms(1));
        state.beats(begun + ms(4));
        assert_eq!(state.lost, Duration::ZERO, "everyday delays");
        // A stall is seen before the next beat as well as after it, and counted once.
        assert_eq!(state.lost_by(begun + ms(14)), ms(9));
        state.beats(begun + ms(15));
        assert_eq!(state.lost, ms(10));
        assert_eq!(state.lost_by(begun + ms(16)), ms(10));
        state.beats(begun + ms(16));
        assert_eq!(state.lost_by(begun + ms(26)), ms(19));
    }

    #[test]
    fn it_never_loses_more_than_has_passed() {
        let begun = Instant::now();
        let pulse = Pulse::start().expect("a thread");
        let first = pulse.lost();
        thread::sleep(ms(20));
        assert!(pulse.lost() >= first);
        assert!(pulse.lost() <= begun.elapsed());
    }
}
