//! Large pieces of zeroed memory, and hints about memory.

use bytemuck::Zeroable;

/// The system has refused memory.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "the system refuses {} MB of memory; free some, or raise its limit (ulimit -v)",
    bytes.div_ceil(1_000_000)
)]
pub struct Refused {
    /// Bytes that were asked for.
    pub bytes: u64,
}

impl Refused {
    fn list<T>(length: usize) -> Self {
        Self { bytes: length.saturating_mul(size_of::<T>()) as u64 }
    }
}

/// Makes room in a list for more elements.
///
/// # Errors
/// If the system has no memory for them.
pub fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Refused> {
    list.try_reserve(more).map_err(|_| Refused::list::<T>(more))
}

/// Makes a list of bytes that are to be written over just so long.
///
/// # Errors
/// If the system has no memory for it.
pub fn resize(list: &mut Vec<u8>, length: usize) -> Result<(), Refused> {
    reserve(list, length.saturating_sub(list.len()))?;
    list.resize(length, 0);
    Ok(())
}

/// Whether the system would give so many bytes now.
///
/// # Errors
/// If it would not.
pub fn demand(bytes: u64) -> Result<(), Refused> {
    let length = usize::try_from(bytes).map_err(|_| Refused { bytes })?;
    reserve(&mut Vec::<u8>::new(), length)
}

/// So many zeroes. Where the system has them, large pages are asked for: rows are read at random
/// places, and small pages cost a look-up each.
///
/// # Errors
/// If the system has no memory for them.
pub fn zeroed<T: Zeroable>(length: usize) -> Result<Vec<T>, Refused> {
    let memory = bytemuck::try_zeroed_vec(length).map_err(|()| Refused::list::<T>(length))?;
    ask_for_large_pages(&memory);
    Ok(memory)
}

/// So many equal elements, in large pages like [`zeroed`].
///
/// # Errors
/// As [`zeroed`].
pub fn filled<T: Copy>(length: usize, element: T) -> Result<Vec<T>, Refused> {
    let mut memory = Vec::new();
    reserve(&mut memory, length)?;
    ask_for_large_pages(memory.spare_capacity_mut());
    memory.resize(length, element);
    Ok(memory)
}

#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(memory: &[T]) {
    const PAGE: usize = 4096;
    let start = (memory.as_ptr() as usize).next_multiple_of(PAGE);
    let end = (memory.as_ptr() as usize + size_of_val(memory)) & !(PAGE - 1);
    if end > start + 64 * PAGE {
        // SAFETY: the range lies within an allocation of ours, and the advice changes nothing but
        // how the system backs it.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &[T]) {}

/// Makes a list that is written to by place at least so long.
#[inline(always)]
pub fn make_room(list: &mut Vec<u32>, length: usize) {
    if list.len() < length {
        list.resize(length.next_power_of_two(), 0);
    }
}

/// Gives memory that is free, but kept for later by the program's allocator, back to the system, where
/// the allocator can be told so.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it touches only what is free.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Brings an element into the cache, if there is one of that number.
#[inline(always)]
pub fn prefetch<T>(memory: &[T], number: usize) {
    let Some(element) = memory.get(number) else { return };
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64, and a hint about a valid address changes nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

/// Brings all of some memory nearer, line by line.
#[inline(always)]
pub fn prefetch_all<T>(memory: &[T]) {
    const LINE: usize = 64;
    for number in (0..memory.len()).step_by(LINE / size_of::<T>()) {
        prefetch(memory, number);
    }
}
