//! How other threads steer a running search.

use super::Limits;
use std::sync::{
    Arc, Condvar, Mutex,
    atomic::{AtomicBool, Ordering},
};

/// A handle by which other threads steer a running search. Clones steer the same search. A fresh
/// one is made for each search.
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    ponder_hit: AtomicBool,
    changed: Condvar,
    lock: Mutex<()>,
}

impl Control {
    /// A handle for a search that has not been told anything.
    pub fn new() -> Self {
        Self::default()
    }

    fn raise(&self, flag: &AtomicBool) {
        // The lock orders the flag before a waiter's check, so that no wake-up is lost.
        let guard = self.0.lock.lock();
        flag.store(true, Ordering::Release);
        drop(guard);
        self.0.changed.notify_all();
    }

    /// Ends the search; its answer comes at once.
    pub fn stop(&self) {
        self.raise(&self.0.stopped);
    }

    /// The opponent has made the expected turn: the search goes on as a normal one.
    pub fn ponder_hit(&self) {
        self.raise(&self.0.ponder_hit);
    }

    /// Whether the search has been told to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether the expected turn has been made.
    #[inline]
    pub fn is_ponder_hit(&self) -> bool {
        self.0.ponder_hit.load(Ordering::Relaxed)
    }

    /// Sleeps until the answer may be given: at once, or under `infinite` and `ponder` when the
    /// search is told so.
    pub(super) fn wait_for_leave(&self, limits: &Limits) {
        let Ok(mut guard) = self.0.lock.lock() else { return };
        while !self.is_stopped() && (limits.infinite || (limits.ponder && !self.is_ponder_hit())) {
            match self.0.changed.wait(guard) {
                Ok(next) => guard = next,
                Err(_) => return,
            }
        }
    }
}
