//! Memory that is looked into at far places: hints to the processor and to the system. Nothing here
//! changes what memory holds.

use std::ptr::NonNull;

/// Asks the processor to fetch an element, if there is one of that number.
#[inline(always)]
pub(crate) fn prefetch<T>(elements: &[T], number: usize) {
    let Some(element) = elements.get(number) else { return };
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect on the program, and SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

/// Asks the system to back an allocation by large pages: where memory is read at random, with small
/// pages most of the time of a look goes into finding the page.
pub(crate) fn ask_for_large_pages(memory: NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let skipped = memory.as_ptr().align_offset(PAGE);
        let Some(whole) = bytes.checked_sub(skipped).map(|rest| rest / PAGE * PAGE) else { return };
        // SAFETY: the range lies inside the allocation, and the advice does not change what it
        // holds. If it is not taken, the memory is slower and nothing else.
        unsafe { libc::madvise(memory.add(skipped).as_ptr().cast(), whole, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}
