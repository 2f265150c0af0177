//! What a user and a driver see: the real program as a process.

#[path = "../support/driver.rs"]
mod driver;

mod analyse;
mod bad_input;
mod command_line;
mod convert;
mod dialects;
mod documents;
mod options;
mod random_lines;
mod session;
mod shell;
