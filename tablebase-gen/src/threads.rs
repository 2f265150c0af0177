//! Threads that share out some work. Where the system starts fewer than asked for, these do all of it.

use std::{
    io,
    thread::{Builder, Scope, ScopedJoinHandle, scope},
};

/// Runs `work` on so many threads, of which the one that calls this is one. Returns what each has come to.
pub fn share<R: Send>(threads: usize, work: impl Fn() -> R + Sync) -> Vec<R> {
    scope(|scope| {
        // None at all is no fault here.
        let others = start(scope, threads.saturating_sub(1), || &work).unwrap_or_default();
        let own = work();
        let ended = |other: ScopedJoinHandle<R>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        [own].into_iter().chain(others.into_iter().map(ended)).collect()
    })
}

/// Starts so many threads, each with work of its own.
///
/// # Errors
/// If none starts.
pub fn start<'scope, R: Send + 'scope, W: FnOnce() -> R + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    work: impl Fn() -> W,
) -> io::Result<Vec<ScopedJoinHandle<'scope, R>>> {
    let mut started = Vec::new();
    for _ in 0..threads {
        match Builder::new().spawn_scoped(scope, work()) {
            Ok(thread) => started.push(thread),
            Err(_) if started.is_empty() => return Err(io::ErrorKind::OutOfMemory.into()),
            Err(_) => break,
        }
    }
    Ok(started)
}
