//! Keeps the program's own code and constants in memory. A page of them that the system has dropped
//! is read from the disk in the middle of a turn, and that can take longer than a turn of a fast
//! game lasts.

/// Asks the system to keep what is mapped from files for reading: the program and its libraries,
/// less than 10 MB. To be called before tables are opened. If the system does not, all works the same.
#[cfg(target_os = "linux")]
pub fn keep_code() {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    for range in maps.lines().filter_map(constant_range) {
        let start = std::ptr::without_provenance_mut(range.start);
        // SAFETY: locking a mapping changes nothing in it, and these stay for as long as the
        // program runs.
        let _ = unsafe { rustix::mm::mlock(start, range.len()) };
    }
}

/// Not on this system.
#[cfg(not(target_os = "linux"))]
pub fn keep_code() {}

/// The range of a line of `/proc/self/maps`, if it is of a file and cannot be written to.
#[cfg(target_os = "linux")]
fn constant_range(line: &str) -> Option<std::ops::Range<usize>> {
    let mut fields = line.split_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let rights = fields.next()?;
    let inode = fields.nth(2)?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    let wanted = rights.starts_with('r') && !rights.contains('w') && inode != "0";
    wanted.then_some(address(start)?..address(end)?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn code_is_wanted_and_memory_of_its_own_is_not() {
        let code = "55d0c8a5c000-55d0c8d26000 r-xp 0016c000 fe:00 5693979    /opt/some program";
        assert_eq!(constant_range(code), Some(0x55d0_c8a5_c000..0x55d0_c8d2_6000));
        for line in [
            "55d0c8d33000-55d0c8d36000 rw-p 00441000 fe:00 5693979    /opt/some program",
            "55d0ca1f1000-55d0ca212000 rw-p 00000000 00:00 0          [heap]",
            "7ffd3a9f2000-7ffd3a9f4000 r-xp 00000000 00:00 0          [vdso]",
            "7f12a4000000-7f12a4021000 ---p 00000000 00:00 0",
            "",
        ] {
            assert_eq!(constant_range(line), None, "{line}");
        }
    }
}
