//! Chances of win, draw and loss from a score: a rough guide for graphs, not a measurement.
//!
//! Win and loss follow logistic curves that cross the half at one stone ahead, the usual shape in
//! engines that give such chances.

use millrace_engine::search::Score;

/// The score, in hundredths of a stone, at which a win becomes as likely as not.
const HALF: f64 = 100.0;
/// How many hundredths of a stone change the odds by the factor e.
const SPREAD: f64 = 40.0;

/// Permilles of win, draw and loss for the side to move; they add up to 1000.
pub fn chances(score: Score) -> [u32; 3] {
    let cp = match score {
        Score::Cp(cp) => f64::from(cp),
        Score::Mate(turns) if turns > 0 => f64::INFINITY,
        Score::Mate(_) => f64::NEG_INFINITY,
    };
    let likelihood = |cp: f64| (1000.0 / (1.0 + ((HALF - cp) / SPREAD).exp())).round() as u32;
    let (win, loss) = (likelihood(cp), likelihood(-cp));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for cp in [-20_000, -300, -100, -1, 0, 1, 99, 100, 101, 5000, i32::MAX] {
            let [win, draw, loss] = chances(Score::Cp(cp));
            assert_eq!(win + draw + loss, 1000, "at {cp}");
            assert_eq!(chances(Score::Cp(-cp)), [loss, draw, win], "at {cp}");
        }
    }

    #[test]
    fn proven_results_are_certain() {
        assert_eq!(chances(Score::Mate(4)), [1000, 0, 0]);
        assert_eq!(chances(Score::Mate(-4)), [0, 0, 1000]);
        assert_eq!(chances(Score::Mate(0)), [0, 0, 1000]);
    }
}
