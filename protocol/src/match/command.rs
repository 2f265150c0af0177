//! The commands `match`, `match merge` and `openings`, from settings to what is printed.

use super::{
    checked::{Job, Plan},
    flags::{MergeFlags, OpeningsFlags},
    openings::{
        Opening,
        maker::{Made, Wish, make},
    },
    process::Stop,
    progress::Progress,
    record::RecordFile,
    report::{Pace, Report},
    runner::{Books, End, Files, run},
    schedule::Shard,
    settings::{Before, Means, Settings},
    sprt::Decision,
    standing::Standing,
    state::{GameLine, Saved, StateError, StateFile},
};
use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use millrace_engine::{Rules, hangup, text::counted};
use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

/// The end of `millrace match --help`.
pub const MATCH_HELP: &str = "\
Engines (--engine, --each): everything in one argument, as key=value; quotes keep spaces together.
  cmd=PATH            the program
  name=TEXT           what to call it [its file name]
  args='TEXT …'       its arguments
  dir=PATH            the folder to start it in
  proto=native        Millrace's dialect, in the manner of UCI
        gbgp          the Generic Board Game Protocol
        sanmill       Sanmill's 'mill uci': one action a token
  tc=MOVES/TIME+INC   a clock, in seconds: 10+0.1, 40/60, 1:30+1
  st=TIME             exactly so much a turn
  nodes=N, depth=N    so many nodes or plies a turn
  timemargin=MS       by how much an answer may be late [0]; time in which a processor of the
                      machine stood still is not charged
  restart=on          start it anew for every game
  option.NAME=VALUE   an option: option.Hash=64 'option.Move Overhead=5'

Examples:
  Is the new version stronger? 10 seconds a game, 0.1 more for each turn, two games at a time; stop
  when the test has decided between 0 and 5 normalized Elo:
    millrace openings --plies 8 --count 5000 --balance 50 > book.txt
    millrace match --engine 'cmd=./new name=new' --engine 'cmd=./old name=old' \\
      --each 'tc=10+0.1 timemargin=50' --openings 'file=book.txt order=random' \\
      --sprt 'elo0=0 elo1=5' --concurrency 2 --record games.pgn
  The match was stopped, or the machine was; go on:
    millrace match --resume
  What do four times the nodes bring, in seven men's morris?
    millrace match --rules seven --engine 'cmd=millrace name=more nodes=2000' \\
      --engine 'cmd=millrace name=less nodes=500' --rounds 200 --openings file=seven.txt
  Another program against this one, each in its own dialect:
    millrace match --engine 'cmd=tgf args=\"mill uci\" proto=sanmill' --engine cmd=millrace \\
      --each 'st=1 timemargin=100'
  Play six men's morris out, and mark in the record each turn that gave a value away (tables of this
  and other small games are part of the program; --tables DIR names folders with more):
    millrace match --rules six --engine 'cmd=./new nodes=500' --engine 'cmd=./old nodes=500' \\
      --tables --tables-end none --record games.pgn
  The same as a file:
    millrace match --config match.toml
  where match.toml says
    rules = 'six'
    rounds = 200
    openings = { file = 'six.txt', order = 'random' }
    each = { tc = '10+0.1', option = { Hash = 64 } }
    [[engine]]
    cmd = './new'
    [[engine]]
    cmd = './old'
  On four machines, the same command with --shard 1/4, 2/4 and so on; then, in one place,
    millrace match merge one.state two.state three.state four.state

Tables (--tables) know neither repetition nor the no-mill rule: a win counts if its distance, which
must be at hand, is within what the no-mill rule leaves and no position on the way can be drawn by
repetition. A mark in the record, as 'win to draw', is for the side that made the turn.

The report says, for the first engine of a pairing: points, games, pairs of games from one opening by
their points (0 to 2), the difference in Elo and in normalized Elo with 95 % bounds, and the
likelihood that it is the stronger one (LOS). An engine that plays an illegal turn, oversteps its
time, crashes, hangs or talks nonsense loses that game, is started anew if need be, and the match
goes on.

Exit codes: 0 the match is over, 1 it failed or an engine had too many troubles, 2 it was not
understood or a folder of --tables has none of the game, 130 it was stopped. 'match merge' of parts in which games are missing gives 1.";

/// The end of `millrace openings --help`.
pub const OPENINGS_HELP: &str = "\
Each line is the turns of one opening, as 'millrace match --openings' takes them. The same flags
always give the same lines.

Examples:
  millrace openings --plies 8 --count 1000 > book.txt
  millrace openings --rules six --plies 6 --count 300 --seed 2
  millrace openings --plies 10 --count 50 --balance 30 --nodes 20000
  One side is clearly better, but no win is in sight, so that fewer games are drawn:
    millrace openings --plies 8 --count 1000 --unbalance 60 --balance 160 > unbalanced.txt

