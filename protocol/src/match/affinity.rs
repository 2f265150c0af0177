//! A processor of its own for each worker: engines inherit it, so that they are not moved about
//! between turns, nor measured against each other on one processor.

/// Binds the calling thread, and all processes that it starts, to one of the processors that the
/// program may use: number `worker`, counted round and round.
#[cfg(target_os = "linux")]
pub fn pin(worker: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let processors: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|n| allowed.is_set(*n)).collect();
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

/// Whether [`pin`] does anything here.
pub const WORKS: bool = cfg!(target_os = "linux");
