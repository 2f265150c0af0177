//! The `millrace` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    millrace_protocol::cli::main()
}
