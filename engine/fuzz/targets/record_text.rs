//! Any text as game records: each game is refused with its place, or read, and what is written of it
//! is read back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use millrace_engine::text::record::{Reader, Record};

fuzz_target!(|text: &str| {
    for read in Reader::new(text, None) {
        match read {
            Ok(record) => {
                let again = Record::read_all(&record.to_string(), None);
                assert_eq!(again.as_deref(), Ok([record].as_slice()));
            }
            Err(error) => assert!(error.line > 0 && error.column > 0),
        }
    }
});
