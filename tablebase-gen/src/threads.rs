//! Threads that share out some work. Where the system starts fewer than asked for, these do all of it.

use memmap2::MmapOptions;
use std::{
    io,
    sync::mpsc::{SyncSender, sync_channel},
    thread::{Builder, Scope, ScopedJoinHandle, scope},
};

/// Bytes of a thread's stack, as many as the standard library gives it.
const STACK: usize = 2 << 20;
/// Bytes that a thread takes before it comes to its work, generously. The standard library ends the program
/// where it does not get them.
const TO_BEGIN: usize = 1 << 20;

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
/// If none starts: the system is out of what threads need, and says of what.
pub fn start<'scope, R: Send + 'scope, W: FnOnce() -> R + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    work: impl Fn() -> W,
) -> io::Result<Vec<ScopedJoinHandle<'scope, R>>> {
    let mut started = Vec::new();
    for _ in 0..threads {
        let work = work();
        let thread = begin(|builder, starting| {
            let run = move || {
                drop(starting);
                work()
            };
            builder.spawn_scoped(scope, run)
        });
        match thread {
            Ok(thread) => started.push(thread),
            Err(why) if started.is_empty() => {
                return Err(io::Error::new(io::ErrorKind::OutOfMemory, why));
            }
            Err(_) => break,
        }
    }
    Ok(started)
}

/// Held by a thread until it comes to its work.
pub struct Starting(#[expect(dead_code, reason = "that it is gone tells all")] SyncSender<()>);

/// Starts a thread if there is room for it, and waits until it has come to its work: only then is it known
/// what is left for another one. `spawn` makes the thread as the builder has it, and gives it the token,
/// which it drops at once.
///
/// # Errors
/// If it does not start.
pub fn begin<T>(spawn: impl FnOnce(Builder, Starting) -> io::Result<T>) -> io::Result<T> {
    drop(MmapOptions::new().len(STACK + TO_BEGIN).map_anon()?);
    let (token, gone) = sync_channel(0);
    let thread = spawn(Builder::new().stack_size(STACK), Starting(token))?;
    // Nothing is ever sent: this ends when the token is dropped.
    let _ = gone.recv();
    Ok(thread)
}
