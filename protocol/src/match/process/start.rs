//! What only Unix knows of starting and ending processes.

use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    os::unix::process::CommandExt,
    process::{Child, Command},
};

/// Gives a command a group of its own, so that a Ctrl-C meant for the runner does not reach it and
/// its own children can be ended with it; and ties its life to the calling thread's.
pub(super) fn tie(command: &mut Command) {
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let parent = rustix::process::getpid();
        let die_with_parent = move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have died just before.
            match rustix::process::getppid() {
                Some(now) if now == parent => Ok(()),
                _ => Err(rustix::io::Errno::SRCH.into()),
            }
        };
        // SAFETY: between fork and exec only system calls are made, by wrappers that neither take
        // locks nor allocate.
        unsafe { command.pre_exec(die_with_parent) };
    }
}

/// Ends a process that has not been waited for, and its own children.
pub(super) fn kill_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // Fails only if nobody is left in it.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The name of a signal that programs die of, in parentheses.
pub(super) fn signal_name(number: i32) -> &'static str {
    const NAMES: [(Signal, &str); 8] = [
        (Signal::SEGV, " (segmentation fault)"),
        (Signal::ABORT, " (abort)"),
        (Signal::KILL, " (kill)"),
        (Signal::ILL, " (illegal instruction)"),
        (Signal::FPE, " (arithmetic)"),
        (Signal::BUS, " (bus error)"),
        (Signal::TERM, " (terminate)"),
        (Signal::PIPE, " (broken pipe)"),
    ];
    NAMES.iter().find(|(signal, _)| signal.as_raw() == number).map_or("", |(_, name)| name)
}
