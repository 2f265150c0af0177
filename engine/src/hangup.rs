//! What `nohup` asks for: a program that it starts outlives its terminal.
//!
//! Here because both programs need it and share nothing else; the library itself knows of no signals.

/// Does what begins to listen for signals. A hangup that was ignored before is ignored afterwards too, also
/// by the programs that are started from then on.
pub fn stays_ignored<R>(listen: impl FnOnce() -> R) -> R {
    let was_ignored = is_ignored();
    let done = listen();
    if was_ignored {
        ignore();
    }
    done
}

#[cfg(unix)]
fn is_ignored() -> bool {
    // SAFETY: zeroes are a valid value of this plain structure, which the call only writes to.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut now) == 0
            && now.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(unix)]
fn ignore() {
    // SAFETY: it takes a handler away and installs none.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
}

#[cfg(not(unix))]
fn is_ignored() -> bool {
    false
}

#[cfg(not(unix))]
fn ignore() {}
