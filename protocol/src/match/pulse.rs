//! The runner's pulse: for each processor a thread that wakes every millisecond, and so knows when
//! the machine itself stood still. On a virtual machine or a laptop that is short of power all
//! processes of a processor can be held for some milliseconds; no engine is to blame for that, and
//! none is charged.

use super::affinity;
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
/// A beat that is late by less is an everyday delay, which engines have to live with: another process
/// may have its turn on the processor first.
const EVERYDAY: Duration = Duration::from_millis(4);

/// A pulse; it stops when this is dropped.
pub struct Pulse {
    hearts: Vec<Arc<Heart>>,
    threads: Vec<JoinHandle<()>>,
}

/// For how long each processor has stood still, up to some moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost(Vec<Duration>);

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
        let mut pulse = Self { hearts: Vec::new(), threads: Vec::new() };
        for processor in 0..affinity::processors() {
            let state = State { beat: Instant::now(), lost: Duration::ZERO };
            let heart = Arc::new(Heart { state: Mutex::new(state), stops: AtomicBool::new(false) });
            let beating = heart.clone();
            let thread = thread::Builder::new().name("pulse".into()).spawn(move || {
                affinity::pin(processor);
                while !beating.stops.load(Relaxed) {
                    thread::sleep(BEAT);
                    beating.with(|state| state.beats(Instant::now()));
                }
            })?;
            pulse.hearts.push(heart);
            pulse.threads.push(thread);
        }
        Ok(pulse)
    }

    /// For how long the processors have stood still so far.
    pub fn lost(&self) -> Lost {
        let now = Instant::now();
        Lost(self.hearts.iter().map(|heart| heart.with(|state| state.lost_by(now))).collect())
    }
}

impl Lost {
    /// The time that a process may have lost since then: it may have been on the processor that
    /// stood still for longest.
    pub fn since(&self, before: &Lost) -> Duration {
        let pairs = self.0.iter().zip(&before.0);
        pairs.map(|(now, then)| now.saturating_sub(*then)).max().unwrap_or_default()
    }

    /// The most that one processor has stood still.
    pub fn most(&self) -> Duration {
        self.0.iter().copied().max().unwrap_or_default()
    }
}

impl Heart {
    fn with<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.hearts.iter().for_each(|heart| heart.stops.store(true, Relaxed));
        for thread in self.threads.drain(..) {
            // A panic of that thread has nothing to tell.
            let _ = thread.join();
        }
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
        state.beats(begun + ms(6));
        assert_eq!(state.lost, Duration::ZERO, "everyday delays");
        // A stall is seen before the next beat as well as after it, and counted once.
        assert_eq!(state.lost_by(begun + ms(16)), ms(9));
        state.beats(begun + ms(17));
        assert_eq!(state.lost, ms(10));
        assert_eq!(state.lost_by(begun + ms(18)), ms(10));
        state.beats(begun + ms(18));
        assert_eq!(state.lost_by(begun + ms(28)), ms(19));
    }

    #[test]
    fn the_processor_that_stood_still_for_longest_counts() {
        let before = Lost(vec![ms(3), ms(100)]);
        let after = Lost(vec![ms(15), ms(107)]);
        assert_eq!(after.since(&before), ms(12));
        assert_eq!(after.most(), ms(107));
        assert_eq!(Lost::default().since(&before), ms(0));
    }

    #[test]
    fn it_never_loses_more_than_has_passed() {
        let begun = Instant::now();
        let pulse = Pulse::start().expect("threads");
        let first = pulse.lost();
        thread::sleep(ms(20));
        assert!(pulse.lost().since(&first) <= begun.elapsed());
        assert!(pulse.lost().most() <= begun.elapsed());
    }
}
