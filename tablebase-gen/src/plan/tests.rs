use super::*;

fn classes(rules: &str, phase: Phase) -> u64 {
    let rules = Rules::parse(rules).expect("the rules are right");
    let plan = Plan::new(&rules, phase, &Selection::Everything).expect("everything is something");
    plan.sectors().map(|s| s.classes(rules.board())).sum()
}

/// Published totals (Gasser 1996; Gévay & Danner 2014), and for the small games those of complete
/// solutions by other programs.
#[test]
fn positions_of_whole_games() {
    let known = [
        ("three", 564),
        ("tapatan", 564),
        ("nine-holes", 564),
        ("six", 3_101_821),
        ("nine", 26_743_107_774),
        ("lasker", 133_367_107_212),
        ("morabaraba", 111_832_529_090),
        ("twelve", 111_832_529_090),
    ];
    for (rules, expected) in known {
        assert_eq!(classes(rules, Phase::All), expected, "{rules}");
    }
}

#[test]
fn positions_of_moving_phases() {
    let known = [
        ("three", 228),
        ("six", 1_205_908),
        ("nine", 8_904_593_601),
        ("lasker", 12_658_488_857),
        ("morabaraba", 16_528_583_563),
        ("twelve", 16_528_583_563),
    ];
    for (rules, expected) in known {
        assert_eq!(classes(rules, Phase::Moving), expected, "{rules}");
    }
    let nine = Rules::default();
    let plan = Plan::new(&nine, Phase::Moving, &Selection::Everything).expect("nine has sectors");
    assert_eq!((plan.units.len(), plan.sectors().count()), (28, 49));
}

#[test]
fn every_unit_comes_after_what_it_depends_on() {
    let games = [
        "nine",
        "lasker",
        "six",
        "three",
        "five+move_while_placing=yes+removals=per-mill",
        "twelve+removals=per-mill",
        "six+line_wins=yes+stones=5",
    ];
    for text in games {
        let rules = Rules::parse(text).expect("the rules are right");
        let plan = Plan::new(&rules, Phase::All, &Selection::Everything).expect("not empty");
        let mut solved = BTreeSet::new();
        for unit in &plan.units {
            for sector in unit.depends_on(&rules) {
                assert!(solved.contains(&sector), "{text}: {unit} needs {sector}");
            }
            for sector in unit.sectors() {
                assert!(sector.has_play(&rules), "{text}: {sector}");
                assert!(solved.insert(sector), "{text}: {sector} is solved twice");
            }
        }
    }
}

#[test]
fn removals_lead_down() {
    let unit = |text: &str, rules: &Rules| Unit::of(text.parse().expect("a sector"), rules);
    let nine = Rules::default();
    let depends = |text, rules: &Rules| -> Vec<String> {
        unit(text, rules).depends_on(rules).iter().map(Sector::to_string).collect()
    };
    assert_eq!(depends("6-5", &nine), ["4-6", "5-5"]);
    assert_eq!(unit("5-6", &nine), unit("6-5", &nine));
    assert!(depends("3-3", &nine).is_empty());
    let per_mill = Rules::parse("morabaraba+removals=per-mill").unwrap();
    assert_eq!(depends("7-7", &per_mill), ["4-7", "5-7", "6-7"]);
    assert_eq!(depends("4-4", &per_mill), ["3-4"]);
    // Without moves while placing, a placement never comes back to the sectors before it.
    assert_eq!(depends("2-2+1-1", &nine), ["2-3+1-0"]);
    assert!(!unit("3-2+1-1", &nine).is_paired());
    let lasker = Rules::named("lasker").unwrap();
    assert!(unit("3-2+1-1", &lasker).is_paired());
}

#[test]
fn names_of_sectors() {
    for text in ["6-5", "12-12", "6-5+1-0", "0-0+9-9"] {
        assert_eq!(text.parse::<Sector>().expect("a name").to_string(), text);
    }
    for text in ["", "6", "6-", "-5", "6-5+", "6-5+1", "13-3", "6-5-4", "a-b", "6-5+1-0+1", "٣-3"]
    {
        assert!(text.parse::<Sector>().is_err(), "{text}");
    }
}

#[test]
fn a_selection_brings_what_it_needs() {
    let nine = Rules::default();
    let wanted = vec![Sector::moving(5, 4)];
    let plan = Plan::new(&nine, Phase::Moving, &Selection::Sectors(wanted)).unwrap();
    let names: Vec<String> = plan.units.iter().map(Unit::to_string).collect();
    assert_eq!(names, ["3-3", "4-3", "4-4", "5-3", "5-4"]);
    let none = Plan::new(&nine, Phase::Moving, &Selection::MaxStones(5));
    assert!(matches!(none, Err(PlanError::Empty { fewest: 6, .. })));
    let wanted = vec![Sector::moving(10, 4)];
    let unknown = Plan::new(&nine, Phase::Moving, &Selection::Sectors(wanted));
    assert!(matches!(unknown, Err(PlanError::NoSuchSector { .. })));
}
