//! What the tags of a game say about it.

use super::{
    Fault, RecordFault,
    token::{Kind, Token},
};
use crate::{
    position::Position,
    rules::{Rules, RulesError},
    text::{
        parse_position, quoted,
        record::{GameResult, Record},
    },
};

/// Names of games in other programs' records, letters and digits alone, and the preset that has
/// the same rules. Twelve men's morris is played with flying there.
const NAMES: [(&str, &str); 8] = [
    ("ninemensmorris", "nine"),
    ("mill", "nine"),
    ("mills", "nine"),
    ("twelvemensmorris", "morabaraba"),
    ("laskermorris", "lasker"),
    ("sixmensmorris", "six"),
    ("threemensmorris", "three"),
    ("elevenmensmorris", "eleven"),
];

/// The names under which the outside knows presets, for writing.
pub fn foreign_name(rules: &Rules) -> Option<&'static str> {
    match rules.preset()?.name {
        "nine" => Some("Nine Men's Morris"),
        "morabaraba" => Some("Twelve Men's Morris"),
        _ => None,
    }
}

/// A record with all that the tags say and no turns yet. The result is `None` if no tag tells it.
pub(super) fn read(
    rules: Option<Rules>,
    tokens: &[Token],
) -> Result<(Record, Option<GameResult>), Fault> {
    let find = |wanted: &str| {
        tokens.iter().rev().find_map(|token| match &token.kind {
            Kind::Tag { name, value } if *name == wanted => Some((token.at, value.as_str())),
            _ => None,
        })
    };
    let said = find("Variant").map(|(at, name)| variant(name).map_err(|why| Fault::new(at, why)));
    let mut record = Record::new(match (rules, said) {
        (Some(rules), _) => rules,
        (None, Some(said)) => said?,
        (None, None) => Rules::default(),
    });
    let rules_said = (rules.is_none()).then(|| find("RulesFingerprint")).flatten();
    if let Some((at, said)) = rules_said {
        check_fingerprint(&record.rules, said).map_err(|why| Fault::new(at, why))?;
    }
    if let Some((at, fen)) = find("FEN") {
        let start = parse_position(&record.rules, fen).map_err(|why| Fault::new(at, why))?;
        record.start = (start != Position::start(&record.rules)).then_some(start);
    }
    let result = find("Result").and_then(|(_, text)| GameResult::from_tag(text));
    if let Some((_, reason)) = find("Termination") {
        record.reason = reason.to_string();
    }
    for token in tokens {
        if let Kind::Tag { name, value } = &token.kind
            && !matches!(
                *name,
                "Variant" | "RulesFingerprint" | "FEN" | "SetUp" | "Result" | "Termination"
            )
        {
            record.tags.push((name.to_string(), value.clone()));
        }
    }
    Ok((record, result))
}

fn variant(name: &str) -> Result<Rules, RecordFault> {
    let bare: String =
        name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    let known = NAMES.iter().find(|(known, _)| *known == bare);
    match Rules::parse(known.map_or(name, |(_, preset)| preset)) {
        Err(RulesError::UnknownPreset(_)) => Err(RecordFault::Variant(quoted(name))),
        parsed => Ok(parsed?),
    }
}

fn check_fingerprint(rules: &Rules, said: &str) -> Result<(), RecordFault> {
    let ours = rules.fingerprint();
    if u64::from_str_radix(said, 16) == Ok(ours) {
        return Ok(());
    }
    Err(RecordFault::Fingerprint {
        said: quoted(said),
        variant: rules.to_string(),
        ours,
        canonical: rules.canonical(),
    })
}

impl GameResult {
    fn from_tag(text: &str) -> Option<Self> {
        use GameResult::{Black, Draw, Open, White};
        [White, Black, Draw, Open].into_iter().find(|result| result.as_str() == text.trim())
    }
}
