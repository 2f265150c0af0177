//! Runs a match: workers play, one thread keeps the books. A game counts once its line is in the
//! state; its record is written just before.

use super::{
    affinity,
    player::{Around, Fault},
    process::Stop,
    progress::Progress,
    pulse::Pulse,
    record::{RecordFile, record},
    referee::Played,
    schedule::Slot,
    settings::{Means, Settings},
    sprt::Decision,
    standing::Standing,
    state::{GameLine, Incident, StateFile},
    talk::TalkLog,
    worker::Worker,
};
use anyhow::{Context, anyhow, bail};
use millrace_engine::table::Tables;
use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All games have been played.
    Complete,
    /// The test has found a verdict.
    Verdict,
    /// An engine had too many troubles.
    Troubles,
    /// The user wished it.
    Interrupted,
    /// Games of some parts are missing.
    Unfinished,
}

/// What a match goes on writing.
pub struct Files {
    /// The state.
    pub state: StateFile,
    /// The records, if they are wanted.
    pub records: Option<RecordFile>,
}

/// What is known of a match so far.
pub struct Books {
    /// How it stands, games of an earlier run included.
    pub standing: Standing,
    /// The games that need not be played any more.
    pub done: HashSet<usize>,
}

/// A game that has been played, on its way to the books.
struct Message {
    slot: Slot,
    played: Box<Played>,
    incidents: Vec<Incident>,
}

/// Plays the games that are missing. Files are opened only once all engines have started: nothing
/// is written, and above all nothing replaced, for settings that cannot be played.
///
/// # Errors
/// If an engine cannot be started at all, or the books cannot be written.
pub fn run(
    settings: &Settings,
    means: &Means,
    stop: Arc<Stop>,
    books: &mut Books,
    open_files: impl FnOnce() -> anyhow::Result<Files>,
    progress: &Progress,
) -> anyhow::Result<End> {
    if let Some(end) = has_ended(settings, &books.standing) {
        return Ok(end);
    }
    let openings = settings.openings().map_err(|why| anyhow!(why)).context("openings")?;
    let log = match &means.log {
        Some(path) => {
            Some(TalkLog::open(path).with_context(|| format!("--log {}", path.display()))?)
        }
        None => None,
    };
    let is_timed = settings.players.iter().any(|player| player.limit.is_timed());
    let pulse = is_timed.then(Pulse::start).transpose().context("a thread cannot be started")?;
    let view = progress.clone();
    let around = Around {
        rules: settings.rules,
        guard: settings.guard,
        stop: stop.clone(),
        log,
        pulse,
        tell: Box::new(move |text| view.warn(text)),
    };
    let schedule = settings.schedule();
    let games: Vec<usize> = schedule
        .pairs()
        .flat_map(|pair| [2 * pair, 2 * pair + 1])
        .filter(|game| !books.done.contains(game))
        .collect();
    if games.is_empty() {
        open_files()?;
        return Ok(End::Complete);
    }
    let tables = settings.tables();
    let first = Worker::new(settings, &around, &openings, tables.clone());
    if !try_engines(first, settings, progress)? {
        return Ok(End::Interrupted);
    }
    let mut files = open_files()?;
    warn_of_tables(tables.as_deref(), progress);
    let queue = Mutex::new(games.into_iter());
    let (sender, messages) = channel();
    thread::scope(|scope| {
        for number in 0..means.concurrency {
            let (queue, sender) = (&queue, sender.clone());
            let worker = Worker::new(settings, &around, &openings, tables.clone());
            let stop = &around.stop;
            thread::Builder::new()
                .name(format!("games {number}"))
                .spawn_scoped(scope, move || {
                    if means.affinity {
                        affinity::pin(number);
                    }
                    work(settings, worker, stop, queue, &sender);
                })
                .context("a thread cannot be started")?;
        }
        drop(sender);
        let watch = Watch { progress, stop: &around.stop, tables: tables.as_deref() };
        let kept = keep_books(settings, books, &mut files, &messages, &watch);
        // Whatever happened, the workers must come to an end.
        if kept.is_err() {
            around.stop.fire();
        }
        let stood_still = around.stood_still().most();
        if !stood_still.is_zero() {
            let text = format!(
                "a processor stood still for {stood_still:.1?} in all; no engine has been charged for it"
            );
            progress.warn(&text);
        }
        kept
    })
}

