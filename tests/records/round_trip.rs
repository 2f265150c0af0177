//! What is written is read back as it was, in all forms.

use crate::dice::Dice;
use millrace_engine::{
    Position, Rules,
    rules::PRESETS,
    search::Score,
    text::record::{Entry, FormError, GameResult, Record, Variation},
};
use std::time::Duration;

const COMMENTS: [&str; 7] =
    ["", "", "", "plain", "two words", "a } brace; and {more}", "(1. d6) 1-0 $5 !? [x]"];

/// A line of random turns with everything that can stand beside them.
fn line(
    dice: &mut Dice,
    rules: &Rules,
    mut position: Position,
    turns: usize,
    depth: usize,
) -> Vec<Entry> {
    let mut moves = Vec::new();
    for _ in 0..turns {
        let legal = position.turns(rules);
        if legal.is_empty() {
            break;
        }
        let mut entry = Entry::from(*dice.pick(&legal));
        if dice.below(3) == 0 {
            entry.score = Some(match dice.below(3) {
                0 => Score::Mate(dice.below(40) as i32 - 20),
                _ => Score::Cp(dice.below(4_000) as i32 - 2_000),
            });
            entry.depth = (dice.below(2) == 0).then(|| dice.below(60) as u32);
            entry.time =
                (dice.below(2) == 0).then(|| Duration::from_millis(dice.below(90_000) as u64));
        }
        entry.comment = words(dice);
        entry.marks = (0..dice.below(3)).map(|_| dice.below(256) as u8).collect();
        while depth > 0 && dice.below(8) == 0 {
            let turns = 1 + dice.below(5);
            let moves = line(dice, rules, position, turns, depth - 1);
            entry.variations.push(Variation { comment: words(dice), moves });
        }
        position = position.after(entry.turn);
        moves.push(entry);
    }
    moves
}

fn words(dice: &mut Dice) -> String {
    let text = dice.pick(&COMMENTS);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn record(dice: &mut Dice, rules: Rules) -> Record {
    let mut record = Record::new(rules);
    record.set_tag("White", "A \"B\" \\C");
    record.set_tag("Empty", "");
    record.comment = words(dice);
    if dice.below(3) == 0 {
        let mut position = Position::start(&rules);
        for _ in 0..dice.below(40) {
            let legal = position.turns(&rules);
            if legal.is_empty() {
                break;
            }
            position = position.after(*dice.pick(&legal));
        }
        record.start = (position != Position::start(&rules)).then_some(position);
    }
    let turns = dice.below(80);
    record.moves = line(dice, &rules, record.first_position(), turns, 2);
    let outcome = record.game().position().outcome(&rules);
    record.result = outcome.into();
    record.reason = outcome.reason();
    if record.result == GameResult::Open && dice.below(2) == 0 {
        (record.result, record.reason) = (GameResult::White, "Black resigned".to_string());
    }
    record
}

#[test]
fn every_form_keeps_everything() {
    let mut dice = Dice::new(11);
    for _ in 0..60 {
        for preset in PRESETS {
            let record = record(&mut dice, preset.rules);
            let mut texts = vec![record.to_string(), String::new()];
            record.write_playok(&mut texts[1]).unwrap();
            let mut sanmill = String::new();
            match record.write_sanmill(&mut sanmill) {
                Ok(()) => texts.push(sanmill),
                Err(error) => {
                    assert_eq!(error, FormError::Board);
                    assert!(record.start.is_some() && preset.rules.board().points() != 24);
                }
            }
            for text in texts {
                let mut again =
                    Record::read_all(&text, None).unwrap_or_else(|e| panic!("{e}\n{text}"));
                for record in &mut again {
                    record.tags.retain(|(name, _)| name != "PlyCount");
                }
                assert_eq!(again, std::slice::from_ref(&record), "{text}");
            }
        }
    }
}

#[test]
fn lines_of_turns_are_at_most_eighty_characters() {
    let mut dice = Dice::new(3);
    let rules = Rules::default();
    for _ in 0..50 {
        let mut record = record(&mut dice, rules);
        record.moves.iter_mut().for_each(|entry| entry.comment.clear());
        for entry in &mut record.moves {
            entry.variations.clear();
        }
        let text = record.to_string();
        assert!(
            text.lines().all(|line| line.starts_with('[') || line.chars().count() <= 80),
            "{text}"
        );
    }
}

#[test]
fn the_native_form_looks_so() {
    let text = "[White \"Anna\"]\n[Variant \"six\"]\n[FEN \"1B1/1W1/4/3/3 w 5 5 0 2\"]\n\n\
                2. a1! {+0.12/9 0.250s} a3 $7 (2... e3 3. e1) 3. e3 {so} 1-0 {time}";
    let records = Record::read_all(text, None).unwrap();
    let fingerprint = Rules::named("six").unwrap().fingerprint();
    assert_eq!(
        records[0].to_string(),
        format!(
            "[White \"Anna\"]\n[Variant \"six\"]\n[RulesFingerprint \"{fingerprint:016x}\"]\n\
             [FEN \"1B1/1W1/4/3/3 w 5 5 0 2\"]\n[Result \"1-0\"]\n\n\
             2. a1! {{+0.12/9 0.250s}} 2... a3 $7 ( 2... e3 3. e1 ) 3. e3 {{so time}} 1-0\n\n"
        )
    );
}

#[test]
fn other_programs_forms_look_so() {
    let record = Record::read_all(include_str!("../data/games/headers-0720.pgn"), None).unwrap();
    let mut sanmill = String::new();
    record[0].write_sanmill(&mut sanmill).unwrap();
    assert!(sanmill.contains("[Variant \"Nine Men's Morris\"]\n[PlyCount \"47\"]\n"), "{sanmill}");
    assert!(
        sanmill.contains("\n1. d2 d6 2. f4 f2 3. b4 d3 4. f6 e4 5. g4 a4 6. c4 c5"),
        "{sanmill}"
    );
    let mut playok = String::new();
    let played = include_str!("../data/games/playok-numbered.pgn");
    Record::read_all(played, None).unwrap()[0].write_playok(&mut playok).unwrap();
    let words = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|l| !l.starts_with('['))
            .flat_map(str::split_whitespace)
            .map(String::from)
            .collect()
    };
    assert_eq!(words(&playok), words(played));
}
