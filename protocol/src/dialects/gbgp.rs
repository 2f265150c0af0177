//! The Generic Board Game Protocol of Simon Maracine's programs, as his document `gbgp.md` has it:
//! UCI with other words for a handshake, scores and the turn that is none.

use super::{Dialect, Wording, per_second};
use crate::options::Entry;
use millrace_engine::search::{Bound, Info, Score};

/// The dialect that answers to `gbgp`.
pub static GBGP: Gbgp = Gbgp;

/// The type of [`GBGP`].
pub struct Gbgp;

impl Dialect for Gbgp {
    fn ok(&self) -> &'static str {
        "gbgpok"
    }

    /// The document knows one line of play and one token a turn.
    fn announces(&self, option: &Entry) -> bool {
        !matches!(option.name, "MultiPV" | "SplitMoves" | "UCI_ShowWDL")
    }

    fn splits(&self) -> bool {
        false
    }

    fn info(&self, wording: &Wording, info: &Info) -> Option<String> {
        if info.multi_pv > 1 {
            return None;
        }
        let score = match info.score {
            Score::Cp(cp) => format!("eval {cp}"),
            Score::Mate(turns) => format!("win {turns}"),
        };
        let bound = match info.bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        };
        let pv = if info.pv.is_empty() { "" } else { " pv" };
        Some(format!(
            "info depth {} seldepth {} score {score}{bound} nodes {} nps {} hashfull {} time {}{pv}{}",
            info.depth,
            info.sel_depth,
            info.nodes,
            per_second(info.nodes, info.time),
            info.hash_full,
            info.time.as_millis(),
            wording.line(&info.pv),
        ))
    }

    fn no_turn(&self) -> &'static str {
        "none"
    }
}
