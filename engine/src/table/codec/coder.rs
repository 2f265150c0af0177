//! A binary arithmetic coder: each bit costs what its probability says.
//!
//! After Nigel Martin's range encoding (1979) in the carry-propagating form of Igor Pavlov's LZMA,
//! with a 64-bit range that gives away 32 bits at a time.

/// Certainty. Probabilities lie between 1 and one less than this.
pub const ONE: u32 = 1 << 16;
const BITS: u32 = 16;
const FULL: u64 = 1 << 32;

/// Something that bits of known probability go through.
pub trait BitCoder {
    /// Codes a bit that is set with probability `set` out of [`ONE`]. An encoder takes the bit, a
    /// decoder ignores what is given and returns the one read.
    fn bit(&mut self, bit: bool, set: u32) -> bool;
}

/// Reads bits.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    range: u64,
    code: u64,
}

impl<'a> Decoder<'a> {
    /// Reads from these bytes; beyond their end are zeros.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { bytes, range: u64::MAX, code: 0 };
        decoder.code = u64::from(decoder.word()) << 32;
        decoder.code |= u64::from(decoder.word());
        decoder
    }

    #[inline(always)]
    fn word(&mut self) -> u32 {
        if let Some((word, rest)) = self.bytes.split_first_chunk() {
            self.bytes = rest;
            return u32::from_be_bytes(*word);
        }
        self.last_word()
    }

    #[cold]
    fn last_word(&mut self) -> u32 {
        let mut word = [0; 4];
        word[..self.bytes.len()].copy_from_slice(self.bytes);
        self.bytes = &[];
        u32::from_be_bytes(word)
    }
}

impl BitCoder for Decoder<'_> {
    #[inline(always)]
    fn bit(&mut self, _: bool, set: u32) -> bool {
        let bound = (self.range >> BITS) * u64::from(set);
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        if self.range < FULL {
            self.range <<= 32;
            self.code = self.code << 32 | u64::from(self.word());
        }
        bit
    }
}

/// Writes bits.
pub struct Encoder {
    out: Vec<u8>,
    low: u64,
    range: u64,
}

impl Default for Encoder {
    fn default() -> Self {
        Self { out: Vec::new(), low: 0, range: u64::MAX }
    }
}

impl Encoder {
    fn add(&mut self, amount: u64) {
        let (low, carry) = self.low.overflowing_add(amount);
        self.low = low;
        if carry {
            // The bytes so far are below what they stand for, so one of them takes the carry.
            for byte in self.out.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    /// The bytes, as few as tell the bits apart from all others.
    pub fn finish(mut self) -> Vec<u8> {
        let last = self.range - 1;
        for zeros in (0..64).rev() {
            // The least number from `low` on with so many zeros at its end.
            let mask = (1u64 << zeros) - 1;
            let step = self.low.wrapping_neg() & mask;
            if step <= last {
                self.add(step);
                break;
            }
        }
        self.out.extend(self.low.to_be_bytes());
        let used = self.out.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
        self.out.truncate(used);
        self.out
    }
}

impl BitCoder for Encoder {
    #[inline(always)]
    fn bit(&mut self, bit: bool, set: u32) -> bool {
        let bound = (self.range >> BITS) * u64::from(set);
        if bit {
            self.range = bound;
        } else {
            self.add(bound);
            self.range -= bound;
        }
        if self.range < FULL {
            self.out.extend(((self.low >> 32) as u32).to_be_bytes());
            self.low <<= 32;
            self.range <<= 32;
        }
        bit
    }
}

/// A probability that follows the bits it has seen.
#[derive(Clone, Copy)]
struct Learned(u32);

impl Learned {
    const RATE: u32 = 4;

    fn code(&mut self, coder: &mut impl BitCoder, bit: bool) -> bool {
        let bit = coder.bit(bit, self.0.clamp(32, ONE - 32));
        if bit {
            self.0 += (ONE - self.0) >> Self::RATE;
        } else {
            self.0 -= self.0 >> Self::RATE;
        }
        bit
    }
}

/// Codes whole numbers of which small ones are frequent: the number of binary digits in unary,
/// then the digits below the first.
pub struct Numbers {
    lengths: [[Learned; 34]; 3],
    top: [Learned; 34],
    last_length: usize,
}

impl Default for Numbers {
    fn default() -> Self {
        let even = Learned(ONE / 2);
        Self { lengths: [[even; 34]; 3], top: [even; 34], last_length: 0 }
    }
}

impl Numbers {
    /// Codes a number below 2³² − 1. `None` if what is read is no such number.
    pub fn code(&mut self, coder: &mut impl BitCoder, number: u32) -> Option<u32> {
        let one_more = u64::from(number) + 1;
        let wanted = one_more.ilog2() as usize;
        let row = &mut self.lengths[self.last_length.min(2)];
        let mut length = 0;
        while row[length].code(coder, length < wanted) {
            length += 1;
            if length > 32 {
                return None;
            }
        }
        self.last_length = length;
        let mut value = 1u64;
        for place in (0..length).rev() {
            let bit = one_more >> place & 1 == 1;
            let bit = if place + 1 == length {
                self.top[length].code(coder, bit)
            } else {
                coder.bit(bit, ONE / 2)
            };
            value = value << 1 | u64::from(bit);
        }
        u32::try_from(value - 1).ok()
    }

    /// Codes a number of either sign: 0, −1, 1, −2, 2 …
    pub fn signed(&mut self, coder: &mut impl BitCoder, number: i32) -> Option<i32> {
        let folded = (number << 1 ^ number >> 31) as u32;
        let read = self.code(coder, folded)?;
        Some((read >> 1) as i32 ^ -((read & 1) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        *seed >> 33
    }

    #[test]
    fn bits_come_back_at_any_probability() {
        let mut seed = 7;
        for length in [0usize, 1, 2, 7, 100, 5000] {
            let bits: Vec<(bool, u32)> = (0..length)
                .map(|_| {
                    let set = match random(&mut seed) % 4 {
                        0 => 1,
                        1 => ONE - 1,
                        _ => 1 + random(&mut seed) as u32 % (ONE - 1),
                    };
                    (random(&mut seed) % u64::from(ONE) < u64::from(set) * 2, set)
                })
                .collect();
            let mut encoder = Encoder::default();
            for (bit, set) in &bits {
                encoder.bit(*bit, *set);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for (bit, set) in bits {
                assert_eq!(decoder.bit(false, set), bit);
            }
        }
    }

    #[test]
    fn sure_bits_cost_nothing() {
        let mut encoder = Encoder::default();
        for _ in 0..1000 {
            encoder.bit(true, ONE - 1);
        }
        assert!(encoder.finish().len() <= 1);
    }

    #[test]
    fn numbers_come_back() {
        let numbers = [0, -1, 1, 5, -300, 70_000, i32::MAX / 2, -2, 0, 0];
        let mut encoder = Encoder::default();
        let mut coding = Numbers::default();
        for number in numbers {
            assert_eq!(coding.signed(&mut encoder, number), Some(number));
        }
        let bytes = encoder.finish();
        let (mut decoder, mut coding) = (Decoder::new(&bytes), Numbers::default());
        for number in numbers {
            assert_eq!(coding.signed(&mut decoder, 0), Some(number));
        }
    }
}
