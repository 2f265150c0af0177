//! What `nohup` asks for: a program that it starts outlives its terminal.
//!
//! Listening for Ctrl-C listens for a hangup too, also where that is ignored at the program's start.

/// Calls `stop` whenever the user or the system asks the program to end.
///
/// # Errors
/// If that cannot be listened for, or is listened for already.
pub fn listen(stop: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    let keeps_on = is_ignored();
    ctrlc::set_handler(stop)?;
    if keeps_on {
        ignore();
    }
    Ok(())
}

/// Whether the program was started to outlive its terminal.
#[cfg(unix)]
fn is_ignored() -> bool {
    // SAFETY: zeroes are a valid value of this plain structure, which the call only writes to.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}

/// The engines that are started from now on inherit it.
#[cfg(unix)]
fn ignore() {
    // SAFETY: no handler of ours is installed.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
}

#[cfg(not(unix))]
fn is_ignored() -> bool {
    false
}

#[cfg(not(unix))]
fn ignore() {}
