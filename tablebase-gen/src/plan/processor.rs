//! The processor time that this process has used: what other work a machine has does not lengthen it.

use std::time::Duration;

/// The time of all threads together, if the system tells.
#[cfg(unix)]
pub fn processor_time() -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the time alone.
    let told = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanos = u32::try_from(time.tv_nsec).ok()?;
    (told == 0).then(|| Duration::new(seconds, nanos))
}

/// The time of all threads together, if the system tells.
#[cfg(not(unix))]
pub fn processor_time() -> Option<Duration> {
    None
}
