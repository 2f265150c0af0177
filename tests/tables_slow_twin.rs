//! The generator against a slow obvious solver, on every position of many small games.

mod tables;

use millrace_engine::{
    Rules,
    index::{Classes, column_set},
};
use millrace_tablebase_gen::{
    check::position_of,
    file::CellKind,
    plan::{Phase, Selection},
    sector::{Sector, SectorExt},
    solve::cell,
};
use tables::{Way, rules, slow::Slow, solved};

/// Compares all cells of a game: with distances and without, and with all sets of instructions.
fn agree(text: &str, phase: Phase, sectors: &[&str]) {
    let rules = rules(text);
    let selection = match sectors {
        [] => Selection::Everything,
        names => Selection::Sectors(names.iter().map(|n| n.parse().expect("a sector")).collect()),
    };
    let with = |kind, way| solved(&rules, phase, &selection, kind, way);
    let (exact, all) = with(CellKind::Distance, Way::best());
    let (wdl, _) = with(CellKind::Wdl, Way::best());
    let frugal = Way { frugal: true, ..Way::best() };
    let (frugal_wdl, _) = with(CellKind::Wdl, frugal);
    let others = Way::all().into_iter().filter(|way| *way != Way::best());
    let others: Vec<_> = others.map(|way| (way, with(CellKind::Distance, way).0)).collect();
    let slow = Slow::solve(&rules, &all);
    for sector in all {
        let table = exact.load(sector, 1).expect("it has been solved");
        for (way, other) in &others {
            let other = other.load(sector, 1).expect("it has been solved");
            assert!(table.cells == other.cells, "{text} {sector} {way:?}");
        }
        let frugal_wdl = frugal_wdl.load(sector, 1).expect("it has been solved");
        let wdl = wdl.load(sector, 1).expect("it has been solved");
        assert!(wdl.cells == frugal_wdl.cells, "{text} {sector} with little memory");
        assert_eq!(table.cells.len() as u64, sector.cells(rules.board()), "{text} {sector}");
        compare(&rules, sector, &slow, table.columns, &table.cells, &wdl.cells);
    }
}

fn compare(rules: &Rules, sector: Sector, slow: &Slow, columns: usize, exact: &[u8], wdl: &[u8]) {
    let classes = Classes::of(rules.board(), sector.opponent.into());
    for (place, (exact, wdl)) in exact.iter().zip(wdl).enumerate() {
        let (row, column) = (place / columns, place % columns);
        let opponent = classes.representative(row);
        let own = column_set(classes, row, column, sector.own.into());
        let value = position_of(rules, sector, own, opponent).map(|p| slow.value(&p));
        let (expected, expected_wdl) = match value {
            None => (cell::NONE, cell::NONE),
            Some(None) => (cell::DRAW, cell::DRAW),
            Some(Some(plies)) => {
                let wdl = if plies % 2 == 1 { cell::WIN } else { cell::LOSS };
                (cell::decided(plies).expect("small games are short"), wdl)
            }
        };
        assert!(
            (*exact, *wdl) == (expected, expected_wdl),
            "{rules} {sector}, own {own:06x} against {opponent:06x}: \
             expected {expected}, {expected_wdl}, found {exact}, {wdl}"
        );
    }
}

macro_rules! games {
    ($phase:expr, $sectors:expr; $($(#[$attribute:meta])* $name:ident: $text:expr;)*) => {
        $(
            #[test]
            $(#[$attribute])*
            fn $name() {
                agree($text, $phase, &$sectors);
            }
        )*
    };
}

games! { Phase::All, [];
    three: "three";
    tapatan: "tapatan";
    nine_holes: "nine-holes";
    tapatan_flying: "tapatan+fly=3";
    three_passing: "three+blocked=passes";
    three_blocked_draw: "three+blocked=draw";
    four_stones_a_line_wins: "tapatan+stones=4+blocked=passes";
    three_without_line_wins: "three+line_wins=no+fly=3";
    three_four_stones: "three+line_wins=no+stones=4+fly=0";
    three_four_stones_flying: "tapatan+line_wins=no+stones=4+fly=4+removals=per-mill";
    three_moving_at_once: "three+line_wins=no+stones=4+move_while_placing=yes+fly=4";
    line_wins_moving_at_once: "tapatan+move_while_placing=yes";
    six: "six";
    six_fly: "six-fly";
    five: "five";
    five_per_mill: "five+removals=per-mill";
    five_from_mills: "five+remove_from_mill=always+blocked=draw";
    five_never_from_mills: "five+remove_from_mill=never+blocked=passes";
    five_moving_at_once: "five+move_while_placing=yes";
    four_on_seven: "seven+stones=4+removals=per-mill+fly=4";
    #[ignore = "takes minutes"]
    seven: "seven";
}

games! { Phase::Moving, [];
    #[ignore = "takes a minute"]
    full_board: "six+stones=8+board_full=loses+remove_from_mill=never";
}

games! { Phase::Moving, ["4-4", "5-3"];
    seven_with_eight_stones: "seven";
}

games! { Phase::Moving, ["4-3"];
    nine: "nine";
    nine_without_flying: "nine-nofly";
    nine_flying_with_four: "nine+fly=4";
    nine_per_mill: "nine+removals=per-mill";
    nine_from_mills: "nine+remove_from_mill=always";
    nine_never_from_mills: "nine+remove_from_mill=never";
    nine_passing: "nine-nofly+blocked=passes";
    nine_blocked_draw: "nine-nofly+blocked=draw";
    morabaraba: "morabaraba";
    twelve_per_mill_passing: "twelve+removals=per-mill+blocked=passes";
}

games! { Phase::Moving, ["4-4", "5-3"];
    #[ignore = "takes a minute"]
    nine_with_eight_stones: "nine";
    #[ignore = "takes a minute"]
    twelve_with_eight_stones: "twelve+removals=per-mill+remove_from_mill=always";
}
