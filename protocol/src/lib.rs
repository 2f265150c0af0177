//! The engine as a program: its line protocol, the session behind it, and the command line.
//!
//! Everything here is a shell around [`millrace_engine`]; no rule of any game is known here. The
//! protocol follows the manner of UCI (Stefan Meyer-Kahlen and Rudolf Huber) and is described for
//! others in `PROTOCOL.md` beside this crate.

mod bounded;
pub mod cli;
pub mod command;
pub mod diagram;
pub mod dialects;
mod error;
pub mod r#match;
pub mod options;
pub mod play;
mod resident;
pub mod session;
pub mod state;
pub mod svg;
mod table_folders;
pub mod tools;
mod whole_file;

pub use error::ProtocolError;

/// The program's name and version, as the handshake and `--version` give them.
pub const NAME: &str = concat!("Millrace ", env!("CARGO_PKG_VERSION"));
/// Who made it.
pub const AUTHORS: &str = env!("CARGO_PKG_AUTHORS");
