//! The command line of matches: what is wrong is named, files say the same as flags, help teaches.

use crate::runner::Place;
use serde_json::Value;

pub fn wrong_flags_exit_with_2() {
    let place = Place::new();
    place.write("bad.txt", "d6 f4\nd6 d6\n");
    place.write("empty.txt", "# nothing\n");
    place.write("bad.toml", "roundz = 3\n");
    let good = "cmd=x nodes=1";
    let two = ["--engine", good, "--engine", "cmd=y nodes=1"];
    let with = |more: &[&'static str]| [&["match"], &two[..], more].concat();
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["match"], "two engines or more"),
        (vec!["match", "--engine", good], "two engines or more"),
        (
            vec!["match", "--engine", good, "--engine", "nodes=1"],
            "--engine (number 2): cmd= is missing",
        ),
        (vec!["match", "--engine", good, "--engine", "cmd=y"], "nothing limits its turns"),
        (vec!["match", "--engine", good, "--engine", "cmd=y st=1 tc=5"], "tc and st do not go"),
        (vec!["match", "--engine", good, "--engine", "cmd=y tc=5+x"], "tc is '5+x'"),
        (vec!["match", "--engine", good, "--engine", "cmd=y nodes=0"], "nodes must be 1 or more"),
        (vec!["match", "--engine", good, "--engine", "cmd=y node=1"], "'node' is not known here"),
        (
            vec!["match", "--engine", good, "--engine", "cmd=y nodes=1 proto=xboard"],
            "proto is 'xboard'",
        ),
        (vec!["match", "--engine", "cmd", "--engine", good], "'cmd' is not KEY=VALUE"),
        (vec!["match", "--engine", "cmd='x", "--engine", good], "a quotation mark is missing"),
        (
            vec!["match", "--engine", "cmd=a name=n nodes=1", "--engine", "cmd=b name=n nodes=1"],
            "the name n is taken",
        ),
        (with(&["--rounds", "0"]), "--rounds: 0 is not within"),
        (with(&["--seeds", "2"]), "--seeds"),
        (with(&["--concurrency", "0"]), "--concurrency"),
        (with(&["--shard", "3/2"]), "--shard: '3/2'"),
        (with(&["--sprt", "elo0=5 elo1=5"]), "--sprt: elo0 is 5"),
        (with(&["--engine", "cmd=z nodes=1", "--sprt", ""]), "between two engines"),
        (with(&["--tables-end", "wins"]), "--tables-end: it says nothing without --tables"),
        (with(&["--tables", "nowhere"]), "--tables: folder nowhere: "),
        (with(&["--tables", "."]), "--tables: folder .: there are no tables in it"),
        (with(&["--rules", "lasker", "--tables"]), "--tables: the program has no tables of lasker"),
        (with(&["--max-troubles", "0"]), "--max-troubles: 0 is not within"),
        (with(&["--resign", "moves=0"]), "--resign: moves is '0'"),
        (with(&["--openings", "order=random"]), "--openings: file= is missing"),
        (with(&["--openings", "file=none.txt"]), "none.txt"),
        (with(&["--openings", "file=bad.txt"]), "bad.txt: line 2: turn 2 'd6': d6 is occupied"),
        (with(&["--openings", "file=empty.txt"]), "has no openings"),
        (with(&["--config", "bad.toml"]), "roundz"),
        (with(&["--fen", "3/3/3 w"]), "--fen"),
        (with(&["--option", "Hash=2"]), "--option does not go with this command"),
        (with(&["--rules", "chess"]), "--rules"),
        (vec!["openings", "--seed", "0"], "0"),
    ];
    for (args, part) in cases {
        let outcome = place.run(&args);
        assert_eq!(outcome.status.code(), Some(2), "{args:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(part), "{args:?}: {}", outcome.stderr);
        assert!(outcome.stdout.is_empty() && !place.path("match.state").exists(), "{args:?}");
    }
}

pub fn files_say_the_same_as_flags() {
    let place = Place::new();
    let (a, b) = (place.scripted("a", "", "nodes=3"), place.scripted("b", "seed=2", ""));
    let args = ["--rules", "six", "--rounds", "2", "--each", "depth=2 option.Level=4 timemargin=7"];
    place.write_in("tables", "six-4-4.mrw", "");
    let tables = ["--tables-end", "none", "--tables", "tables"];
    place
        .play(&[&a, &b], &[&args[..], &["--state", "flags", "--max-plies", "9"], &tables].concat());
    let own = std::env::current_exe().expect("this program has a path");
    let args_of = |engine: &str| {
        let (_, args) = engine.split_once("'args=").expect("arguments");
        args.split('\'').next().unwrap_or_default().to_string()
    };
    let file = format!(
        "rules = 'six'\nrounds = 2\nmax-plies = 9\nstate = 'file'\n\
         tables = ['tables']\ntables-end = 'none'\n\
         each = {{ depth = 2, timemargin = 7, option = {{ Level = 4 }} }}\n\
         [[engine]]\nname = 'a'\ncmd = '{own}'\nargs = '{}'\nnodes = 3\n\
         [[engine]]\nname = 'b'\ncmd = '{own}'\nargs = '{}'\n",
        args_of(&a),
        args_of(&b),
        own = own.display()
    );
    place.write("match.toml", &file);
    place.play(&[], &["--config", "match.toml"]);
    let header = |state: &str| -> Value {
        let text = place.read(state);
        serde_json::from_str(text.lines().next().expect("a header")).expect("JSON")
    };
    assert_eq!(header("file"), header("flags"));
    assert_eq!(header("file")["settings"]["tables"]["folders"][0], "tables");
    assert_eq!(header("file")["settings"]["players"][1]["options"][0][1], "4");
    // The command line goes first.
    place.play(&[], &["--config", "match.toml", "--rounds", "1", "--state", "other"]);
    assert_eq!(header("other")["settings"]["rounds"], 1);
}

pub fn help_teaches() {
    let place = Place::new();
    let help = place.run(&["match", "--help"]).stdout;
    for word in [
        "--tables",
        "--engine",
        "proto=native",
        "timemargin",
        "--sprt",
        "merge",
        "Exit codes",
        "[[engine]]",
    ] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let openings = place.run(&["openings", "--help"]).stdout;
    let examples = openings.lines().filter_map(|line| line.strip_prefix("  millrace "));
    let mut tried = 0;
    for example in examples {
        let command = example.split(" > ").next().unwrap_or_default();
        let args: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(place.run(&args).status.code(), Some(0), "{example}");
        tried += 1;
    }
    assert_eq!(tried, 3, "{openings}");
    let merge = place.run(&["match", "merge", "none.state"]);
    assert_eq!(merge.status.code(), Some(1));
    assert!(merge.stderr.contains("none.state"), "{}", merge.stderr);
}
