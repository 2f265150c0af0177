//! Turns in: `d6`, `d6-d5`, `d6d5`, `D6-D5xB4`, `xb4`, `pass`; and why one is not legal.

use super::quoted;
use crate::{
    board::Topology,
    movegen::{MAX_REMOVALS, Turn, removable},
    position::{Outcome, Position},
    rules::{RemoveFromMill, Rules},
    with_topology,
};

/// Why a turn was refused. Points are named as in the board's notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The text has not the shape of a turn.
    #[error("'{0}' is not a turn; turns look like d6, d6-d5, d6xb4 or d6-d5xb4")]
    Syntax(String),
    /// A name that is no point of this board.
    #[error("'{0}' is not a point of this board")]
    NotAPoint(String),
    /// More removals than any turn has.
    #[error("no turn removes more than {MAX_REMOVALS} stones")]
    ManyRemovals,
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(String),
    /// A stone is in the way.
    #[error("{0} is occupied")]
    Occupied(&'static str),
    /// No own stone to move there.
    #[error("there is no own stone on {0}")]
    NoStone(&'static str),
    /// The points are not joined, and the side does not fly.
    #[error("{0} and {1} are not joined, and the side to move does not fly")]
    NotJoined(&'static str, &'static str),
    /// Moves are for later.
    #[error("stones may not be moved while stones are in hand")]
    StillPlacing,
    /// Nothing to place.
    #[error("no stone is in hand")]
    HandEmpty,
    /// A removal is missing.
    #[error("a mill is closed: the turn must name {0} removed")]
    RemovalDue(&'static str),
    /// A removal without a cause.
    #[error("no mill is closed, so nothing may be removed")]
    NoMill,
    /// One removal too many.
    #[error("the turn removes more stones than its mills allow")]
    TooManyRemovals,
    /// No stone of the opponent there.
    #[error("there is no stone of the opponent on {0}")]
    NoTarget(&'static str),
    /// The stone is protected.
    #[error("the stone on {0} stands in a mill and may not be removed")]
    Protected(&'static str),
    /// An earlier mill must be paid for first.
    #[error("a removal is owed and must be made first")]
    Owed,
    /// There is something to do.
    #[error("the side to move may not pass")]
    MayNotPass,
}

/// Reads a turn that is legal in a position. Case does not matter and the hyphen may be missing;
/// spaces are not taken, and every removal must be named.
///
/// # Errors
/// Says what is wrong with the text, or why the turn is not legal.
pub fn parse_turn(rules: &Rules, pos: &Position, text: &str) -> Result<Turn, TurnError> {
    let turn = read(rules, text)?;
    if pos.turns(rules).contains(&turn) {
        return Ok(turn);
    }
    Err(with_topology!(rules.board(), T => objection::<T>(rules, pos, turn)))
}

/// Reads a turn of which removals may be missing, as where every action is sent by itself. Returns
/// it with the number of removals that are still owed; 0 if it is whole.
///
/// # Errors
/// As [`parse_turn`].
pub fn parse_part(rules: &Rules, pos: &Position, text: &str) -> Result<(Turn, u8), TurnError> {
    let turn = read(rules, text)?;
    let made = turn.removals().count();
    let more = |whole: Turn| {
        let begins = whole.without_removals() == turn.without_removals()
            && whole.removals().take(made).eq(turn.removals());
        begins.then(|| (whole.removals().count() - made) as u8)
    };
    match pos.turns(rules).into_iter().filter_map(more).max() {
        Some(owed) => Ok((turn, owed)),
        None => Err(with_topology!(rules.board(), T => objection::<T>(rules, pos, turn))),
    }
}

/// Reads the text of a turn without asking whether it is legal.
fn read(rules: &Rules, text: &str) -> Result<Turn, TurnError> {
    let wrong = || TurnError::Syntax(quoted(text));
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Turn::PASS);
    }
    if !text.is_ascii() {
        return Err(wrong());
    }
    let lower = text.to_ascii_lowercase();
    let mut parts = lower.split('x');
    let action = parts.next().ok_or_else(wrong)?;
    let point = |name: &str| {
        if name.len() != 2 {
            return Err(wrong());
        }
        rules.board().point(name).ok_or_else(|| TurnError::NotAPoint(quoted(name)))
    };
    let mut turn = match (action.len(), action.split_once('-')) {
        (0, _) => Turn::PASS,
        (2, None) => Turn::place(point(action)?),
        (4, None) => Turn::slide(point(&action[..2])?, point(&action[2..])?),
        (5, Some((from, to))) => Turn::slide(point(from)?, point(to)?),
        _ => return Err(wrong()),
    };
    for (number, name) in parts.enumerate() {
        if number == MAX_REMOVALS {
            return Err(TurnError::ManyRemovals);
        }
        turn = turn.removing(number, point(name)?);
    }
    if turn == Turn::PASS { Err(wrong()) } else { Ok(turn) }
}

/// Why a well-formed turn is not among the legal ones.
fn objection<T: Topology>(rules: &Rules, pos: &Position, turn: Turn) -> TurnError {
    let name = |point: usize| T::BOARD.point_name(point);
    let (own, empty) = (pos.own(), pos.empty(T::G.all));
    match pos.outcome(rules) {
        Outcome::Ongoing => {}
        over => return TurnError::GameOver(over.reason()),
    }
    let Some(to) = turn.to() else {
        return match (turn == Turn::PASS, pos.owed()) {
            (true, 0) => TurnError::MayNotPass,
            (true, _) => TurnError::Owed,
            (false, 0) => TurnError::NoMill,
            (false, owed) => removal_objection::<T>(rules, pos, turn, owed.into()),
        };
    };
    if pos.owed() > 0 {
        return TurnError::Owed;
    }
    let in_hand = pos.hand(pos.side()) > 0;
    match turn.from() {
        None if !in_hand => return TurnError::HandEmpty,
        Some(_) if in_hand && !rules.move_while_placing() => return TurnError::StillPlacing,
        Some(from) if own >> from & 1 == 0 => return TurnError::NoStone(name(from)),
        _ => {}
    }
    if empty >> to & 1 == 0 {
        return TurnError::Occupied(name(to));
    }
    let mut others = own;
    if let Some(from) = turn.from() {
        if T::G.joined[from] >> to & 1 == 0 && !pos.flies(rules, pos.side()) {
            return TurnError::NotJoined(name(from), name(to));
        }
        others &= !(1 << from);
    }
    let mills = if rules.line_wins() { 0 } else { T::lines_closed(to, others) };
    if mills == 0 {
        return TurnError::NoMill;
    }
    removal_objection::<T>(rules, pos, turn, mills)
}

/// What is wrong with the removals of a turn that closes `mills` mills.
fn removal_objection<T: Topology>(
    rules: &Rules,
    pos: &Position,
    turn: Turn,
    mills: u32,
) -> TurnError {
    let due = match rules.removals() {
        crate::rules::Removals::One => mills.min(1),
        crate::rules::Removals::PerMill => mills,
    };
    let mut opponent = pos.opponent();
    for (number, point) in turn.removals().enumerate() {
        let name = T::BOARD.point_name(point);
        if number as u32 == due {
            return TurnError::TooManyRemovals;
        }
        if opponent >> point & 1 == 0 {
            return TurnError::NoTarget(name);
        }
        if removable::<T>(rules, opponent) >> point & 1 == 0 {
            return TurnError::Protected(name);
        }
        opponent &= !(1 << point);
    }
    TurnError::RemovalDue(match rules.remove_from_mill() {
        _ if due > 1 => "each stone",
        RemoveFromMill::Always => "a stone",
        _ => "a stone that may be",
    })
}
