//! The innermost loops that need no special instructions, over plain slices.
//!
//! Each is a function of its own: inlined into the code around it, a loop would reload from memory
//! what it can keep in registers here.

use super::layout::{Layout, clear_bit, has_bit};
use crate::memory;

/// So far ahead cells are asked for.
const AHEAD: usize = 16;

/// Counts the messages of each row in the element behind the row's.
#[inline(never)]
pub fn count_rows(layout: &Layout, messages: &[u32], counts: &mut [u32]) {
    for message in messages {
        counts[layout.message_row(*message) + 1] += 1;
    }
}

/// Moves each row's messages to its place in `sorted`, and the place on.
#[inline(never)]
pub fn place_rows(layout: &Layout, messages: &[u32], places: &mut [u32], sorted: &mut [u32]) {
    for message in messages {
        let place = &mut places[layout.message_row(*message)];
        sorted[*place as usize] = *message;
        *place += 1;
    }
}

/// Of some positions, given by index and column, moves those that are not decided to `found` and
/// `columns_found`, which must have room for all. Returns how many.
#[inline(never)]
pub fn take_undecided(
    undecided: &mut [u64],
    indices: &[u32],
    columns: &[u32],
    found: &mut [u32],
    columns_found: &mut [u32],
) -> usize {
    let (mut likely, mut count) = (0, 0);
    // Whether a position is decided already is a matter of chance, so nothing is jumped over: each
    // is written down, and the next one takes its place if it was not wanted. Most are not, and what is only
    // read is quicker to look at; the others may be the same position twice.
    for (index, column) in indices.iter().zip(columns) {
        found[likely] = *index;
        columns_found[likely] = *column;
        likely += usize::from(has_bit(undecided, *column as usize));
    }
    for nth in 0..likely {
        let column = columns_found[nth];
        found[count] = found[nth];
        columns_found[count] = column;
        count += usize::from(has_bit(undecided, column as usize));
        clear_bit(undecided, column as usize);
    }
    count
}

/// Takes the messages' positions out of the open ones. Moves those to the front of the messages
/// that have not come before, as equal positions send them, and returns how many.
#[inline(never)]
pub fn close(layout: &Layout, open: &mut [&mut [u64]], messages: &mut [u32]) -> usize {
    let mut kept = 0;
    for nth in 0..messages.len() {
        let message = messages[nth];
        let bit = layout.after(layout.message_index(message));
        let word = &mut open[Layout::message_kind(message)][bit >> 6];
        messages[kept] = message;
        kept += (*word >> (bit & 63) & 1) as usize;
        *word &= !(1 << (bit & 63));
    }
    kept
}

/// Takes one off the counts of some columns that are not decided, and moves those that reach 0 to
/// `zero`, which must have room for all. Returns how many.
#[inline(never)]
pub fn count_down(undecided: &[u64], cells: &mut [u8], columns: &[u32], zero: &mut [u32]) -> usize {
    let mut count = 0;
    for (nth, column) in columns.iter().enumerate() {
        if let Some(ahead) = columns.get(nth + AHEAD) {
            memory::prefetch(cells, *ahead as usize);
        }
        // Decided cells are never 0, and stay as they are: cheaper than a jump that nobody can
        // foresee.
        let cell = &mut cells[*column as usize];
        *cell = cell.wrapping_sub(u8::from(has_bit(undecided, *column as usize)));
        zero[count] = *column;
        count += usize::from(*cell == 0);
    }
    count
}

/// Writes down that some columns are decided.
#[inline(never)]
pub fn settle(undecided: &mut [u64], cells: &mut [u8], columns: &[u32], cell: u8) {
    for (nth, column) in columns.iter().enumerate() {
        if let Some(ahead) = columns.get(nth + AHEAD) {
            memory::prefetch(cells, *ahead as usize);
        }
        clear_bit(undecided, *column as usize);
        cells[*column as usize] = cell;
    }
}
