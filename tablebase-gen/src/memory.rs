//! Large pieces of zeroed memory, and hints about memory.

use bytemuck::Zeroable;

/// So many zeroes. Where the system has them, large pages are asked for: rows are read at random
/// places, and small pages cost a look-up each.
pub fn zeroed<T: Zeroable>(length: usize) -> Vec<T> {
    let memory = bytemuck::zeroed_vec(length);
    ask_for_large_pages(&memory);
    memory
}

/// So many equal elements, in large pages like [`zeroed`].
pub fn filled<T: Copy>(length: usize, element: T) -> Vec<T> {
    let mut memory = Vec::with_capacity(length);
    ask_for_large_pages(memory.spare_capacity_mut());
    memory.resize(length, element);
    memory
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
