//! How long to think: a soft limit, after which no new iteration is begun, and a hard one, at
//! which the search is broken off.

use super::{Limits, Settings};
use crate::position::Color;
use std::time::Duration;

/// The budget of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// No iteration is begun after this, adjusted by how settled the best turn is.
    pub soft: Duration,
    /// The search ends at this.
    pub hard: Duration,
    /// Whether the time comes from a clock, so that time saved is of use later.
    pub from_clock: bool,
}

/// Own turns that a game is taken to last from any point on.
const TURNS_LEFT: f64 = 24.0;

impl Budget {
    /// What limits and settings give the side to move; `None` if time does not limit the search.
    pub(super) fn new(limits: &Limits, settings: &Settings, side: Color) -> Option<Self> {
        if limits.infinite {
            return None;
        }
        let overhead = settings.move_overhead.as_secs_f64() * 1000.0;
        let fixed = limits.move_time_ms.map(|ms| {
            let all = ms.max(0) as f64;
            let budget = (all - overhead).max(all / 2.0);
            (budget, budget)
        });
        let clock = limits.clocks[side.index()];
        let from_clock = clock.time_ms.map(|ms| {
            let all = ms as f64;
            let usable = (all - overhead).max(all / 2.0).max(0.0);
            let increment = clock.increment_ms.max(0) as f64;
            let turns = limits.moves_to_go.map_or(TURNS_LEFT, |n| f64::from(n.clamp(1, 50)));
            let share = usable / turns + increment * 0.75;
            let most = if turns < 1.5 { usable } else { usable * 0.5 };
            // An increment is only had after the turn, so it may not be spent beyond the clock.
            ((share * 0.7).min(most), (share * 3.0).min(most))
        });
        let (soft, hard) = match (fixed, from_clock) {
            (None, None) => return None,
            (Some(only), None) | (None, Some(only)) => only,
            (Some((_, a)), Some((soft, b))) => (soft.min(a), a.min(b)),
        };
        Some(Self { soft: millis(soft), hard: millis(hard), from_clock: from_clock.is_some() })
    }
}

fn millis(ms: f64) -> Duration {
    // A year is as good as any longer time, and every duration can hold it.
    Duration::from_secs_f64(ms.min(3e10) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    fn budget(limits: Limits) -> Option<Budget> {
        Budget::new(&limits, &Settings::default(), Color::White)
    }

    fn clock(time_ms: i64, increment_ms: i64) -> Limits {
        let mine = Clock { time_ms: Some(time_ms), increment_ms };
        Limits { clocks: [mine, Clock::default()], ..Limits::default() }
    }

    #[test]
    fn only_the_own_clock_counts() {
        let theirs = Clock { time_ms: Some(1), increment_ms: 0 };
        assert_eq!(
            budget(Limits { clocks: [Clock::default(), theirs], ..Limits::default() }),
            None
        );
        assert!(budget(clock(1000, 0)).is_some());
    }

    #[test]
    fn hard_limits_leave_the_overhead() {
        for (ms, increment, to_go) in
            [(60_000, 0, None), (60_000, 1000, None), (20, 5000, None), (500, 0, Some(1))]
        {
            let limits = Limits { moves_to_go: to_go, ..clock(ms, increment) };
            let budget = budget(limits).unwrap();
            assert!(budget.soft <= budget.hard);
            assert!(budget.hard <= Duration::from_millis(ms as u64 - 10));
        }
    }

    #[test]
    fn no_time_is_no_time() {
        for ms in [0, -5, i64::MIN] {
            let limits = Limits { move_time_ms: Some(ms), ..Limits::default() };
            assert_eq!(budget(limits).unwrap().hard, Duration::ZERO);
            assert_eq!(budget(clock(ms, 0)).unwrap().hard, Duration::ZERO);
        }
        assert!(budget(clock(i64::MAX, i64::MAX)).unwrap().hard > Duration::from_secs(1_000_000));
    }
}
