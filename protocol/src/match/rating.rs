//! Ratings of more than two engines from all their games: the model of Bradley and Terry on the
//! scale of Elo, a draw counting as half a win for each side.
//!
//! The likelihood is maximised by Newton's method. Each engine also has one imagined draw against an
//! average player, so that ratings stay finite however one-sided the results are.

use super::stats::Tally;
use serde::Serialize;

/// A rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// In Elo; the mean of all is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub margin: f64,
}

const STEPS: usize = 200;
const CLOSE: f64 = 1e-9;
/// Games of the imagined draw.
const PRIOR: f64 = 1.0;
/// The Elo of a factor e in odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of `players` engines from the tallies of their pairings.
pub fn ratings(players: usize, results: &[([usize; 2], Tally)]) -> Vec<Rating> {
    let mut strength = vec![0.0; players];
    for _ in 0..STEPS {
        let (slope, curve) = derivatives(&strength, results);
        let Some(inverse) = inverted(curve) else { break };
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
        let longest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
        // A step of more than one factor e would leave the region where the curve is known.
        let shrink = 1.0 / longest.max(1.0);
        strength.iter_mut().zip(&step).for_each(|(s, step)| *s += step * shrink);
        if longest < CLOSE {
            break;
        }
    }
    let mean = strength.iter().sum::<f64>() / players.max(1) as f64;
    let spread = inverted(derivatives(&strength, results).1);
    let margin = |n: usize| {
        let variance = spread.as_ref().map_or(f64::INFINITY, |spread| from_mean(spread, n));
        1.96 * variance.max(0.0).sqrt() * SCALE
    };
    (0..players).map(|n| Rating { elo: (strength[n] - mean) * SCALE, margin: margin(n) }).collect()
}

/// The variance of player `n`'s distance from the mean. What all could shift by together is left out:
/// no game tells anything about it.
fn from_mean(spread: &[Vec<f64>], n: usize) -> f64 {
    let players = spread.len() as f64;
    let row: f64 = spread[n].iter().sum();
    let whole: f64 = spread.iter().flatten().sum();
    spread[n][n] - 2.0 * row / players + whole / (players * players)
}

/// The slope of the log-likelihood, and its curvature turned positive.
fn derivatives(strength: &[f64], results: &[([usize; 2], Tally)]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = strength.len();
    let (mut slope, mut curve) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    let chance = |ahead: f64| 1.0 / (1.0 + (-ahead).exp());
    for (player, s) in strength.iter().enumerate() {
        let p = chance(*s);
        slope[player] += PRIOR * (0.5 - p);
        curve[player][player] += PRIOR * p * (1.0 - p);
    }
    for ([a, b], tally) in results {
        let [wins, draws, losses] = tally.games.map(|count| count as f64);
        let games = wins + draws + losses;
        let p = chance(strength[*a] - strength[*b]);
        let ahead = wins + draws / 2.0 - games * p;
        let bend = games * p * (1.0 - p);
        slope[*a] += ahead;
        slope[*b] -= ahead;
        curve[*a][*a] += bend;
        curve[*b][*b] += bend;
        curve[*a][*b] -= bend;
        curve[*b][*a] -= bend;
    }
    (slope, curve)
}

/// The inverse of a matrix, by elimination with pivots; `None` if it has none.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    for (number, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|column| f64::from(u8::from(column == number))));
    }
    for column in 0..n {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if size(&pivot) < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        let head = matrix[column][column];
        matrix[column].iter_mut().for_each(|cell| *cell /= head);
        let leading = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(r, _)| *r != column) {
            let factor = row[column];
            row.iter_mut().zip(&leading).for_each(|(cell, lead)| *cell -= factor * lead);
        }
    }
    Some(matrix.into_iter().map(|row| row[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { games: [wins, draws, losses], ..Tally::default() }
    }

    #[test]
    fn two_engines_get_the_elo_of_their_score() {
        let list = ratings(2, &[([0, 1], tally(7_500, 0, 2_500))]);
        // 75 % is 190.8 Elo; the imagined draws take off next to nothing.
        assert!((list[0].elo - list[1].elo - 190.8).abs() < 0.2, "{list:?}");
        assert!((list[0].elo + list[1].elo).abs() < 1e-6);
    }

    #[test]
    fn differences_add_up_over_three() {
        let results = [([0, 1], tally(640, 0, 360)), ([1, 2], tally(640, 0, 360))];
        let list = ratings(3, &results);
        let elo = 100.0 * 4.0 * (640.0f64 / 360.0).log10();
        assert!((list[0].elo - elo).abs() < 2.0 && (list[2].elo + elo).abs() < 2.0, "{list:?}");
    }

    #[test]
    fn margins_shrink_with_the_root_of_the_games() {
        // Even scores: each game bends a difference by 1/4. With two engines the variance of one
        // from the mean is 1/(games + 1/2); with three it is (2/3) / (3/4 of the games + 1/4).
        for (games, margin) in [(400, 17.014), (1_600, 8.511)] {
            let list = ratings(2, &[([0, 1], tally(games / 2, 0, games / 2))]);
            assert!(list.iter().all(|r| (r.margin - margin).abs() < 0.01), "{list:?}");
        }
        for (games, margin) in [(120, 29.264), (480, 14.647)] {
            let even = tally(games / 4, games / 2, games / 4);
            let list = ratings(3, &[([0, 1], even), ([0, 2], even), ([1, 2], even)]);
            assert!(list.iter().all(|r| (r.margin - margin).abs() < 0.01), "{list:?}");
        }
    }

    #[test]
    fn one_sided_results_stay_finite() {
        for results in [
            vec![([0, 1], tally(100, 0, 0)), ([0, 2], tally(100, 0, 0))],
            vec![([0, 1], tally(0, 100, 0))],
            vec![],
        ] {
            let list = ratings(3, &results);
            assert!(list.iter().all(|r| r.elo.is_finite() && r.margin.is_finite()), "{list:?}");
        }
        assert!(ratings(0, &[]).is_empty());
    }
}
