//! What stands at the head of a published file; `tablebase-gen/FORMAT.md` defines it to the byte.

use super::{
    error::TableError,
    fields::{Beginning, Fields, rules_of},
    sector::{Coverage, Cut, Shape},
};
use crate::{rules::Rules, sector::Sector};

const BEGINNING: Beginning =
    Beginning { magic: *b"MRGPACK\n", version: 1, fixed: FIXED, form: "a table" };
/// Bytes before the rules text.
pub const FIXED: usize = 120;
const NO_PLIES: u16 = u16::MAX;

/// What a file says of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Win, draw or loss.
    Wdl,
    /// The plies to the end, beside a file of the first kind.
    Distance,
}

/// The head of a published file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules.
    pub rules: Rules,
    /// The sector.
    pub sector: Sector,
    /// What it says.
    pub kind: Kind,
    /// How the table is cut.
    pub cut: Cut,
    /// Cells stored that are drawn, lost and won for the side to move.
    pub counts: [u64; 3],
    /// Plies of the longest win and the longest loss stored, if distances are kept.
    pub longest: [Option<u16>; 2],
    /// XXH3-128 of the solver's table that it was made from.
    pub source: u128,
    /// XXH3-128 of the stored cells, a byte each in the order of their blocks.
    pub digest: u128,
    /// Bytes of the model.
    pub model_length: u32,
    /// Blocks.
    pub blocks: u32,
    /// Where the index begins.
    pub index_offset: u64,
}

impl Header {
    /// Bytes of the head.
    pub fn length(&self) -> usize {
        FIXED + self.rules.canonical().len()
    }

    /// The head as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let text = self.rules.canonical();
        let mut out = BEGINNING.encode(&text);
        out.extend(self.rules.fingerprint().to_le_bytes());
        let s = self.sector;
        out.extend([s.own, s.opponent, s.own_hand, s.opponent_hand]);
        out.extend([self.kind.code(), s.coverage(&self.rules).code(), 0, 0]);
        out.extend(self.cut.rows_per_block.to_le_bytes());
        out.extend(self.cut.parts_per_row.to_le_bytes());
        out.extend(self.blocks.to_le_bytes());
        out.extend(self.model_length.to_le_bytes());
        for count in self.counts {
            out.extend(count.to_le_bytes());
        }
        for plies in self.longest {
            out.extend(plies.unwrap_or(NO_PLIES).to_le_bytes());
        }
        out.extend([0; 4]);
        out.extend(self.source.to_le_bytes());
        out.extend(self.digest.to_le_bytes());
        out.extend(self.index_offset.to_le_bytes());
        out.resize(FIXED, 0);
        out.extend(text.bytes());
        out
    }

    /// The bytes of the whole head and the offset of the index, from the first [`FIXED`] bytes.
    ///
    /// # Errors
    /// If it is not the head of such a file.
    pub fn announced(fixed: &[u8; FIXED]) -> Result<(usize, u64), TableError> {
        let length = BEGINNING.length(fixed)?;
        let mut fields = Fields(&fixed[INDEX_FIELD..]);
        Ok((length, fields.u64()))
    }

    /// Reads a head whose checksum is right.
    ///
    /// # Errors
    /// If its fields contradict each other.
    pub fn decode(bytes: &[u8]) -> Result<(Header, Shape), TableError> {
        let wrong = |what: &str| TableError::damaged(what);
        if bytes.len() < FIXED {
            return Err(wrong("its head is too short"));
        }
        let mut fields = Fields(&bytes[16..]);
        let fingerprint = fields.u64();
        let [own, opponent, own_hand, opponent_hand] = fields.take();
        let sector = Sector { own, opponent, own_hand, opponent_hand };
        let [kind, coverage, ..] = fields.take::<4>();
        let cut = Cut { rows_per_block: fields.u32(), parts_per_row: fields.u32() };
        let (blocks, model_length) = (fields.u32(), fields.u32());
        let counts = [(); 3].map(|()| fields.u64());
        let longest =
            [(); 2].map(|()| Some(u16::from_le_bytes(fields.take())).filter(|p| *p != NO_PLIES));
        fields.u32();
        let source = u128::from_le_bytes(fields.take());
        let digest = u128::from_le_bytes(fields.take());
        let index_offset = fields.u64();

        let rules = rules_of(&bytes[FIXED..], fingerprint).map_err(wrong)?;
        let kind = Kind::of_code(kind).ok_or_else(|| wrong("its kind is unknown"))?;
        if !sector.is_of(&rules) {
            return Err(wrong("its sector is none of its rules"));
        }
        let expected = sector.coverage(&rules);
        if expected == Coverage::Derived || coverage != expected.code() {
            return Err(wrong("its sector is not stored so"));
        }
        let shape = Shape::new(&rules, sector);
        if !cut.fits(&shape) || cut.blocks(&shape) != blocks as usize {
            return Err(wrong("its blocks do not go with its sector"));
        }
        let header = Header {
            rules,
            sector,
            kind,
            cut,
            counts,
            longest,
            source,
            digest,
            model_length,
            blocks,
            index_offset,
        };
        Ok((header, shape))
    }
}

/// Where the offset of the index stands.
const INDEX_FIELD: usize = 112;

impl Kind {
    fn code(self) -> u8 {
        match self {
            Kind::Wdl => 1,
            Kind::Distance => 2,
        }
    }

    fn of_code(code: u8) -> Option<Self> {
        [Kind::Wdl, Kind::Distance].into_iter().find(|k| k.code() == code)
    }

    /// How names of files end.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => "mrw",
            Kind::Distance => "mrd",
        }
    }
}

impl Coverage {
    fn code(self) -> u8 {
        match self {
            Coverage::Whole => 0,
            Coverage::Parity => 1,
            Coverage::Derived => 2,
        }
    }
}

/// How the names of a sector's files begin: the rules' short name in letters that no shell or workflow
/// engine minds, and the sector.
pub fn file_stem(rules: &Rules, sector: Sector) -> String {
    let plain = |text: String| text.replace('+', "_").replace('=', "-");
    format!("{}-{}", plain(rules.short_name()), plain(sector.to_string()))
}

/// The name of a sector's published file.
pub fn file_name(rules: &Rules, sector: Sector, kind: Kind) -> String {
    format!("{}.{}", file_stem(rules, sector), kind.extension())
}
