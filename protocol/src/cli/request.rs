//! What a command line comes to once everything in it has been checked.

use super::{
    Flags, check_line,
    flags::Subcommands,
    play::PlayFlags,
    records::{AnalyseFlags, BoardFlags, ConvertFlags},
};
use crate::{
    ProtocolError,
    r#match::{
        checked::{Job, Wrong},
        flags::{MatchCommand, MergeFlags, OpeningsFlags},
    },
    state::State,
    tools::{accuracy, bench, perft, solve, tune},
};
use clap_complete::Shell;
use millrace_engine::{
    Game, Position, Rules, RulesError, perft::LastPly, search, text::parse_position,
};
use std::path::PathBuf;

/// What is to be done.
#[derive(Debug)]
pub struct Request {
    /// Lines that bring a session into the state asked for; each has been tried.
    pub setup: Vec<String>,
    /// The task itself.
    pub task: Task,
}

/// The tasks of the program.
#[derive(Debug)]
pub enum Task {
    /// Serve standard input.
    Serve,
    /// Answer one line.
    Once(String),
    /// Count turn sequences.
    Perft {
        /// The rules.
        rules: Rules,
        /// From where.
        position: Position,
        /// How.
        settings: perft::Settings,
        /// Whether to print JSON.
        json: bool,
    },
    /// Play against a person.
    Play {
        /// How.
        flags: PlayFlags,
        /// Where to begin, unless a game is resumed.
        game: Box<Game>,
        /// Rules to read a game to be resumed by, if they are not those that it names.
        rules: Option<Rules>,
        /// What the search is set to.
        settings: Box<search::Settings>,
    },
    /// Judge the turns of a game.
    Analyse {
        /// What, and how.
        flags: AnalyseFlags,
        /// Rules to read it by, if they are not those that the record names.
        rules: Option<Rules>,
        /// What the search is set to.
        settings: Box<search::Settings>,
    },
    /// Draw a position.
    Board {
        /// The rules.
        rules: Rules,
        /// The position.
        position: Position,
        /// The file to draw into, if not on the terminal.
        svg: Option<PathBuf>,
    },
    /// Convert records of games.
    Convert {
        /// What, and how.
        flags: ConvertFlags,
        /// Rules to read them by, if they are not those that the records name.
        rules: Option<Rules>,
    },
    /// Measure the search.
    Bench(bench::Settings),
    /// Print the manual page.
    Manual,
    /// Print completions for a shell.
    Completions(Shell),
    /// Play a match.
    Match(Box<Job>),
    /// Put the parts of a match together.
    Merge(MergeFlags),
    /// Make openings.
    Openings {
        /// The rules.
        rules: Rules,
        /// What else is wished.
        flags: OpeningsFlags,
    },
    /// Find exact values.
    Solve {
        /// From where.
        game: Box<Game>,
        /// How.
        settings: solve::Settings,
        /// Whether to print JSON.
        json: bool,
    },
    /// Measure how often values are kept.
    Accuracy {
        /// How.
        settings: Box<accuracy::Settings>,
        /// Whether to print JSON.
        json: bool,
    },
    /// Fit the evaluation.
    Tune(Box<tune::Settings>),
    /// List the presets and the rule options.
    ListRules,
    /// Spell rules out.
    DescribeRules(Rules),
    /// List the engine's options.
    ListOptions {
        /// As a Markdown table.
        markdown: bool,
    },
}

/// What is said of a flag that sets a position, where a record does.
pub(super) const NOT_WITH_RECORD: &str =
    "does not go with a record, which says itself where the game begins";

