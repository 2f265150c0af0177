//! What the engine is set to.

use crate::eval::Choice;
use std::{path::PathBuf, time::Duration};

/// What the engine is set to. Every field may be changed between searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the hash table in MiB, 1 to 65536.
    pub hash_mib: usize,
    /// Threads that search, 1 to 512.
    pub threads: usize,
    /// Number of best turns to report, 1 to 64.
    pub multi_pv: usize,
    /// Time kept back from every turn for the way to the referee's clock.
    pub move_overhead: Duration,
    /// Strength from 0 (beginner) to 20 (full).
    pub skill_level: u8,
    /// Play at about this rating instead of at `skill_level`.
    pub elo: Option<u32>,
    /// Which evaluation is used.
    pub evaluation: Choice,
    /// Whether tables are used: those in the folders, and those of the program itself.
    pub tables: bool,
    /// Folders with tables, the preferred ones first.
    pub table_folders: Vec<PathBuf>,
    /// Memory for parts of tables in MiB.
    pub table_memory_mib: usize,
    /// The least depth at which tables are asked inside the search.
    pub table_probe_depth: u32,
    /// Seed of all chance in play; 0 = varied from search to search.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            skill_level: 20,
            elo: None,
            evaluation: Choice::Auto,
            tables: true,
            table_folders: Vec::new(),
            table_memory_mib: 256,
            table_probe_depth: 1,
            seed: 1,
        }
    }
}
