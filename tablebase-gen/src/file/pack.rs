//! Cells without distances, four to a byte.

use crate::solve::cell;

const NONE: u8 = 3;

/// Bytes of so many packed cells.
pub(super) fn packed_length(cells: usize) -> usize {
    cells.div_ceil(4)
}

/// Packs cells, the first into the lowest two bits. `None` if one is not such a cell.
pub(super) fn pack(cells: &[u8], packed: &mut Vec<u8>) -> Option<()> {
    packed.clear();
    for four in cells.chunks(4) {
        let mut byte = 0;
        for (place, value) in four.iter().enumerate() {
            let code = match *value {
                cell::NONE => NONE,
                value @ (cell::DRAW | cell::LOSS | cell::WIN) => value,
                _ => return None,
            };
            byte |= code << (2 * place);
        }
        packed.push(byte);
    }
    Some(())
}

/// Fills `cells` from packed ones. `packed` must have [`packed_length`] bytes.
pub(super) fn unpack(packed: &[u8], cells: &mut [u8]) {
    for (byte, four) in packed.iter().zip(cells.chunks_mut(4)) {
        for (place, value) in four.iter_mut().enumerate() {
            let code = byte >> (2 * place) & 3;
            *value = if code == NONE { cell::NONE } else { code };
        }
    }
}
