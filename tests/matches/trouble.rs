//! Engines that misbehave lose the game by what they did, and the match goes on.

use crate::runner::{Place, number};
use serde_json::Value;

/// Plays a pair of games of a misbehaving engine against a good one. The misbehaviour comes at a
/// given `go`, in each life of the process.
fn with(script: &str, keys: &str, args: &[&str]) -> (Place, Vec<Value>) {
    let place = Place::new();
    let bad = place.scripted("bad", script, keys);
    let good = place.scripted("good", "seed=3", "nodes=1");
    let args = [&["--rounds", "1", "--record", "games.pgn"], args].concat();
    let outcome = place.play(&[&bad, &good], &args);
    assert!(outcome.stdout.contains("2 of 2 games"), "{}", outcome.stdout);
    let games = place.games("match.state");
    (place, games)
}

/// The troubles of a match, checked against the results of their games.
fn troubles(games: &[Value]) -> Vec<&Value> {
    let mut list = Vec::new();
    for game in games {
        for trouble in game["troubles"].as_array().map_or(&[][..], |list| list) {
            assert_eq!(trouble["player"], 0, "{game}");
            if trouble["kind"] != "restart" {
                // The first engine has White in even games.
                let lost = if number(game, "/game") % 2.0 == 0.0 { "0-1" } else { "1-0" };
                assert_eq!(game["result"], lost, "{game}");
            }
            list.push(trouble);
        }
    }
    list
}

fn kinds(games: &[Value]) -> Vec<&str> {
    troubles(games).iter().filter_map(|trouble| trouble["kind"].as_str()).collect()
}

pub fn illegal_turns_lose() {
    let (place, games) = with("kind=illegal at=3", "nodes=1", &[]);
    // The process lives on, so it happens once.
    assert_eq!(kinds(&games), ["illegal-turn"]);
    let trouble = troubles(&games)[0];
    assert_eq!(trouble["token"], "a1-a1");
    assert!(trouble["fen"].as_str().is_some_and(|fen| fen.contains(" w 7 7 0 3")), "{trouble}");
    assert!(!trouble["why"].as_str().unwrap_or_default().is_empty());
    let record = place.read("games.pgn");
    assert!(record.contains("illegal turn 'a1-a1' in "), "{record}");
    let report = place.run(&["match", "--resume"]).stdout;
    assert!(!report.contains("timemargin"), "{report}");
}

pub fn time_is_looked_at_first() {
    // Far too late, so that it is late also where the machine has stood still meanwhile.
    let script = "kind=illegal-late at=2 wait=2000";
    let (place, games) = with(script, "st=0.5 timemargin=100", &[]);
    // The illegal turn came too late to be looked at.
    assert!(kinds(&games).contains(&"time-loss") && !kinds(&games).contains(&"illegal-turn"));
    let trouble = troubles(&games)[0];
    let nanos = |key: &str| {
        number(trouble, &format!("/{key}/secs")) * 1e9 + number(trouble, &format!("/{key}/nanos"))
    };
    assert!(nanos("used") >= 1000e6, "{trouble}");
    assert_eq!((nanos("allowed"), nanos("margin")), (500e6, 100e6));
    // The report tells what would have forgiven it.
    let losses = troubles(&games).into_iter().filter(|trouble| trouble["kind"] == "time-loss");
    let late = |trouble: &Value| {
        let nanos = |key: &str| {
            let part = |unit: &str| number(trouble, &format!("/{key}/{unit}"));
            part("secs") * 1e9 + part("nanos")
        };
        (nanos("used") - nanos("allowed")) / 1e6
    };
    let latest = losses.map(late).fold(0.0, f64::max);
    let report = place.run(&["match", "--resume"]).stdout;
    let told = format!("'timemargin={}'", latest.ceil());
    assert!(report.contains(&told), "{told}: {report}");
    // On a clock, what earlier turns took counts too.
    let (_, games) = with("kind=late at=4 wait=2000", "tc=0.5 timemargin=0", &[]);
    assert!(kinds(&games).contains(&"time-loss"));
}

