//! Planes: a bit for every position of a row, so that a turn is the same exchange of index bits
//! for many positions at once.
//!
//! Of all numbers of so many bits few have the right number of ones. Where all positions of a plane
//! have equally many stones, the highest bit is left out: the number of the other ones says what it
//! was, and the plane is half as large.

use super::isa::{BLOCK_BITS, Block, WORDS};

/// Where the positions of a row lie in a plane.
#[derive(Clone, Copy)]
pub struct PlaneShape {
    /// Bits of a place in a plane.
    bits: u32,
    /// The bit of a compact index that is left out, or 0.
    top: u32,
    /// Ones of a compact index.
    ones: u32,
}

/// The bits of a block whose index within it has so many ones.
static WITH_ONES: [Block; BLOCK_BITS as usize + 1] = {
    let mut all = [Block::ZERO; BLOCK_BITS as usize + 1];
    let mut index = 0usize;
    while index < 64 * WORDS {
        all[index.count_ones() as usize].0[index / 64] |= 1 << (index % 64);
        index += 1;
    }
    all
};

impl PlaneShape {
    /// Planes of indices of `width` bits; `folded` if all that matter have `ones` ones.
    pub fn new(width: u32, ones: u32, folded: bool) -> Self {
        // A block is full at least.
        let folded = folded && width > BLOCK_BITS;
        Self {
            bits: width - u32::from(folded),
            top: if folded { 1 << (width - 1) } else { 0 },
            ones,
        }
    }

    /// Blocks of a plane.
    pub fn blocks(self) -> usize {
        1 << self.high_bits()
    }

    /// Bits of a place that choose the block.
    pub fn high_bits(self) -> u32 {
        self.bits.saturating_sub(BLOCK_BITS)
    }

    /// The bit of a compact index that is left out, or 0.
    pub fn top(self) -> u32 {
        self.top
    }

    /// Words from those of indices without the top bit to those of indices with it, if it is left out.
    pub fn fold(self) -> Option<usize> {
        (self.top != 0).then_some(self.top as usize / 64)
    }

    /// The words of 64 compact indices each that share word `number` of a plane.
    #[inline(always)]
    pub fn words(self, number: usize) -> impl Iterator<Item = usize> {
        [Some(number), self.fold().map(|fold| number + fold)].into_iter().flatten()
    }

    /// Sets the bit of a compact index.
    #[inline(always)]
    pub fn set(self, plane: &mut [Block], index: u32) {
        let word = (index & !self.top) as usize >> 6;
        plane[word >> 3].0[word & 7] |= 1 << (index & 63);
    }

    /// The positions of block `number` whose index has the bit that is left out.
    #[inline(always)]
    pub fn with_top(self, number: u32) -> &'static Block {
        let within = self.ones.wrapping_sub(1 + number.count_ones());
        WITH_ONES.get(within as usize).unwrap_or(&Block::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers of so many bits with so many ones.
    fn indices(width: u32, ones: u32) -> impl Iterator<Item = u32> {
        (0..1 << width).filter(move |index: &u32| index.count_ones() == ones)
    }

    #[test]
    fn each_index_has_a_place_of_its_own_and_the_number_of_ones_tells_the_bit_left_out() {
        for (width, ones) in [(3, 2), (9, 4), (10, 0), (10, 10), (11, 5), (13, 3)] {
            for folded in [false, true] {
                let shape = PlaneShape::new(width, ones, folded);
                let mut plane = vec![Block::ZERO; shape.blocks()];
                indices(width, ones).for_each(|index| shape.set(&mut plane, index));
                let set: u32 = plane.iter().flat_map(|b| b.0).map(u64::count_ones).sum();
                assert_eq!(set as usize, indices(width, ones).count(), "{width} {ones} {folded}");
                let Some(fold) = shape.fold() else { continue };
                assert_eq!(plane.len() * WORDS, fold, "half of the words are left");
                let mut upper = vec![Block::ZERO; shape.blocks()];
                let with_top = |index: &u32| index & shape.top() != 0;
                indices(width, ones).filter(with_top).for_each(|i| shape.set(&mut upper, i));
                for (number, block) in upper.iter().enumerate() {
                    assert!(shape.with_top(number as u32) == block, "{width} {ones} {number}");
                }
            }
        }
    }
}
