//! Every option that the handshake announces takes what it announces and nothing else.

use crate::driver::Driver;

/// An `option` line, taken apart.
#[derive(Debug)]
struct Announced {
    name: String,
    kind: String,
    default: String,
    min: Option<i64>,
    max: Option<i64>,
    values: Vec<String>,
}

fn announced(line: &str) -> Announced {
    let rest = line.strip_prefix("option name ").unwrap_or_else(|| panic!("{line}"));
    let (name, rest) = rest.split_once(" type ").unwrap_or_else(|| panic!("{line}"));
    let mut words = rest.split(' ');
    let kind = words.next().unwrap_or_default().to_string();
    let mut option = Announced {
        name: name.to_string(),
        kind,
        default: String::new(),
        min: None,
        max: None,
        values: Vec::new(),
    };
    while let Some(key) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("no value of {key} in {line}"));
        match key {
            "default" => option.default = value.to_string(),
            "min" => option.min = value.parse().ok(),
            "max" => option.max = value.parse().ok(),
            "var" => option.values.push(value.to_string()),
            _ => panic!("{key} in {line}"),
        }
    }
    option
}

fn all(engine: &mut Driver) -> Vec<Announced> {
    engine.send("uci");
    let lines = engine.until("uciok");
    lines.iter().filter(|l| l.starts_with("option ")).map(|l| announced(l)).collect()
}

#[test]
fn every_default_and_every_value_is_taken() {
    let mut engine = Driver::start();
    for option in all(&mut engine) {
        let name = &option.name;
        let mut values = vec![option.default.clone()];
        match option.kind.as_str() {
            "button" => {
                engine.tell(&format!("setoption name {name}"));
                continue;
            }
            "check" => values.extend(["true", "FALSE", "false"].map(String::from)),
            "combo" => {
                assert!(option.values.contains(&option.default), "{option:?}");
                values.extend(option.values.iter().map(|v| v.to_uppercase()));
            }
            "spin" => {
                let (min, max) = (option.min.expect("a least"), option.max.expect("a greatest"));
                let default: i64 = option.default.parse().expect("a number");
                assert!((min..=max).contains(&default), "{option:?}");
                values.push(min.to_string());
                // Not everybody has this memory, or wants to see it filled.
                if name != "Hash" {
                    values.push(max.to_string());
                }
                values.push(option.default.clone());
            }
            "string" => {}
            kind => panic!("type {kind}"),
        }
        // Few stones fit every board.
        let few = if name == "Board" { "3" } else { "9" };
        engine.tell(&format!("setoption name Stones value {few}"));
        for value in values {
            engine.tell(&format!("setoption name {} value {value}", name.to_lowercase()));
        }
        engine.tell("setoption name UCI_Variant value nine");
    }
}

#[test]
fn values_outside_are_refused() {
    let mut engine = Driver::start();
    for option in all(&mut engine) {
        let bad = match option.kind.as_str() {
            "spin" => vec![
                (option.min.expect("a least") - 1).to_string(),
                option
                    .max
                    .expect("a greatest")
                    .checked_add(1)
                    .map_or("1e99".into(), |n| n.to_string()),
                "many".to_string(),
            ],
            "check" => vec!["perhaps".to_string()],
            "combo" => vec!["none-of-these".to_string()],
            _ => continue,
        };
        for value in bad {
            let error = engine.error(&format!("setoption name {} value {value}", option.name));
            let code = if option.name == "UCI_Variant" { "bad_rules" } else { "bad_value" };
            assert!(error.starts_with(&format!("info string error {code}: ")), "{error}");
        }
    }
}

#[test]
fn every_rule_has_an_option() {
    let mut engine = Driver::start();
    let names: Vec<String> = all(&mut engine).into_iter().map(|o| o.name).collect();
    for rule in millrace_engine::rules::OPTIONS {
        assert!(names.iter().any(|n| n == rule.title), "{}", rule.title);
    }
    for name in [
        "Hash",
        "Clear Hash",
        "Threads",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "UCI_Variant",
        "UCI_ShowWDL",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Skill Level",
        "TablebasePath",
        "TablebaseProbeDepth",
        "TablebaseMemory",
        "Evaluation",
        "OwnBook",
        "SplitMoves",
        "Seed",
        "Log File",
    ] {
        assert!(names.iter().any(|n| n == name), "{name}");
    }
}

#[test]
fn other_rules_begin_another_game() {
    let mut engine = Driver::start();
    let fen = |engine: &mut Driver| {
        engine.show().into_iter().find_map(|l| l.strip_prefix("Fen: ").map(String::from))
    };
    engine.tell("position startpos moves d6 f4");
    engine.tell("setoption name Hash value 2");
    assert_eq!(fen(&mut engine).as_deref(), Some("3/1W1/3/4B1/3/3/3 w 8 8 0 2"));
    engine.tell("setoption name uci_variant value Six+Stones=5");
    assert_eq!(fen(&mut engine).as_deref(), Some("3/3/4/3/3 w 5 5 0 1"));
    engine.tell("position startpos moves c4");
    engine.tell("setoption name Fly value 3");
    assert_eq!(fen(&mut engine).as_deref(), Some("3/3/4/3/3 w 5 5 0 1"));
    let rules = engine.answers("rules");
    assert!(rules[1].contains("board=six") && rules[1].contains("+stones=5+fly=3+"), "{rules:?}");
    assert!(rules[2].strip_prefix("Fingerprint: ").is_some_and(|f| f.len() == 16), "{rules:?}");
}

#[test]
fn folders_without_tables_of_the_game_are_named_once() {
    let place = tempfile::tempdir().expect("a folder");
    let here = place.path().display().to_string();
    let mut engine = Driver::start();
    engine.tell(&format!("setoption name TablebasePath value {here}"));
    let named = |engine: &mut Driver| -> Vec<String> {
        let lines = engine.go("go depth 1").into_iter();
        lines.filter(|line| line.starts_with("info string")).collect()
    };
    let nothing = "there are no tables in it, and those of nine are wanted";
    assert_eq!(named(&mut engine), [format!("info string folder {here}: {nothing}")]);
    assert_eq!(named(&mut engine), [""; 0]);
    std::fs::write(place.path().join("nine-4-3.mrw"), "").expect("a file");
    engine.tell("setoption name UCI_Variant value six");
    let foreign = "its tables are of nine, and those of six are wanted";
    assert_eq!(named(&mut engine), [format!("info string folder {here}: {foreign}")]);
    engine.tell("ucinewgame");
    assert_eq!(named(&mut engine), [""; 0]);
    // Tables are opened anew, but nothing else is wrong with the folder.
    for (option, value) in [("TablebaseMemory", "20"), ("UCI_Variant", "lasker")] {
        engine.tell(&format!("setoption name {option} value {value}"));
        assert_eq!(named(&mut engine), [""; 0], "{option}");
    }
    let empty = place.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    engine.tell(&format!("setoption name TablebasePath value {}", empty.display()));
    assert!(named(&mut engine)[0].contains("there are no tables in it"));
    for rules in ["six", "nine", "lasker"] {
        engine.tell(&format!("setoption name UCI_Variant value {rules}"));
        assert_eq!(named(&mut engine), [""; 0], "{rules}");
    }
}

#[test]
fn chances_are_shown_on_demand() {
    let mut engine = Driver::start();
    let shows = |engine: &mut Driver| {
        let lines = engine.go("go depth 2");
        lines.iter().any(|l| l.contains(" wdl "))
    };
    assert!(!shows(&mut engine));
    engine.tell("setoption name UCI_ShowWDL value true");
    assert!(shows(&mut engine));
}