Exit codes: 0 done, 1 there are not so many, 2 it was not understood.";

/// What a match that the user has ended gives as the exit code.
const INTERRUPTED: u8 = 130;

/// Plays a match, or the rest of one. The report is handed to `print`.
///
/// # Errors
/// If it cannot begin, or its files cannot be written.
pub fn play(job: Job, print: &dyn Fn(&str) -> anyhow::Result<()>) -> anyhow::Result<ExitCode> {
    let Job { plan, means, warnings } = job;
    for warning in warnings {
        let _ = writeln!(io::stderr(), "warning: {warning}");
    }
    let (settings, saved) = begun(plan, &means)?;
    let games = saved.as_ref().map(|saved| saved.games.clone()).unwrap_or_default();
    let done = games.iter().map(|line| line.game).collect();
    let mut books = Books { standing: Standing::new(&settings), done };
    for line in games {
        books.standing.add(line);
    }
    let stop = Arc::new(Stop::new().context("the match cannot be stopped later")?);
    let handle = stop.clone();
    let stop_now = move || {
        if handle.fire() {
            // The state is saved after every game, and engines end when this process does.
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    hangup::stays_ignored(|| ctrlc::set_handler(stop_now))
        .context("Ctrl-C cannot be listened for")?;
    let games = 2 * settings.schedule().pair_count();
    let before = books.standing.played;
    let progress = Progress::new(games, before, means.report_every);
    let start = Instant::now();
    let open = || open_files(&means, &settings, saved.as_ref());
    let end = run(&settings, &means, stop, &mut books, open, &progress);
    progress.finish();
    let end = end?;
    let pace = Pace { time: start.elapsed(), games: books.standing.played - before };
    let report = Report::new(&settings, &books.standing, end, pace);
    print(&text(&report, means.json)?)?;
    if end == End::Interrupted && means.state.exists() {
        // If nobody listens there is nothing to be told.
        let _ = writeln!(io::stderr(), "stopped; --resume goes on with {}", means.state.display());
    }
    Ok(end.exit_code())
}

impl End {
    fn exit_code(self) -> ExitCode {
        match self {
            End::Complete | End::Verdict => ExitCode::SUCCESS,
            End::Troubles | End::Unfinished => ExitCode::FAILURE,
            End::Interrupted => ExitCode::from(INTERRUPTED),
        }
    }
}

fn text(report: &Report, json: bool) -> anyhow::Result<String> {
    Ok(if json { serde_json::to_string_pretty(report)? + "\n" } else { format!("{report}\n") })
}

/// What is to be played, and what of it has been played already.
fn begun(plan: Plan, means: &Means) -> anyhow::Result<Begun> {
    let path = &means.state;
    match plan {
        Plan::Whole(settings) => {
            make_way(path, means.before)?;
            Ok((*settings, None))
        }
        Plan::Rest(rest) => {
            let saved = Saved::read(path)?;
            let settings = resumed(path, &saved.settings, rest.over(&saved.settings)?)?;
            Ok((settings, Some(saved)))
        }
    }
}

type Begun = (Settings, Option<Saved>);

/// Refuses to begin a match where a file is that must be kept.
fn make_way(path: &Path, before: Before) -> anyhow::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    match Saved::read(path) {
        // A damaged state is a state still.
        Ok(_) | Err(StateError::Damaged { .. }) if before == Before::Overwrite => Ok(()),
        Ok(_) | Err(StateError::Damaged { .. }) => bail!(
            "{} holds a match; go on with it by --resume, begin anew by --overwrite, or keep this \
             one in another file by --state",
            path.display()
        ),
        Err(StateError::NotAState { .. }) => bail!(
            "{} is there and is not the state of a match; name another file by --state",
            path.display()
        ),
        Err(error) => Err(error.into()),
    }
}

/// Opens what the match writes.
fn open_files(means: &Means, settings: &Settings, saved: Option<&Saved>) -> anyhow::Result<Files> {
    let path = &means.state;
    if let Some(saved) = saved {
        let state = StateFile::resume(path, saved, settings)?;
        let records = records(means, settings, &saved.games)?;
        return Ok(Files { state, records });
    }
    let records = records(means, settings, &[])?;
    // Engines take their time to start, and another match may have begun meanwhile.
    make_way(path, means.before)?;
    Ok(Files { state: StateFile::create(path, settings)?, records })
}

/// The settings with which a match goes on: those that it began with. Only the number of rounds may
/// have grown, and tables may lie elsewhere.
fn resumed(path: &Path, saved: &Settings, given: Settings) -> anyhow::Result<Settings> {
    let shard = (given.shard != saved.shard).then_some("the shards");
    if let Some(what) = shard.or(given.differs_from(saved)) {
        bail!("{} holds another match: {what} differ", path.display());
    }
    if given.rounds < saved.rounds {
        let rounds = counted(saved.rounds, "round");
        bail!("{} holds a match of {rounds}, which is more", path.display());
    }
    Ok(given)
}

fn records(
    means: &Means,
    settings: &Settings,
    games: &[GameLine],
) -> anyhow::Result<Option<RecordFile>> {
    let recorded = games.iter().filter_map(|line| line.record_end).max();
    let Some(path) = &means.record else {
        if recorded.is_some() {
            let text = "warning: the games so far were recorded, these are not: give --record";
            let _ = writeln!(io::stderr(), "{text}");
        }
        return Ok(None);
    };
    let place = || format!("--record {}", path.display());
    let mut file = RecordFile::open(path).with_context(place)?;
    if let Some(end) = recorded {
        let whole = file.cut_back(end, &settings.id()).with_context(place)?;
        if !whole {
            let _ = writeln!(
                io::stderr(),
                "warning: {} is not as this match left it; records are appended",
                path.display()
            );
        }
    }
    Ok(Some(file))
}

/// Puts the parts of a match together and reports on all of it.
///
/// # Errors
/// If the states cannot be read, are of different matches, or have games in common.
pub fn merge(
    flags: &MergeFlags,
    print: &dyn Fn(&str) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    let mut whole: Option<Settings> = None;
    let mut games: Vec<(GameLine, &Path)> = Vec::new();
    for path in &flags.states {
        let saved = Saved::read(path)?;
        let first = whole.get_or_insert_with(|| saved.settings.clone());
        if let Some(what) = saved.settings.differs_from(first) {
            bail!(
                "{} and {} are of different matches: {what} differ",
                flags.states[0].display(),
                path.display()
            );
        }
        first.rounds = first.rounds.max(saved.settings.rounds);
        games.extend(saved.games.into_iter().map(|line| (line, path.as_path())));
    }
    let settings = Settings { shard: Shard::WHOLE, ..whole.context("no states are given")? };
    games.sort_by_key(|(line, _)| line.game);
    if let Some(twice) = games.windows(2).find(|two| two[0].0.game == two[1].0.game) {
        let [(line, first), (_, second)] = [&twice[0], &twice[1]];
        bail!("{} and {} both have game {}", first.display(), second.display(), line.game);
    }
    let mut standing = Standing::new(&settings);
    let mut state = match &flags.out {
        Some(path) if path.exists() => bail!("{} exists", path.display()),
        Some(path) => Some(StateFile::create(path, &settings)?),
        None => None,
    };
    for (line, _) in games {
        let line = GameLine { record_end: None, ..line };
        if let Some(state) = &mut state {
            state.append(&line)?;
        }
        standing.add(line);
    }
    let end = match standing.decision {
        Decision::Open if standing.played < 2 * settings.schedule().pair_count() => End::Unfinished,
        Decision::Open => End::Complete,
        _ => End::Verdict,
    };
    let report = Report::new(&settings, &standing, end, Pace::default());
    print(&text(&report, flags.json)?)?;
    Ok(end.exit_code())
}

/// Prints openings.
///
/// # Errors
/// If there are fewer than wished.
pub fn make_openings(
    flags: &OpeningsFlags,
    rules: &Rules,
    print: &dyn Fn(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let wish = Wish {
        rules: *rules,
        plies: flags.plies,
        count: flags.count as usize,
        seed: flags.seed,
        score: flags.score(),
        nodes: flags.nodes,
    };
    let bar = ProgressBar::new(wish.count as u64);
    let template = "{bar:20} {pos}/{len} openings, {elapsed}; {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let found =
        &mut |opening: &Opening| bar.suspend(|| print(&format!("{}\n", opening.text(rules))));
    let made = make(&wish, found, &mut |made| {
        bar.set_position(made.found as u64);
        bar.set_message(format!("{} tried", counted(made.tried, "candidate")));
    })?;
    bar.finish_and_clear();
    ensure!(made.found == wish.count, too_few(&wish, made));
    Ok(())
}

/// Why there are not as many openings as wished.
fn too_few(wish: &Wish, made: Made) -> String {
    let (Wish { plies, count, .. }, Made { found, tried, given_up }) = (wish, made);
    let plies = counted(*plies, "ply");
    let wished = counted(*count, "such opening");
    match (given_up, found) {
        (true, 0) => format!(
            "none of {} of {plies} has a score as --unbalance and --balance want it, \
             and no more are tried",
            counted(tried, "opening")
        ),
        (true, _) => format!(
            "only {found} of {wished} came up, among {tried} of {plies}; there was none among the last ones"
        ),
        (false, _) => format!(
            "only {found} of {wished} came up: there are no more than {tried} different ones of {plies}"
        ),
    }
}
