//! What a session knows between commands: the options and the game. It reads no lines and writes
//! none, so every command that does not search can be tried without a stream.

use crate::{
    ProtocolError, diagram,
    options::{self, Options},
};
use millrace_engine::{
    Game, Position, Rules, Turn, TurnError,
    search::Limits,
    text::{fen, parse_part, parse_position, parse_turn},
};
use std::borrow::Cow;

/// Options, game, and whether the last position was refused.
#[derive(Debug)]
pub struct State {
    options: Options,
    game: Game,
    /// What the game was set up by, if more words can make it longer.
    told: Option<Told>,
    refused: bool,
}

/// The words of a `position`.
#[derive(Debug)]
struct Told {
    base: Option<String>,
    moves: Vec<String>,
}

impl Told {
    /// Whether these words begin with those and go on with a turn of their own, so that the game can
    /// be played on.
    fn goes_on(&self, base: Option<&str>, moves: &[&str]) -> bool {
        self.base.as_deref() == base
            && moves.len() >= self.moves.len()
            && self.moves.iter().zip(moves).all(|(told, word)| told == word)
            && moves.get(self.moves.len()).is_none_or(|word| !is_removal(word))
    }
}

impl Default for State {
    fn default() -> Self {
        let options = Options::default();
        let game = Game::new(options.rules);
        Self { options, game, told: None, refused: false }
    }
}

impl State {
    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The options as they would be with one of them changed.
    ///
    /// # Errors
    /// If the name or the value is bad.
    pub fn with_option(&self, name: &str, value: Option<&str>) -> Result<Options, ProtocolError> {
        let mut changed = self.options.clone();
        options::find(name)?.set(&mut changed, value)?;
        Ok(changed)
    }

    /// Takes over options. Other rules mean another game, from its start.
    pub fn adopt(&mut self, options: Options) {
        if options.rules != self.options.rules {
            self.game = Game::new(options.rules);
            self.told = None;
        }
        self.options = options;
    }

    /// Sets up the start.
    pub fn new_game(&mut self) {
        self.game = Game::new(self.options.rules);
        self.told = None;
        self.refused = false;
    }

    /// Sets up a position (`None`: the start) and plays turns from it, all or nothing.
    ///
    /// # Errors
    /// If the position or a turn is bad. The game stays as it was, but cannot be searched until a
    /// good position comes.
    pub fn set_position(
        &mut self,
        base: Option<&str>,
        moves: &[&str],
    ) -> Result<(), ProtocolError> {
        let longer =
            self.told.take().filter(|t| !self.options.split_moves && t.goes_on(base, moves));
        let done = match longer {
            Some(told) => self.play_on(told, moves),
            None => self.replay(base, moves),
        };
        self.refused = done.is_err();
        done
    }

    /// Notes that a `position` was refused unread.
    pub fn refuse_position(&mut self) {
        self.refused = true;
    }

    /// Plays the turns that have come after those told before: drivers send a game from its start
    /// again and again.
    fn play_on(&mut self, mut told: Told, moves: &[&str]) -> Result<(), ProtocolError> {
        let (known, played) = (told.moves.len(), self.game.turns().len());
        let done = play(&mut self.game, moves, known, false);
        if done.is_ok() {
            told.moves.extend(moves[known..].iter().map(ToString::to_string));
        } else {
            while self.game.turns().len() > played {
                self.game.take_back();
            }
        }
        self.told = Some(told);
        done
    }

    fn replay(&mut self, base: Option<&str>, moves: &[&str]) -> Result<(), ProtocolError> {
        let Options { rules, split_moves, .. } = self.options;
        let position = match base {
            Some(text) => parse_position(&rules, text)?,
            None => Position::start(&rules),
        };
        let mut game = Game::from_position(rules, position);
        play(&mut game, moves, 0, split_moves)?;
        self.game = game;
        let told = || Told {
            base: base.map(ToString::to_string),
            moves: moves.iter().map(ToString::to_string).collect(),
        };
        // Action by action, the next word may be the rest of the last turn.
        self.told = (!split_moves).then(told);
        Ok(())
    }

