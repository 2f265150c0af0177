//! The files of one sector and kind, opened one after the other: where one is found damaged, the next
//! place is asked for its own. What has been lent of a file stays valid, so no lock is held meanwhile.
//! This room does not know where the places are.

use super::file::PackedFile;
use std::{
    iter,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// A file in use.
pub(super) struct Opened {
    pub(super) file: PackedFile,
    pub(super) number: u32,
    pub(super) name: String,
    /// Whether its blocks are read to their ends whatever is wanted.
    pub(super) whole_blocks: bool,
    broken: AtomicBool,
}

impl Opened {
    /// A file with a number that no other has.
    pub fn new(file: PackedFile, number: u32, name: String, whole_blocks: bool) -> Self {
        Self { file, number, name, whole_blocks, broken: AtomicBool::new(false) }
    }

    /// Puts the file out of use. Whether it was in use before.
    pub fn give_up(&self) -> bool {
        !self.broken.swap(true, Relaxed)
    }

    /// Whether these distances go with a file of wins, draws and losses: both were made of one table.
    pub fn goes_with(&self, wdl: &Opened) -> bool {
        let (here, there) = (self.file.header(), wdl.file.header());
        (here.cut, here.source) == (there.cut, there.source)
    }
}

/// The files of one sector and kind.
#[derive(Default)]
pub(super) struct Chain(OnceLock<Option<Box<Link>>>);

struct Link {
    opened: Opened,
    /// Where it was found.
    place: usize,
    next: Chain,
}

impl Chain {
    /// The files that are in use, each opened when it is come to. `open` opens the first good one at a
    /// place or after it, and tells its place.
    #[inline(always)]
    pub fn in_use(
        &self,
        open: impl Fn(usize) -> Option<(usize, Opened)>,
    ) -> impl Iterator<Item = &Opened> {
        let (mut chain, mut from) = (self, 0);
        let all = iter::from_fn(move || {
            let link = chain.0.get_or_init(|| {
                let (place, opened) = open(from)?;
                Some(Box::new(Link { opened, place, next: Chain::default() }))
            });
            let link = link.as_deref()?;
            (chain, from) = (&link.next, link.place + 1);
            Some(&link.opened)
        });
        all.filter(|opened| !opened.broken.load(Relaxed))
    }
}
