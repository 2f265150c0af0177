//! The network as bytes: a mark, the text that tells how it was made, all numbers from the lowest
//! byte up, and a checksum.

use super::{
    BUCKETS, Column, FIRST, INPUTS, Network, ONE, OUT_ONE, SECOND, SECOND_ONE, head::Rows,
};
use crate::text::counted;
use xxhash_rust::xxh3::xxh3_64;

const MARK: [u8; 8] = *b"MRGNET1\n";
const CHECKSUM: usize = 8;
/// Bytes of all numbers.
const NUMBERS: usize = BUCKETS + INPUTS * FIRST + 2 * FIRST + BUCKETS * HEAD;
/// Bytes of a head.
const HEAD: usize = SECOND * (2 * FIRST + 4 + 2) + 4;

/// Why bytes are not a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// It begins otherwise.
    #[error("it does not begin as a network of this program")]
    Mark,
    /// It has too few or too many bytes.
    #[error("it has {}, and should have {wanted}", counted(*found, "byte"))]
    Length {
        /// Bytes found.
        found: usize,
        /// Bytes wanted.
        wanted: usize,
    },
    /// Some byte has been changed.
    #[error("its checksum is wrong")]
    Checksum,
}

/// A network as it is trained, in real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct RealNetwork {
    /// By bucket, whether it has been trained at all.
    pub known: [bool; BUCKETS],
    /// A column for each input.
    pub columns: Vec<[f32; FIRST]>,
    /// Of the first layer.
    pub first_bias: [f32; FIRST],
    /// By bucket.
    pub heads: Vec<RealHead>,
}

/// The part of a network that is chosen by the number of stones.
#[derive(Clone, Debug, PartialEq)]
pub struct RealHead {
    /// Weights of the second layer.
    pub second: [[f32; FIRST]; SECOND],
    /// Its biases.
    pub second_bias: [f32; SECOND],
    /// Weights of the output, in centi-stones.
    pub out: [f32; SECOND],
    /// The output's bias, in centi-stones.
    pub out_bias: f32,
}

fn whole(real: f32, one: i32, most: i32) -> i32 {
    ((real * one as f32).round() as i32).clamp(-most, most)
}

impl Network {
    /// The network in whole numbers. `account` tells how it was made.
    pub fn rounded(real: &RealNetwork, account: &str) -> Self {
        let most = i32::from(i16::MAX);
        let rows = |head: &RealHead| Rows {
            second: head.second.map(|row| row.map(|w| whole(w, SECOND_ONE, most) as i16)),
            second_bias: head.second_bias.map(|b| whole(b, ONE * SECOND_ONE, i32::MAX / 4)),
            out: head.out.map(|w| whole(w, OUT_ONE, most) as i16),
            out_bias: whole(head.out_bias, ONE * OUT_ONE, i32::MAX / 4),
        };
        let column = |column: &[f32; FIRST]| Column(column.map(|w| whole(w, ONE, ONE) as i16));
        Self {
            account: account.to_string(),
            known: real.known,
            columns: real.columns.iter().map(column).collect(),
            first_bias: real.first_bias.map(|b| whole(b, ONE, 16 * ONE) as i16),
            heads: real.heads.iter().map(|head| rows(head).into()).collect(),
        }
    }

    /// The network as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        out.extend((self.account.len() as u32).to_le_bytes());
        out.extend(self.account.bytes());
        out.extend(self.known.map(u8::from));
        out.extend(self.columns.iter().flat_map(|c| c.0).map(|w| w as i8 as u8));
        out.extend(self.first_bias.iter().flat_map(|b| b.to_le_bytes()));
        for head in self.heads.iter().map(|head| head.rows()) {
            out.extend(head.second.iter().flatten().flat_map(|w| w.to_le_bytes()));
            out.extend(head.second_bias.iter().flat_map(|b| b.to_le_bytes()));
            out.extend(head.out.iter().flat_map(|w| w.to_le_bytes()));
            out.extend(head.out_bias.to_le_bytes());
        }
        out.extend(xxh3_64(&out).to_le_bytes());
        out
    }

    /// Reads a network.
    ///
    /// # Errors
    /// If it is not one, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let rest = bytes.strip_prefix(&MARK).ok_or(NetworkError::Mark)?;
        let short = NetworkError::Length { found: bytes.len(), wanted: NUMBERS + CHECKSUM };
        let (length, _) = rest.split_first_chunk().ok_or(short)?;
        let account = u32::from_le_bytes(*length) as usize;
        let wanted = MARK.len() + 4 + account + NUMBERS + CHECKSUM;
        if bytes.len() != wanted {
            return Err(NetworkError::Length { found: bytes.len(), wanted });
        }
        let (body, checksum) = bytes.split_at(wanted - CHECKSUM);
        if xxh3_64(body).to_le_bytes() != checksum {
            return Err(NetworkError::Checksum);
        }
        let (text, numbers) = body[MARK.len() + 4..].split_at(account);
        let mut numbers = Numbers(numbers);
        Ok(Self {
            account: String::from_utf8_lossy(text).into_owned(),
            known: numbers.array(|n| n.byte() != 0),
            columns: (0..INPUTS).map(|_| Column(numbers.array(|n| n.byte().into()))).collect(),
            first_bias: numbers.array(Numbers::short),
            heads: (0..BUCKETS)
                .map(|_| Rows {
                    second: numbers.array(|n| n.array(Numbers::short)),
                    second_bias: numbers.array(Numbers::long),
                    out: numbers.array(Numbers::short),
                    out_bias: numbers.long(),
                })
                .map(Into::into)
                .collect(),
        })
    }
}

/// Numbers one after the other. There are enough of them: the length was checked.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *first
    }

    fn byte(&mut self) -> i8 {
        i8::from_le_bytes(self.take())
    }

    fn short(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn array<E, const N: usize>(&mut self, mut one: impl FnMut(&mut Self) -> E) -> [E; N] {
        std::array::from_fn(|_| one(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        let mut state = 1u32;
        let mut real = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let heads = (0..BUCKETS).map(|_| RealHead {
            second: std::array::from_fn(|_| std::array::from_fn(|_| real())),
            second_bias: std::array::from_fn(|_| real()),
            out: std::array::from_fn(|_| 100.0 * real()),
            out_bias: 100.0 * real(),
        });
        let heads = heads.collect();
        let columns = (0..INPUTS).map(|_| std::array::from_fn(|_| real())).collect();
        let first_bias = std::array::from_fn(|_| real());
        let known = std::array::from_fn(|bucket| bucket % 2 == 0);
        Network::rounded(&RealNetwork { known, columns, first_bias, heads }, "made up")
    }

    #[test]
    fn bytes_bring_it_back() {
        let network = network();
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes), Ok(network));
    }

    #[test]
    fn damage_is_seen() {
        let good = network().to_bytes();
        assert_eq!(Network::from_bytes(b"MRGNET1"), Err(NetworkError::Mark));
        for length in [0, 5, 8, 11, 12, 100, good.len() - 1] {
            assert!(Network::from_bytes(&good[..length]).is_err());
        }
        let longer = [&good[..], &[0]].concat();
        let error = Network::from_bytes(&longer).expect_err("a byte too many");
        assert!(matches!(error, NetworkError::Length { found, .. } if found == good.len() + 1));
        for place in (0..good.len()).step_by(9973) {
            let mut bad = good.clone();
            bad[place] ^= 4;
            assert!(Network::from_bytes(&bad).is_err(), "byte {place}");
        }
    }
}
