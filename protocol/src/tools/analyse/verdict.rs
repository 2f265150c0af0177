//! What a turn did to its side: the class of the mistake, if it was one.

use super::value::{Standing, Value};
use serde::Serialize;

/// The class of a turn, from its value before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There was no other turn.
    Forced,
    /// None is better.
    Best,
    /// Nothing of weight was lost.
    Good,
    /// Half a stone or so was lost.
    Inaccuracy,
    /// A stone or more was lost.
    Mistake,
    /// A win became a slower win.
    SlowerWin,
    /// A loss became a faster loss.
    FasterLoss,
    /// A win was lost.
    LostWin,
    /// A draw was lost.
    LostDraw,
    /// A win became a loss.
    WinToLoss,
}

/// From these losses on, in hundredths of a stone, turns have a name.
const INACCURATE: i32 = 40;
const MISTAKEN: i32 = 100;
/// Plies that a win may take longer, or a loss be shorter, before it is worth a word.
const FEW_PLIES: u32 = 2;

impl Verdict {
    /// Judges a turn by the best value before it and the value that it left, both for its side.
    pub fn of(before: Value, after: Value) -> Self {
        use Standing::{Level, Losing, Winning};
        let cost = before.centistones() - after.centistones();
        // An estimate that crosses a line by little has not changed much.
        match (before.standing(), after.standing()) {
            _ if cost < MISTAKEN => {}
            (Winning, Losing) => return Verdict::WinToLoss,
            (Winning, Level) => return Verdict::LostWin,
            (Level, Losing) => return Verdict::LostDraw,
            _ => {}
        }
        match (before, after) {
            (Value::Win(best), Value::Win(plies)) if plies >= best + FEW_PLIES => {
                return Verdict::SlowerWin;
            }
            // A proven win that is proven no longer may still be one.
            (Value::Win(_), Value::Score(_)) => return Verdict::SlowerWin,
            (Value::Loss(longest), Value::Loss(plies)) if plies + FEW_PLIES <= longest => {
                return Verdict::FasterLoss;
            }
            (Value::Score(_), Value::Loss(_)) => return Verdict::FasterLoss,
            _ => {}
        }
        match cost {
            MISTAKEN.. => Verdict::Mistake,
            INACCURATE.. => Verdict::Inaccuracy,
            _ => Verdict::Good,
        }
    }

    /// Whether the side stands in another place than before.
    pub fn is_grave(self) -> bool {
        matches!(self, Verdict::LostWin | Verdict::LostDraw | Verdict::WinToLoss)
    }

    /// The sign of annotators; empty if there is nothing to blame.
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::LostWin | Verdict::LostDraw | Verdict::WinToLoss => "??",
            Verdict::Mistake => "?",
            Verdict::Inaccuracy | Verdict::SlowerWin | Verdict::FasterLoss => "?!",
            Verdict::Forced | Verdict::Best | Verdict::Good => "",
        }
    }

    /// In words, as the end of "this turn …". Those are told whether the values before and after
    /// are proven.
    pub fn words(self, before_exact: bool, after_exact: bool) -> &'static str {
        let exact = match self {
            Verdict::LostWin | Verdict::FasterLoss => before_exact,
            _ => after_exact,
        };
        match (self, exact) {
            (Verdict::Forced, _) => "was the only one",
            (Verdict::Best, _) => "was the best",
            (Verdict::Good, _) => "was good",
            (Verdict::Inaccuracy, _) => "was inaccurate",
            (Verdict::Mistake, _) => "was a mistake",
            (Verdict::SlowerWin, true) => "won more slowly",
            (Verdict::SlowerWin, false) => "left the proven win",
            (Verdict::FasterLoss, true) => "lost faster",
            (Verdict::FasterLoss, false) => "let a loss be proven",
            (Verdict::LostWin, true) => "lost the win",
            (Verdict::LostWin, false) => "lost a winning advantage",
            (Verdict::LostDraw, true) => "lost the draw",
            (Verdict::LostDraw, false) => "lost a game that could be held",
            (Verdict::WinToLoss, _) => "turned a win into a loss",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_called_what_they_are() {
        for (before, after, verdict) in [
            (Value::Win(3), Value::Win(3), Verdict::Good),
            (Value::Win(3), Value::Win(5), Verdict::SlowerWin),
            (Value::Win(3), Value::Score(900), Verdict::SlowerWin),
            (Value::Win(3), Value::Draw, Verdict::LostWin),
            (Value::Win(3), Value::Score(20), Verdict::LostWin),
            (Value::Win(3), Value::Loss(6), Verdict::WinToLoss),
            (Value::Score(300), Value::Score(-300), Verdict::WinToLoss),
            (Value::Draw, Value::Loss(6), Verdict::LostDraw),
            (Value::Score(0), Value::Score(-250), Verdict::LostDraw),
            (Value::Loss(12), Value::Loss(4), Verdict::FasterLoss),
            (Value::Loss(12), Value::Loss(12), Verdict::Good),
            (Value::Score(-300), Value::Loss(4), Verdict::FasterLoss),
            (Value::Score(210), Value::Score(160), Verdict::Inaccuracy),
            (Value::Score(-150), Value::Score(-260), Verdict::LostDraw),
            (Value::Score(50), Value::Score(-60), Verdict::Mistake),
            (Value::Score(50), Value::Score(5), Verdict::Inaccuracy),
            (Value::Score(50), Value::Score(40), Verdict::Good),
            (Value::Score(500), Value::Score(350), Verdict::Mistake),
        ] {
            assert_eq!(Verdict::of(before, after), verdict, "{before} {after}");
        }
    }
}
