//! Lists of `key=value`, as `--engine` and its like take them, from the command line or from a
//! configuration file. What the keys mean is said elsewhere.

use serde::{Deserialize, Deserializer, de};
use std::{collections::BTreeMap, str::FromStr};

/// Keys with their values, in the order given. A key may be a single word without a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub Vec<(String, String)>);

/// Why a list was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairsError {
    /// A word without `=`.
    #[error("'{0}' is not KEY=VALUE")]
    NotAPair(String),
    /// A quotation mark without its partner.
    #[error("a quotation mark is missing")]
    Quotes,
    /// A key that means nothing here.
    #[error("'{key}' is not known here; keys are {known}")]
    Unknown {
        /// The key.
        key: String,
        /// What would do.
        known: String,
    },
    /// A key that came before.
    #[error("'{0}' is given twice")]
    Twice(String),
}

impl Pairs {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Refuses keys that are not among `known` (one that ends in a dot stands for all that begin
    /// so), and keys that come twice.
    ///
    /// # Errors
    /// Names the key.
    pub fn check(&self, known: &[&str]) -> Result<(), PairsError> {
        for (index, (key, _)) in self.0.iter().enumerate() {
            let fits = |k: &&str| *k == key || (k.ends_with('.') && key.starts_with(*k));
            if !known.iter().any(fits) {
                return Err(PairsError::Unknown { key: key.clone(), known: known.join(", ") });
            }
            if self.0[..index].iter().any(|(earlier, _)| earlier == key) {
                return Err(PairsError::Twice(key.clone()));
            }
        }
        Ok(())
    }

    /// These pairs, and those of `others` whose keys are not among them.
    pub fn or(mut self, others: &Pairs) -> Pairs {
        for (key, value) in &others.0 {
            if self.get(key).is_none() {
                self.0.push((key.clone(), value.clone()));
            }
        }
        self
    }
}

/// Splits a text at white space. Quotation marks, single or double, keep together what is between
/// them, wherever they stand in a word.
///
/// # Errors
/// If one is not closed.
pub fn words(text: &str) -> Result<Vec<String>, PairsError> {
    let mut words = Vec::new();
    let (mut word, mut begun, mut open) = (String::new(), false, None);
    for c in text.chars() {
        match open {
            Some(mark) if mark == c => open = None,
            Some(_) => word.push(c),
            None if c == '"' || c == '\'' => (begun, open) = (true, Some(c)),
            None if c.is_whitespace() => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            None => {
                begun = true;
                word.push(c);
            }
        }
    }
    if open.is_some() {
        return Err(PairsError::Quotes);
    }
    if begun {
        words.push(word);
    }
    Ok(words)
}

impl FromStr for Pairs {
    type Err = PairsError;

    fn from_str(text: &str) -> Result<Self, PairsError> {
        let pair = |word: String| match word.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok((key.to_string(), value.to_string())),
            _ => Err(PairsError::NotAPair(word)),
        };
        Ok(Pairs(words(text)?.into_iter().map(pair).collect::<Result<_, _>>()?))
    }
}

/// A value of a configuration file: a text or a table, the latter at most one level deep.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Table(BTreeMap<String, Value>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Whole(i64),
    Number(f64),
    Truth(bool),
    Table(BTreeMap<String, Value>),
    List(Vec<Value>),
}

impl Value {
    /// # Errors
    /// Names a key whose value is a list.
    fn flatten(self, key: String, into: &mut Vec<(String, String)>) -> Result<(), String> {
        let text = match self {
            Value::Text(text) => text,
            Value::Whole(n) => n.to_string(),
            Value::Number(n) => n.to_string(),
            Value::Truth(yes) => yes.to_string(),
            Value::Table(table) => {
                for (inner, value) in table {
                    value.flatten(format!("{key}.{inner}"), into)?;
                }
                return Ok(());
            }
            Value::List(list) => {
                return Err(format!("'{key}' takes one text, not a list of {}", list.len()));
            }
        };
        into.push((key, text));
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Text(text) => text.parse().map_err(de::Error::custom),
            Written::Table(table) => {
                let mut pairs = Vec::new();
                for (key, value) in table {
                    value.flatten(key, &mut pairs).map_err(de::Error::custom)?;
                }
                Ok(Pairs(pairs))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Pairs {
        Pairs(list.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect())
    }

    #[test]
    fn lists_are_split_and_quotes_keep_together() {
        let text = "cmd=./a  'option.Move Overhead=5' args=\"-x 'y z'\" name=";
        let expected =
            [("cmd", "./a"), ("option.Move Overhead", "5"), ("args", "-x 'y z'"), ("name", "")];
        assert_eq!(text.parse(), Ok(pairs(&expected)));
        assert_eq!("a=1 b".parse::<Pairs>(), Err(PairsError::NotAPair("b".into())));
        assert_eq!("=1".parse::<Pairs>(), Err(PairsError::NotAPair("=1".into())));
        assert_eq!("a='1".parse::<Pairs>(), Err(PairsError::Quotes));
        assert_eq!("".parse(), Ok(Pairs::default()));
    }

    #[test]
    fn files_say_the_same_in_tables() {
        #[derive(Deserialize)]
        struct File {
            engine: Vec<Pairs>,
        }
        let text = "engine = ['cmd=x option.Hash=4']\n";
        let file: File = toml::from_str(text).expect("it is well-formed");
        let text = "[[engine]]\ncmd = 'x'\noption = { Hash = 4 }\n";
        let other: File = toml::from_str(text).expect("it is well-formed");
        assert_eq!(file.engine, other.engine);
        let text = "[[engine]]\ncmd = 'x'\nargs = ['a', 'b']\n";
        let error = toml::from_str::<File>(text).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("'args' takes one text, not a list")));
    }

    #[test]
    fn keys_are_checked() {
        let list = pairs(&[("cmd", "x"), ("option.Hash", "4")]);
        assert_eq!(list.check(&["cmd", "option."]), Ok(()));
        assert!(matches!(list.check(&["cmd"]), Err(PairsError::Unknown { .. })));
        assert!(matches!(
            pairs(&[("a", "1"), ("a", "2")]).check(&["a"]),
            Err(PairsError::Twice(_))
        ));
        let both = pairs(&[("a", "1")]).or(&pairs(&[("a", "2"), ("b", "3")]));
        assert_eq!(both, pairs(&[("a", "1"), ("b", "3")]));
    }
}
