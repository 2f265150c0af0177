//! What a person types: a turn, the beginning of one, or a command.

use millrace_engine::{
    Game, Turn,
    text::{parse_turn, quoted},
};

/// The commands and what they do.
pub(super) const COMMANDS: [(&str, &str); 10] = [
    ("hint", "what the engine would do"),
    ("back", "take your last turn back"),
    ("moves", "list the legal turns"),
    ("board", "show the board again"),
    ("level", "the engine's strength: level 0 to level 20"),
    ("swap", "change sides"),
    ("save", "save the game: save FILE; save FILE! replaces a file"),
    ("new", "begin anew"),
    ("help", "this list"),
    ("quit", "end"),
];

/// A line that was typed.
#[derive(Debug, PartialEq)]
pub(super) enum Typed<'a> {
    /// Blank.
    Nothing,
    /// A turn that is legal.
    Turn(Turn),
    /// The beginning of several turns.
    Several(Vec<String>),
    /// A command and what stands after it.
    Command(&'static str, &'a str),
    /// Neither; why not.
    Wrong(String),
}

/// Reads a line. A command, or a turn, may be cut short if nothing else begins so.
pub(super) fn read<'a>(game: &Game, line: &'a str) -> Typed<'a> {
    let line = line.trim();
    if line.is_empty() {
        return Typed::Nothing;
    }
    let (first, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let lower = first.to_lowercase();
    let named = |(word, _): &&(&'static str, &str)| *word == lower;
    if let Some((word, _)) = COMMANDS.iter().find(named) {
        return Typed::Command(word, words.trim());
    }
    let text: String = line.split_whitespace().collect();
    let (rules, position) = (game.rules(), game.position());
    let why = match parse_turn(rules, position, &text) {
        Ok(turn) => return Typed::Turn(turn),
        Err(why) => why,
    };
    // The hyphen of a move may be missing here too.
    let bare = |text: &str| text.to_lowercase().replace('-', "");
    let begun = bare(&text);
    let spelt = |turn: &Turn| turn.on(rules.board()).to_string();
    let turns: Vec<Turn> = position
        .turns(rules)
        .into_iter()
        .filter(|turn| bare(&spelt(turn)).starts_with(&begun))
        .collect();
    match turns.as_slice() {
        [] => {}
        [turn] => return Typed::Turn(*turn),
        several => return Typed::Several(several.iter().map(spelt).collect()),
    }
    let mut commands = COMMANDS.iter().filter(|(word, _)| word.starts_with(&lower));
    match (commands.next(), commands.next()) {
        (Some((word, _)), None) => Typed::Command(word, words.trim()),
        _ if lower.chars().any(|c| c.is_ascii_digit()) => Typed::Wrong(format!("{why}.")),
        _ => {
            Typed::Wrong(format!("'{}' is neither a turn nor a command; see 'help'.", quoted(line)))
        }
    }
}

/// The list of commands.
pub(super) fn help() -> String {
    let lines = COMMANDS.iter().map(|(word, about)| format!("  {word:<6} {about}\n"));
    "Turns: d6 places, d6-d5 moves, d7xf4 closes a mill and removes f4. The beginning of a turn is \
     enough\nif no other begins so. Commands:\n"
        .to_string()
        + &lines.collect::<String>()
}
