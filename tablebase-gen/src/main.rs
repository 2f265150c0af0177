//! The program `tablebase-gen`.

fn main() -> std::process::ExitCode {
    millrace_tablebase_gen::cli::main(std::env::args_os())
}
