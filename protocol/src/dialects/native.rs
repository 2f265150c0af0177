//! The native dialect: UCI as far as UCI goes.

use super::{Dialect, Wording, wdl};
use crate::options::Entry;
use millrace_engine::search::{Bound, Info, Score};
use std::fmt::Write;

/// The dialect that answers to `uci`.
pub static NATIVE: Native = Native;

/// The type of [`NATIVE`].
pub struct Native;

impl Dialect for Native {
    fn ok(&self) -> &'static str {
        "uciok"
    }

    fn announces(&self, option: &Entry) -> bool {
        option.name != "TwelveMensMorris"
    }

    fn splits(&self) -> bool {
        true
    }

    fn info(&self, wording: &Wording, info: &Info) -> Option<String> {
        let score = match info.score {
            Score::Cp(cp) => format!("cp {cp}"),
            Score::Mate(turns) => format!("mate {turns}"),
        };
        let bound = match info.bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        };
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {score}{bound}",
            info.depth, info.sel_depth, info.multi_pv
        );
        // Writing to a string cannot fail.
        if wording.show_wdl {
            let [win, draw, loss] = wdl::chances(info.score);
            let _ = write!(line, " wdl {win} {draw} {loss}");
        }
        let _ = write!(
            line,
            " nodes {} nps {} hashfull {} tbhits {} time {}",
            info.nodes,
            per_second(info.nodes, info.time),
            info.hash_full,
            info.table_hits,
            info.time.as_millis()
        );
        if !info.pv.is_empty() {
            let _ = write!(line, " pv{}", wording.line(&info.pv));
        }
        Some(line)
    }

    fn no_turn(&self) -> &'static str {
        "(none)"
    }
}

/// A rate for people and programs; a time too short to measure counts as a microsecond.
pub(crate) fn per_second(count: u64, time: std::time::Duration) -> u64 {
    (u128::from(count) * 1_000_000 / time.as_micros().max(1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_survives_no_time_at_all() {
        use std::time::Duration;
        assert_eq!(per_second(5, Duration::ZERO), 5_000_000);
        assert_eq!(per_second(u64::MAX, Duration::from_secs(1 << 40)), u64::MAX >> 40);
    }
}
