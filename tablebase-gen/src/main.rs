//! The program `tablebase-gen`.
fn main() {}
