//! The options that an engine announces, and which values they take. Setting them is for others.

/// An option as an engine announces it.
pub(super) struct Announced {
    name: String,
    /// Its type: `spin`, `check`, …
    pub(super) kind: String,
    range: Option<(i64, i64)>,
}

impl Announced {
    /// Reads an `option name … type …` line.
    pub(super) fn read(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let after = |key: &str| -> Option<i64> {
            let at = words.iter().position(|word| *word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        Some(Self {
            name: name.trim().to_string(),
            kind: words.first()?.to_string(),
            range: after("min").zip(after("max")),
        })
    }

    /// Whether it has this name, in whatever case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// What is wrong with a value, as far as the announcement tells.
    pub(super) fn objection(&self, value: &str) -> Option<String> {
        let fits = match (self.kind.as_str(), self.range) {
            ("check", _) => matches!(value, "true" | "false"),
            ("spin", Some((low, high))) => {
                value.parse::<i64>().is_ok_and(|n| (low..=high).contains(&n))
            }
            ("spin", None) => value.parse::<i64>().is_ok(),
            _ => true,
        };
        let range = self.range.map_or(String::new(), |(low, high)| format!(" {low} to {high}"));
        (!fits).then(|| {
            format!("its option '{}' takes {}{range}, not '{value}'", self.name, self.kind)
        })
    }
}