    /// Completes the limits of a search of the current position.
    ///
    /// # Errors
    /// If the last position was refused, or a turn to search is bad.
    pub fn search_limits(
        &self,
        mut limits: Limits,
        search_moves: &[&str],
    ) -> Result<Limits, ProtocolError> {
        if self.refused {
            return Err(ProtocolError::NoPosition);
        }
        let position = self.game.position();
        for (index, tokens) in turns(search_moves, position.owed() == 0) {
            let (rules, text) = (&self.options.rules, joined(tokens));
            let wanted = if self.options.split_moves {
                let begins = |part: Turn| {
                    let all = position.turns(rules).into_iter();
                    all.filter(move |turn| turn.actions().zip(part.actions()).all(|(a, b)| a == b))
                };
                parse_part(rules, position, &text).map(|(part, _)| begins(part).collect())
            } else {
                parse_turn(rules, position, &text).map(|turn| vec![turn])
            };
            let wanted: Vec<Turn> =
                wanted.map_err(|why| blame(rules, position, index, tokens, why))?;
            limits.search_moves.extend(wanted);
        }
        Ok(limits)
    }

    /// Board, FEN, key, rules and result, as lines.
    pub fn show(&self) -> String {
        let (rules, position) = (self.game.rules(), self.game.position());
        let last = self.game.turns().last().map_or(String::new(), |turn| {
            format!("Last: {} (turn {})\n", turn.on(rules.board()), self.game.turns().len())
        });
        format!(
            "{}{last}Fen: {}\nKey: {:016x}\nRules: {rules}\nResult: {}\n",
            diagram::draw(rules, position),
            fen(rules, position),
            position.key(),
            self.game.outcome(),
        )
    }

    /// The number of legal turns and the turns, as two lines; the first actions of turns where they
    /// are sent action by action.
    pub fn list_moves(&self) -> String {
        let rules = self.game.rules();
        let mut turns = self.game.position().turns(rules).to_vec();
        if self.options.split_moves {
            turns = turns.iter().filter_map(|turn| turn.actions().next()).collect();
            turns.dedup();
        }
        let texts: Vec<String> = turns.iter().map(|t| t.on(rules.board()).to_string()).collect();
        format!("Legal: {}\n{}\n", texts.len(), texts.join(" "))
    }

    /// The rules: name, canonical text and fingerprint, as lines.
    pub fn show_rules(&self) -> String {
        describe_rules(self.game.rules())
    }
}

/// Name, canonical text and fingerprint of rules, as lines.
pub fn describe_rules(rules: &Rules) -> String {
    format!(
        "Rules: {rules}\nCanonical: {}\nFingerprint: {:016x}\n",
        rules.canonical(),
        rules.fingerprint()
    )
}

/// Plays the turns that are told from the word at `known` on. Action by action (`in_parts`), the last
/// one may be on its way.
fn play(
    game: &mut Game,
    moves: &[&str],
    known: usize,
    in_parts: bool,
) -> Result<(), ProtocolError> {
    for (index, tokens) in turns(&moves[known..], true) {
        let text = joined(tokens);
        let is_last = known + index + tokens.len() == moves.len();
        let played =
            if is_last && in_parts { game.play_part_text(&text) } else { game.play_text(&text) };
        if let Err(why) = played {
            return Err(blame(game.rules(), game.position(), known + index, tokens, why));
        }
    }
    Ok(())
}

/// Finds the word of a turn that is to be blamed: the first that makes it wrong in a way which more
/// removals could not mend.
fn blame(
    rules: &Rules,
    position: &Position,
    index: usize,
    tokens: &[&str],
    why: TurnError,
) -> ProtocolError {
    for count in 1..tokens.len() {
        if let Err(why) = parse_part(rules, position, &joined(&tokens[..count])) {
            return ProtocolError::of_turn(index + count - 1, tokens[count - 1], why);
        }
    }
    let last = tokens.len() - 1;
    ProtocolError::of_turn(index + last, tokens[last], why)
}

