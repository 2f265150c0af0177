//! The one pass against the solver by layers, which is made for sectors that games come back to.

use super::{
    super::{pool, unit::by_layers},
    *,
};
use crate::{
    file::CellKind,
    plan::{Phase, Plan, Selection},
    solve::{Instructions, Stock, memory_needed},
    tables::Tables,
};
use std::sync::Arc;

struct Unwatched;

impl Watch for Unwatched {
    fn step(&self, _plies: Option<u32>, _decided: u64, _total: u64) {}

    fn is_stopped(&self) -> bool {
        false
    }
}

fn sets_of_instructions() -> Vec<Instructions> {
    let best = Instructions::detect();
    if best == Instructions::Portable { vec![best] } else { vec![best, Instructions::Portable] }
}

/// Solves sectors with all that they need, those with stones in hand both ways. Returns how many
/// could be compared.
fn agree(text: &str, sectors: &[&str], kind: CellKind) -> usize {
    let rules = Rules::parse(text).expect("the rules are right");
    let selection = match sectors {
        [] => Selection::Everything,
        names => Selection::Sectors(names.iter().map(|n| n.parse().expect("a sector")).collect()),
    };
    let plan = Plan::new(&rules, Phase::All, &selection).expect("a plan");
    let tables = Tables::new(rules, kind, Vec::new());
    let stock = Stock::default();
    let mut compared = 0;
    for unit in &plan.units {
        let job = |instructions| Job {
            rules: &rules,
            unit: *unit,
            threads: 2,
            memory: 4 << 30,
            wdl_only: kind == CellKind::Wdl,
            instructions,
            stock: &stock,
        };
        let best = job(Instructions::detect());
        let pool = pool(&best).expect("there are threads");
        let expected = by_layers(&best, &pool, &tables, &Unwatched).expect("it can be solved");
        if is_placing(&rules, *unit) {
            for instructions in sets_of_instructions() {
                let found = solved(&job(instructions), &tables, &Unwatched);
                let found = found.expect("it is solved");
                assert_eq!(found.len(), 1);
                assert!(found[0].cells == expected[0].cells, "{text} {unit} {instructions:?}");
            }
            compared += 1;
        }
        expected.into_iter().for_each(|table| tables.keep(Arc::new(table)));
    }
    compared
}

/// [`solve`] on threads of its own.
fn solved(job: &Job, known: &dyn Known, watch: &dyn Watch) -> Result<Vec<SectorTable>, SolveError> {
    solve(job, &pool(job)?, known, watch)
}

#[test]
fn one_pass_says_what_layers_say() {
    for (text, sectors) in [
        ("five+removals=per-mill", &[][..]),
        ("five+remove_from_mill=never", &[]),
        ("five+move_while_placing=yes", &[]),
        ("tapatan", &[]),
        ("three+line_wins=no+stones=4+remove_from_mill=always", &[]),
        ("nine", &["3-4+1-0", "2-4+2-1"]),
        ("morabaraba+removals=per-mill", &["3-4+1-0", "3-3+1-1"]),
        ("nine+stones=3", &[]),
    ] {
        for kind in [CellKind::Distance, CellKind::Wdl] {
            assert!(agree(text, sectors, kind) > 0, "{text} has sectors to compare");
        }
    }
}

/// Stands for tables in which every position has the same cell.
struct All(u8);

impl Known for All {
    fn rows(
        &self,
        sector: Sector,
        _first: usize,
        count: usize,
        cells: &mut Vec<u8>,
    ) -> Result<(), SolveError> {
        let columns = sector.columns(millrace_engine::Board::Nine) as usize;
        cells.resize(cells.len() + count * columns, self.0);
        Ok(())
    }
}

#[test]
fn distances_that_no_cell_holds_are_an_error() {
    let rules = Rules::parse("nine").expect("the rules are right");
    let unit = Unit::of("3-4+1-0".parse().expect("a sector"), &rules);
    let stock = Stock::default();
    let job = |wdl_only| Job {
        rules: &rules,
        unit,
        threads: 1,
        memory: memory_needed(&rules, unit, 1),
        wdl_only,
        instructions: Instructions::detect(),
        stock: &stock,
    };
    let cells = |cell, wdl| solved(&job(wdl), &All(cell), &Unwatched).map(|t| t[0].cells.clone());
    let all = |cell, value| cells(cell, false).expect("it fits").iter().all(|c| *c == value);
    assert!(all(253, 254) && all(252, 253) && all(cell::DRAW, cell::DRAW));
    assert!(matches!(cells(254, false), Err(SolveError::DistanceOverflow { .. })));
    assert!(cells(cell::WIN, true).expect("it has no distance").iter().all(|c| *c == cell::LOSS));
}

struct Stopping;

impl Watch for Stopping {
    fn step(&self, _plies: Option<u32>, _decided: u64, _total: u64) {}

    fn is_stopped(&self) -> bool {
        true
    }
}

#[test]
fn it_can_be_stopped() {
    let rules = Rules::parse("nine").expect("the rules are right");
    let unit = Unit::of("3-4+1-0".parse().expect("a sector"), &rules);
    let stock = Stock::default();
    let job = Job {
        rules: &rules,
        unit,
        threads: 2,
        memory: memory_needed(&rules, unit, 2),
        wdl_only: false,
        instructions: Instructions::detect(),
        stock: &stock,
    };
    assert!(matches!(solved(&job, &All(0), &Stopping), Err(SolveError::Stopped)));
}