/// Why a command line was not understood.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    /// A value that the protocol would refuse.
    #[error("{flag}: {why}")]
    Flag {
        /// The flag.
        flag: &'static str,
        /// What is wrong.
        why: ProtocolError,
    },
    /// `--option` without '='.
    #[error("--option: '{0}' is not NAME=VALUE")]
    NotAPair(String),
    /// Not a command of the protocol.
    #[error("{0}; see 'millrace --help'")]
    Command(ProtocolError),
    /// A flag that sets a position, where a record does.
    #[error("{0} {NOT_WITH_RECORD}")]
    NotWithRecord(&'static str),
    /// Neither tables nor games to tune by.
    #[error("--positions 0 without --games leaves nothing to learn from")]
    NothingToLearn,
    /// Openings better than the best that is wanted.
    #[error("--unbalance must not be greater than --balance")]
    CrossedBounds,
    /// The rules are wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A match cannot be played so.
    #[error(transparent)]
    Match(#[from] Wrong),
}

impl TryFrom<Flags> for Request {
    type Error = UsageError;

    fn try_from(flags: Flags) -> Result<Self, UsageError> {
        let (mut state, mut setup) = (State::default(), Vec::new());
        let flag = |flag| move |why| UsageError::Flag { flag, why };
        let mut set = |name: &str, value: &str, from| {
            let changed = state.with_option(name, Some(value)).map_err(flag(from))?;
            state.adopt(changed);
            setup.push(format!("setoption name {name} value {value}"));
            Ok::<_, UsageError>(())
        };
        if let Some(text) = &flags.rules {
            set("UCI_Variant", text, "--rules")?;
        }
        for pair in &flags.options {
            let (name, value) =
                pair.split_once('=').ok_or_else(|| UsageError::NotAPair(pair.clone()))?;
            set(name.trim(), value.trim(), "--option")?;
        }
        if flags.fen.is_some() || flags.moves.is_some() {
            let base = flags.fen.as_deref();
            let moves: Vec<&str> = flags.moves.iter().flat_map(|m| m.split_whitespace()).collect();
            state.set_position(base, &[]).map_err(flag("--fen"))?;
            state.set_position(base, &moves).map_err(flag("--moves"))?;
            let base = base.map_or("startpos".to_string(), |fen| format!("fen {fen}"));
            setup.push(format!("position {base} moves {}", moves.join(" ")));
        }
        let given = Given {
            rules: flags.rules.is_some().then_some(state.options().rules),
            position: [("--fen", flags.fen.is_some()), ("--moves", flags.moves.is_some())],
        };
        let task = match flags.command {
            None => Task::Serve,
            Some(command) => task(command, &state, given)?,
        };
        Ok(Request { setup, task })
    }
}

/// What flags before the command said, where it matters that they were given at all.
struct Given {
    rules: Option<Rules>,
    position: [(&'static str, bool); 2],
}

impl Given {
    /// The rules to read a record by that is gone on with, if they were given.
    fn for_resumed(self) -> Result<Option<Rules>, UsageError> {
        match self.position.iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(UsageError::NotWithRecord(flag)),
            None => Ok(self.rules),
        }
    }
}

fn board(flags: BoardFlags, state: &State) -> Result<Task, UsageError> {
    let rules = *state.game().rules();
    let position = match flags.position.join(" ") {
        fen if fen.is_empty() => *state.game().position(),
        fen => parse_position(&rules, &fen)
            .map_err(|why| UsageError::Flag { flag: "FEN", why: why.into() })?,
    };
    Ok(Task::Board { rules, position, svg: flags.svg })
}

fn task(command: Subcommands, state: &State, given: Given) -> Result<Task, UsageError> {
    let line = match command {
        Subcommands::Go { words } => format!("go {}", words.join(" ")),
        Subcommands::D => "d".to_string(),
        Subcommands::Moves => "moves".to_string(),
        Subcommands::Eval => "eval".to_string(),
        Subcommands::Other(words) => words.join(" "),
        Subcommands::Perft(flags) => {
            let game = state.game();
            let last = if flags.no_bulk { LastPly::Made } else { LastPly::Bulk };
            return Ok(Task::Perft {
                rules: *game.rules(),
                position: *game.position(),
                settings: perft::Settings {
                    depth: flags.depth,
                    threads: flags.threads.into(),
                    last,
                },
                json: flags.json,
            });
        }
        Subcommands::Bench(flags) => {
            return Ok(Task::Bench(bench::Settings {
                depth: flags.depth,
                threads: flags.threads.into(),
                hash: flags.hash as usize,
            }));
        }
        Subcommands::Analyse(flags) => {
            let settings = Box::new(state.options().settings());
            return Ok(Task::Analyse { flags, rules: given.rules, settings });
        }
        Subcommands::Board(flags) => return board(flags, state),
        Subcommands::Play(flags) => {
            let resumed = flags.resume.is_some();
            return Ok(Task::Play {
                flags,
                game: Box::new(state.game().clone()),
                rules: if resumed { given.for_resumed()? } else { None },
                settings: Box::new(state.options().settings()),
            });
        }
        Subcommands::Man => return Ok(Task::Manual),
        Subcommands::Completions { shell } => return Ok(Task::Completions(shell)),
        Subcommands::Convert(flags) => {
            return Ok(Task::Convert { flags, rules: given.rules });
        }
        Subcommands::Match(flags) => {
            return Ok(match flags.command {
                Some(MatchCommand::Merge(flags)) => Task::Merge(flags),
                None => Task::Match(Box::new(Job::new(*flags, given.rules)?)),
            });
        }
        Subcommands::Openings(flags) => {
            if flags.score().is_some_and(|score| score.is_empty()) {
                return Err(UsageError::CrossedBounds);
            }
            let rules = given.rules.unwrap_or_default();
            return Ok(Task::Openings { rules, flags });
        }
        Subcommands::Solve(flags) => return Ok(flags.task(state)),
        Subcommands::Accuracy(flags) => return flags.task(state),
        Subcommands::Tune(flags) => return flags.task(state),
        Subcommands::Rules { text: None } => return Ok(Task::ListRules),
        Subcommands::Rules { text: Some(text) } => {
            return Ok(Task::DescribeRules(Rules::parse(&text)?));
        }
        Subcommands::Options { markdown } => return Ok(Task::ListOptions { markdown }),
    };
    check_line(&line).map_err(UsageError::Command)?;
    Ok(Task::Once(line))
}