/// Starts all engines once, which shows what is wrong with the settings before anything is played.
/// Says whether they all did, rather than that the match was stopped.
fn try_engines(
    mut worker: Worker,
    settings: &Settings,
    progress: &Progress,
) -> anyhow::Result<bool> {
    match worker.start_all() {
        Ok(warnings) => {
            for (index, text) in warnings {
                progress.warn(&format!("{}: {text}", settings.players[index].name));
            }
            worker.quit_all();
            Ok(true)
        }
        Err((_, Fault::Stopped)) => Ok(false),
        Err((index, Fault::Trouble(trouble))) => {
            bail!("{}: {trouble}", settings.players[index].name)
        }
    }
}

/// Plays games until there are no more, or the match is stopped.
fn work(
    settings: &Settings,
    mut worker: Worker,
    stop: &Stop,
    queue: &Mutex<std::vec::IntoIter<usize>>,
    sender: &Sender<Message>,
) {
    let schedule = settings.schedule();
    while !stop.is_fired() {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(slot) = next.and_then(|game| schedule.slot(game)) else { return };
        let Ok((played, incidents)) = worker.play(&slot) else { return };
        let message = Message { slot, played: Box::new(played), incidents };
        if sender.send(message).is_err() {
            return;
        }
    }
}

/// Tells what has been found wrong with tables.
fn warn_of_tables(tables: Option<&Tables>, progress: &Progress) {
    for fault in tables.iter().flat_map(|tables| tables.take_faults()) {
        progress.warn(&fault);
    }
}

/// Whether there is nothing left to be done, and why.
fn has_ended(settings: &Settings, standing: &Standing) -> Option<End> {
    let too_many = |player| Some(standing.troubles_of(player)) >= settings.max_troubles;
    if standing.decision != Decision::Open {
        Some(End::Verdict)
    } else if settings.max_troubles.is_some() && (0..settings.players.len()).any(too_many) {
        Some(End::Troubles)
    } else {
        None
    }
}

/// What the keeper of the books looks at and speaks to.
struct Watch<'a> {
    progress: &'a Progress,
    stop: &'a Stop,
    tables: Option<&'a Tables>,
}

/// Takes in games as they end.
fn keep_books(
    settings: &Settings,
    books: &mut Books,
    files: &mut Files,
    messages: &Receiver<Message>,
    &Watch { progress, stop, tables }: &Watch,
) -> anyhow::Result<End> {
    let id = settings.id();
    let mut end = None;
    for Message { slot, played, incidents } in messages {
        warn_of_tables(tables, progress);
        let record_end = match &mut files.records {
            Some(file) => {
                let record = record(settings, &id, &slot, &played);
                Some(file.append(&record).context("the record of a game cannot be written")?)
            }
            None => None,
        };
        for incident in &incidents {
            progress.trouble(&settings.players[incident.player].name, slot.game, &incident.trouble);
        }
        let line = GameLine {
            game: slot.game,
            result: played.result,
            ending: played.ending.clone(),
            plies: played.plies.len(),
            turns: hash_of_turns(&played),
            troubles: incidents,
            record_end,
        };
        files.state.append(&line).context("the state of the match cannot be saved")?;
        let new_pair = books.standing.add(line);
        progress.update(settings, &books.standing, new_pair);
        if end.is_none() {
            end = has_ended(settings, &books.standing);
            if end.is_some() {
                stop.fire();
            }
        }
    }
    Ok(match end {
        Some(end) => end,
        None if stop.is_fired() => End::Interrupted,
        None => End::Complete,
    })
}

/// The FNV-1a hash of a game's first position and turns.
fn hash_of_turns(played: &Played) -> u64 {
    let first = played.game.positions()[0].packed();
    let turns = played.game.turns().iter().map(|turn| u64::from(turn.bits()));
    std::iter::once(first).chain(turns).fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        number.to_le_bytes().iter().fold(hash, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    })
}