/// The words of a turn as one.
fn joined<'a>(words: &[&'a str]) -> Cow<'a, str> {
    match words {
        [word] => Cow::Borrowed(word),
        _ => Cow::Owned(words.concat()),
    }
}

/// Whether a word is a removal by itself.
fn is_removal(word: &str) -> bool {
    word.starts_with(['x', 'X'])
}

/// Groups the words of a list into turns, each with the place of its first word: a removal that is
/// a word of its own belongs to the turn before it, if `join` says so.
fn turns<'a, 'b>(words: &'b [&'a str], join: bool) -> impl Iterator<Item = (usize, &'b [&'a str])> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let first = next;
        if first == words.len() {
            return None;
        }
        next += 1;
        while words.get(next).is_some_and(|word| join && is_removal(word)) {
            next += 1;
        }
        Some((first, &words[first..next]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(state: &mut State, words: &str) -> Result<(), ProtocolError> {
        let words: Vec<&str> = words.split_whitespace().collect();
        state.set_position(None, &words)
    }

    fn fen_of(state: &State) -> String {
        fen(state.game().rules(), state.game().position())
    }

    /// A game told word by word, in every step from the start, is the game told at once.
    #[test]
    fn a_longer_game_is_the_same_as_one_told_afresh() {
        // Black closes a7-d7-g7 and names the removal as a word of its own.
        let words: Vec<&str> = "d2 a7 d6 d7 f4 g7 xf4 b4 a4 b6".split(' ').collect();
        let mut longer = State::default();
        for count in [1, 2, 3, 5, 7, 8, 10] {
            let mut fresh = State::default();
            fresh.set_position(None, &words[..count]).expect("a legal game");
            longer.set_position(None, &words[..count]).expect("a legal game");
            assert_eq!(longer.game().positions().len(), fresh.game().positions().len());
            assert_eq!(fen_of(&longer), fen_of(&fresh));
        }
    }

    #[test]
    fn a_removal_that_is_missing_may_come_with_the_next_position() {
        let mut state = State::default();
        told(&mut state, "d2 a7 d6 d7 f4").expect("a legal game");
        assert!(told(&mut state, "d2 a7 d6 d7 f4 g7").is_err(), "a removal is due");
        told(&mut state, "d2 a7 d6 d7 f4 g7 xf4").expect("a legal game");
        assert_eq!(state.game().turns().len(), 6);
    }

    #[test]
    fn a_game_that_goes_wrong_stays_as_it_was_and_can_go_on() {
        let mut state = State::default();
        told(&mut state, "d2 a7").expect("a legal game");
        let before = fen_of(&state);
        let error = told(&mut state, "d2 a7 d6 d6 f4").expect_err("d6 is occupied");
        assert!(error.to_string().contains("moves[3]"), "{error}");
        assert_eq!(fen_of(&state), before);
        assert!(state.search_limits(Limits::default(), &[]).is_err());
        told(&mut state, "d2 a7 d6").expect("a legal game");
        assert_eq!(state.game().turns().len(), 3);
        assert!(state.search_limits(Limits::default(), &[]).is_ok());
        told(&mut state, "a7").expect("another game");
        assert_eq!(state.game().turns().len(), 1);
    }

    #[test]
    fn other_ways_of_sending_turns_are_read_anew() {
        let set = |state: &mut State, name, value| {
            let changed = state.with_option(name, Some(value)).expect("an option");
            state.adopt(changed);
        };
        let mut state = State::default();
        set(&mut state, "SplitMoves", "true");
        told(&mut state, "d2 a7 d6 d7 f4 g7").expect("the removal may come later");
        assert!(state.game().position().owed() > 0);
        set(&mut state, "SplitMoves", "false");
        assert!(told(&mut state, "d2 a7 d6 d7 f4 g7").is_err(), "a removal is due");
        set(&mut state, "UCI_Variant", "six");
        assert!(told(&mut state, "d2 a7 d6 d7 f4").is_err(), "these are no points of six");
    }
}
