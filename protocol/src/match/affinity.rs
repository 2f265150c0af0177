//! A processor of its own for each worker: engines inherit it, so that they are not moved about
//! between turns, nor measured against each other on one processor.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The processors that the program may use.
#[cfg(target_os = "linux")]
fn allowed() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|n| allowed.is_set(*n)).collect()
}

/// How many processors threads can be bound to; 1 if they cannot be bound.
#[cfg(target_os = "linux")]
pub fn processors() -> usize {
    allowed().len().max(1)
}

/// Binds the calling thread, and all processes that it starts, to one of the processors that the
/// program may use: number `worker`, counted round and round.
#[cfg(target_os = "linux")]
pub fn pin(worker: usize) {
    let processors = allowed();
    if let Some(own) = processors.get(worker % processors.len().max(1)) {
        let mut set = CpuSet::new();
        set.set(*own);
        // If it fails, games are played all the same.
        let _ = sched_setaffinity(None, &set);
    }
}

/// Not on this system.
#[cfg(not(target_os = "linux"))]
pub fn pin(_worker: usize) {}

/// Threads cannot be bound on this system.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> usize {
    1
}

/// Whether [`pin`] does anything here.
pub const WORKS: bool = cfg!(target_os = "linux");
