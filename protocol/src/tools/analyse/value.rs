//! What a position is worth to a side: proven, or as the search estimates it.

use millrace_engine::search::Score;
use std::fmt;

/// The value of a position for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A proven win, so many plies away.
    Win(u32),
    /// An estimate in hundredths of a stone.
    Score(i32),
    /// A proven draw.
    Draw,
    /// A proven loss, so many plies away.
    Loss(u32),
}

/// Where a side stands, as people would say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Losing, or as good as.
    Losing,
    /// Neither.
    Level,
    /// Winning, or as good as.
    Winning,
}

/// An estimate of two stones and more is as good as won: such games end so nine times out of ten.
const AS_GOOD_AS_WON: i32 = 200;

impl From<Score> for Value {
    fn from(score: Score) -> Self {
        match score {
            Score::Cp(cp) => Value::Score(cp),
            Score::Mate(turns) if turns > 0 => Value::Win(2 * turns.unsigned_abs() - 1),
            Score::Mate(turns) => Value::Loss(2 * turns.unsigned_abs()),
        }
    }
}

impl Value {
    /// The value for the side that has just moved, counted from before its turn.
    pub fn before_turn(self) -> Self {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
            _ => self.for_other(),
        }
    }

    /// The value for the other side.
    pub fn for_other(self) -> Self {
        match self {
            Value::Win(plies) => Value::Loss(plies),
            Value::Score(cp) => Value::Score(-cp),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies),
        }
    }

    /// Whether no search will change it.
    pub fn is_exact(self) -> bool {
        !matches!(self, Value::Score(_))
    }

    /// Where the side stands.
    pub fn standing(self) -> Standing {
        match self {
            Value::Win(_) | Value::Score(AS_GOOD_AS_WON..) => Standing::Winning,
            Value::Loss(_) => Standing::Losing,
            Value::Score(cp) if cp <= -AS_GOOD_AS_WON => Standing::Losing,
            Value::Score(_) | Value::Draw => Standing::Level,
        }
    }

    /// The value as an estimate, for differences. Beyond a few stones more is no better.
    pub fn centistones(self) -> i32 {
        const MOST: i32 = 5 * AS_GOOD_AS_WON;
        match self {
            Value::Win(_) => MOST,
            Value::Score(cp) => cp.clamp(-MOST, MOST),
            Value::Draw => 0,
            Value::Loss(_) => -MOST,
        }
    }

    /// The part of a point that the side can expect, from 0 to 1.
    pub fn expectation(self) -> f64 {
        let score = match self {
            Value::Win(_) => return 1.0,
            Value::Loss(_) => return 0.0,
            Value::Draw => Score::Cp(0),
            Value::Score(cp) => Score::Cp(cp),
        };
        let [win, draw, _] = crate::dialects::chances(score);
        (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
    }

    /// Whether it is worth more than another value. A proven draw and an estimate of nothing are
    /// worth the same.
    pub fn is_better_than(self, other: Self) -> bool {
        self.rank() > other.rank()
    }

    fn rank(self) -> (i32, i64) {
        match self {
            Value::Win(plies) => (1, -i64::from(plies)),
            Value::Score(cp) => (0, cp.into()),
            Value::Draw => (0, 0),
            Value::Loss(plies) => (-1, plies.into()),
        }
    }
}

impl fmt::Display for Value {
    /// In few characters: `win 3` and `loss 2` in own turns, `draw`, or `+0.35`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Value::Win(plies) => format!("win {}", plies.div_ceil(2)),
            Value::Loss(plies) => format!("loss {}", plies / 2),
            Value::Draw => "draw".to_string(),
            Value::Score(cp) => {
                let sign = if *cp < 0 { '-' } else { '+' };
                format!("{sign}{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_on_across_a_turn() {
        // Who is about to win in two turns was let into it by a turn that loses in four plies.
        let value = Value::from(Score::Mate(2));
        assert_eq!(value, Value::Win(3));
        assert_eq!(value.before_turn(), Value::Loss(4));
        assert_eq!(Value::from(Score::Mate(-2)), Value::Loss(4));
        assert_eq!(Value::from(Score::Mate(0)).before_turn(), Value::Win(1));
        assert_eq!(Value::Score(31).before_turn(), Value::Score(-31));
    }

    #[test]
    fn values_are_in_order() {
        let rising = [
            Value::Loss(2),
            Value::Loss(8),
            Value::Score(-900),
            Value::Draw,
            Value::Score(1),
            Value::Win(9),
            Value::Win(1),
        ];
        assert!(rising.windows(2).all(|pair| pair[1].is_better_than(pair[0])));
        let expectations: Vec<f64> = rising.iter().map(|value| value.expectation()).collect();
        assert!(expectations.is_sorted(), "{expectations:?}");
    }

    #[test]
    fn texts_are_short() {
        let texts: Vec<String> =
            [Value::Win(5), Value::Loss(4), Value::Draw, Value::Score(-7), Value::Score(1234)]
                .map(|value| value.to_string())
                .to_vec();
        assert_eq!(texts, ["win 3", "loss 2", "draw", "-0.07", "+12.34"]);
    }
}
