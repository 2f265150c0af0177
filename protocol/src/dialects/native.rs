//! The native dialect: UCI as far as UCI goes.

use super::{Dialect, wdl};
use crate::{AUTHORS, NAME, ProtocolError, command::Command, options};
use millrace_engine::{
    Board,
    search::{Best, Bound, Info, Score},
};
use std::fmt::Write;

/// The dialect that answers to `uci`.
pub static NATIVE: Native = Native;

/// The type of [`NATIVE`].
pub struct Native;

impl Dialect for Native {
    fn introduction(&self) -> String {
        let mut text = format!("id name {NAME}\nid author {AUTHORS}\n");
        for entry in options::all() {
            text += &format!("option name {} {}\n", entry.name, entry.declaration());
        }
        text + "uciok\n"
    }

    fn parse<'a>(&self, line: &'a str) -> Result<Option<Command<'a>>, ProtocolError> {
        Command::parse(line)
    }

    fn info(&self, board: Board, show_wdl: bool, info: &Info) -> String {
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
        if show_wdl {
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
        for (index, turn) in info.pv.iter().enumerate() {
            let _ = write!(line, "{} {}", if index == 0 { " pv" } else { "" }, turn.on(board));
        }
        line
    }

    fn best(&self, board: Board, best: &Best) -> String {
        let Some(turn) = best.turn else { return "bestmove (none)".to_string() };
        let mut line = format!("bestmove {}", turn.on(board));
        if let Some(reply) = best.ponder {
            let _ = write!(line, " ponder {}", reply.on(board));
        }
        line
    }
}

/// A rate for people and programs; a time too short to measure counts as a microsecond.
pub(crate) fn per_second(count: u64, time: std::time::Duration) -> u64 {
    (u128::from(count) * 1_000_000 / time.as_micros().max(1)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use millrace_engine::{Game, Rules};
    use std::time::Duration;

    fn info(score: Score) -> Info {
        let mut game = Game::new(Rules::default());
        let pv = ["d6", "f4"].map(|t| game.play_text(t).expect("a legal turn")).to_vec();
        Info {
            depth: 7,
            sel_depth: 9,
            multi_pv: 1,
            score,
            bound: None,
            nodes: 3000,
            hash_full: 12,
            table_hits: 0,
            time: Duration::from_millis(2),
            pv,
        }
    }

    #[test]
    fn info_lines_have_every_field_in_order() {
        let line = NATIVE.info(Board::Nine, false, &info(Score::Cp(-15)));
        assert_eq!(
            line,
            "info depth 7 seldepth 9 multipv 1 score cp -15 nodes 3000 nps 1500000 hashfull 12 \
             tbhits 0 time 2 pv d6 f4"
        );
    }

    #[test]
    fn bounds_and_chances_follow_the_score() {
        let info = Info { bound: Some(Bound::Upper), ..info(Score::Mate(-3)) };
        let line = NATIVE.info(Board::Nine, true, &info);
        assert!(line.contains(" score mate -3 upperbound wdl 0 0 1000 nodes "), "{line}");
    }

    #[test]
    fn a_rate_survives_no_time_at_all() {
        assert_eq!(per_second(5, Duration::ZERO), 5_000_000);
        assert_eq!(per_second(u64::MAX, Duration::from_secs(1 << 40)), u64::MAX >> 40);
    }
}
