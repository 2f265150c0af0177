//! Any text as rules: refused with a short error, or read and written to the same rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use millrace_engine::Rules;

fuzz_target!(|text: &str| {
    match Rules::parse(text) {
        Ok(rules) => {
            assert_eq!(Rules::parse(&rules.canonical()), Ok(rules));
            assert_eq!(Rules::parse(&rules.short_name()), Ok(rules));
        }
        Err(error) => assert!(error.to_string().chars().count() < 400),
    }
});
