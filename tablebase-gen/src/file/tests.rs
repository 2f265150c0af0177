use super::*;
use crate::sector::SectorExt;
use std::fs;

fn rules() -> Rules {
    Rules::named("six").expect("six is a preset")
}

/// Cells that look like those of a table: runs, now and then something else.
fn cells(sector: Sector, kind: CellKind) -> Vec<u8> {
    let board = rules().board();
    let mut seed = 7u64;
    (0..sector.cells(board))
        .map(|_| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let random = (seed >> 40) as u8;
            match kind {
                CellKind::Distance if random > 240 => (seed >> 50) as u8,
                CellKind::Wdl if random > 240 => [0, 1, 2, 255][(seed >> 50) as usize % 4],
                _ => 2,
            }
        })
        .collect()
}

fn write(path: &Path, kind: CellKind, threads: usize) -> (Header, Vec<u8>) {
    let sector = Sector::moving(4, 3);
    let cells = cells(sector, kind);
    let columns = sector.columns(rules().board()) as usize;
    let table = NewTable { rules: &rules(), sector, kind, columns, cells: &cells };
    (write_table(path, &table, threads).expect("there is space"), cells)
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for kind in [CellKind::Distance, CellKind::Wdl] {
        let path = folder.path().join("table");
        let (header, cells) = write(&path, kind, 1);
        let (again, _) = write(&folder.path().join("again"), kind, 3);
        assert_eq!(header, again);
        assert_eq!(fs::read(&path).unwrap(), fs::read(folder.path().join("again")).unwrap());
        assert_eq!(header.counts.total(), cells.len() as u64);

        let file = TableFile::open(&path, &rules()).expect("it has just been written");
        assert_eq!(*file.header(), header);
        assert_eq!(file.read_all(2).unwrap(), cells);
        file.check(2).expect("nothing has touched it");
        let columns = header.columns as usize;
        let rows = header.rows as usize;
        for (first, count) in [(0, 1), (0, rows), (1, 2), (rows - 1, 1), (3, rows - 5), (rows, 0)] {
            let mut some = vec![9];
            file.read_rows(first, count, &mut some).unwrap();
            assert_eq!(some[1..], cells[first * columns..(first + count) * columns]);
        }
        let seen = std::sync::Mutex::new(0);
        file.for_each_block(2, |first, block| {
            assert_eq!(block, &cells[first * columns..][..block.len()]);
            *seen.lock().unwrap() += block.len();
        })
        .unwrap();
        assert_eq!(*seen.lock().unwrap(), cells.len());
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "only the finished files are there");
}

#[test]
fn cells_that_do_not_compress_are_stored_plain() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("table");
    let sector = Sector::moving(3, 3);
    let columns = sector.columns(rules().board()) as usize;
    let mut seed = 3u64;
    let cells: Vec<u8> = (0..sector.cells(rules().board()))
        .map(|_| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (seed >> 56) as u8
        })
        .collect();
    let table =
        NewTable { rules: &rules(), sector, kind: CellKind::Distance, columns, cells: &cells };
    write_table(&path, &table, 2).unwrap();
    assert!(fs::metadata(&path).unwrap().len() > cells.len() as u64);
    assert_eq!(TableFile::open(&path, &rules()).unwrap().read_all(1).unwrap(), cells);
}

#[test]
fn every_flipped_bit_is_found() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("table");
    write(&path, CellKind::Wdl, 2);
    let whole = fs::read(&path).unwrap();
    // All of the head and of the index, and every 53rd byte between.
    let length = whole.len();
    let bytes = (0..length).filter(|b| *b < 700 || *b + 100 > length || b % 53 == 0);
    for byte in bytes {
        let mut damaged = whole.clone();
        damaged[byte] ^= 1 << (byte % 8);
        fs::write(&path, &damaged).unwrap();
        let found = TableFile::open(&path, &rules()).and_then(|f| f.check(1));
        let error = found.expect_err("a bit is wrong");
        assert!(matches!(error, FileError::Damaged { .. }), "byte {byte}: {error}");
        assert!(error.to_string().contains("table is damaged"));
    }
}

#[test]
fn a_file_cut_short_is_found() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("table");
    write(&path, CellKind::Distance, 2);
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
        fs::write(&path, &whole[..length]).unwrap();
        let found = TableFile::open(&path, &rules());
        assert!(matches!(found.err(), Some(FileError::Damaged { .. })), "{length} bytes");
    }
    let mut longer = whole.clone();
    longer.push(0);
    fs::write(&path, &longer).unwrap();
    assert!(matches!(TableFile::open(&path, &rules()).err(), Some(FileError::Damaged { .. })));
}

#[test]
fn missing_and_foreign_files_are_named() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("table");
    assert!(
        matches!(TableFile::open(&path, &rules()).err(), Some(FileError::Missing(p)) if p == path)
    );
    write(&path, CellKind::Distance, 1);
    let other = Rules::parse("six+fly=3").unwrap();
    let error = TableFile::open(&path, &other).err().expect("the rules differ").to_string();
    assert!(error.contains("fly=0") && error.contains("fly=3"), "{error}");
}

#[test]
fn names_are_plain() {
    let rules = Rules::parse("nine+fly=0+removals=per-mill").unwrap();
    let sector = Sector { own: 6, opponent: 5, own_hand: 1, opponent_hand: 0 };
    assert_eq!(
        file_name(&rules, sector, CellKind::Wdl),
        "nine-nofly_removals-per-mill-6-5_1-0-wdl.mrg"
    );
}

#[test]
fn what_the_system_says_is_told_once() {
    let error = FileError::io(Path::new("x"), io::Error::other("no"));
    assert_eq!(format!("{:#}", anyhow::Error::new(error)), "x: no");
}