pub fn crashes_lose() {
    let (_, games) = with("kind=crash at=5", "nodes=1", &[]);
    assert_eq!(kinds(&games), ["crash"; 2]);
    let trouble = troubles(&games)[0];
    assert_eq!(trouble["exit"], "exit code 7");
    let stderr = trouble["stderr"].to_string();
    assert_eq!(stderr, r#"["all went well","but now: out of stones"]"#);
    #[cfg(unix)]
    {
        let (_, games) = with("kind=abort at=1", "nodes=1", &[]);
        assert_eq!(kinds(&games), ["crash"; 2]);
        assert_eq!(troubles(&games)[0]["exit"], "ended by signal 6 (abort)");
    }
}

pub fn hangs_lose() {
    let all_hang = |script: &str, keys: &str| {
        let (_, games) = with(script, keys, &["--guard", "1"]);
        assert_eq!(kinds(&games), ["hang"; 2], "{script} {keys}");
    };
    // All of this is waiting, which can be done at the same time.
    std::thread::scope(|scope| {
        for keys in ["nodes=1", "depth=3", "st=1", "tc=4"] {
            scope.spawn(move || all_hang("kind=hang at=2", keys));
        }
        // It neither listens nor goes when it is told to.
        scope.spawn(|| all_hang("kind=stubborn at=1", "nodes=1"));
    });
}

pub fn garbage_loses() {
    for (kind, line) in [
        ("nonsense", "I would rather not"),
        ("endless", "a line without end"),
        ("chatter", "and another thing"),
        ("refuse", "info string error bad_move: no such thing"),
    ] {
        let (_, games) = with(&format!("kind={kind} at=2"), "nodes=1", &["--guard", "1"]);
        assert!(kinds(&games).iter().all(|kind| *kind == "garbage"), "{kind}: {games:?}");
        assert_eq!(troubles(&games)[0]["line"], line);
    }
}

pub fn noise_is_put_up_with() {
    let (_, games) = with("kind=noise", "nodes=1", &[]);
    assert!(troubles(&games).is_empty());
}

pub fn engines_that_die_between_games_are_restarted() {
    // It ends when it is told of a new game after its first turn.
    let (_, games) = with("kind=mortal at=1", "nodes=1", &[]);
    assert_eq!(kinds(&games), ["restart"]);
    assert!(games.iter().all(|game| game["ending"] != "crash"));
}

pub fn a_match_stops_after_many_troubles() {
    let place = Place::new();
    let bad = place.scripted("bad", "kind=crash at=1", "nodes=1");
    let good = place.scripted("good", "", "nodes=1");
    let args = ["--rounds", "50", "--max-troubles", "3"];
    let outcome = place.play_anyhow(&[&good, &bad], &args);
    assert_eq!(outcome.status.code(), Some(1));
    assert!(outcome.stdout.contains("3 of 100 games"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("troubles      bad: 3 × crash"), "{}", outcome.stdout);
    assert_eq!(outcome.stderr.matches("bad: crash: exit code 7; it said: all").count(), 3);
}

pub fn engines_that_do_not_start_end_the_match() {
    let place = Place::new();
    let good = place.scripted("good", "", "nodes=1");
    let mute = place.scripted("mute", "kind=mute", "nodes=1");
    let babbler = place.scripted("babbler", "kind=babbler", "nodes=1");
    let lost = place.scripted("lost", "", "nodes=1 dir=no-such-folder");
    for (engine, why) in [
        ("cmd=./no-such-program name=x nodes=1", "x: no start: ./no-such-program: "),
        (&lost, "lost: no start: dir=no-such-folder: "),
        (&babbler, "babbler: no start: garbage instead of an answer: 'blah'"),
        (&mute, "mute: no start: it did not say 'uciok' within 1."),
    ] {
        let outcome = place.play_anyhow(&[&good, engine], &["--guard", "1", "--overwrite"]);
        assert_eq!(outcome.status.code(), Some(1));
        assert!(outcome.stderr.contains(why), "{}", outcome.stderr);
        let notice = "warning: mute has not said 'uciok' for 0.";
        let waited = why.contains("uciok");
        assert_eq!(outcome.stderr.contains(notice), waited, "{}", outcome.stderr);
    }
}
