use super::*;
use crate::board::Points;
use std::collections::BTreeSet;

#[test]
fn ranks_count_up_and_come_back() {
    for ones in 0..=MAX_STONES {
        let mut expected = 0;
        for bits in (0..1u32 << 16).filter(|b| b.count_ones() as usize == ones) {
            assert_eq!(rank(bits), expected);
            assert_eq!(unrank(expected, ones), bits);
            expected += 1;
        }
        assert_eq!(expected, binomial(16, ones));
        let last = ((1u32 << ones) - 1) << (24 - ones);
        assert_eq!(rank(last), binomial(24, ones) - 1);
        assert_eq!(unrank(rank(last), ones), last);
    }
}

#[test]
fn classes_are_the_orbits() {
    for board in Board::ALL.iter().copied().filter(|b| b.points() <= 17) {
        for size in 0..=board.points().min(8) {
            let classes = Classes::of(board, size);
            let orbit_minimum = |set| {
                board.symmetries().iter().map(|s| s.set(set)).min().expect("there is the identity")
            };
            let sets = (0..=board.all()).filter(|s| s.count_ones() as usize == size);
            let minima: BTreeSet<u32> = sets.clone().map(orbit_minimum).collect();
            assert!(minima.iter().eq(classes.representatives()), "{board} {size}");
            for set in sets {
                let (class, symmetry) = classes.class_of(set);
                assert_eq!(classes.representative(class), orbit_minimum(set));
                assert_eq!(board.symmetries()[symmetry].set(set), orbit_minimum(set));
            }
        }
    }
}

/// Burnside's lemma, with the cycles of each symmetry counted here.
#[test]
fn numbers_of_classes_of_the_largest_board() {
    for board in [Board::Nine, Board::NineDiagonals] {
        for size in 0..=MAX_STONES {
            let mut fixed = 0;
            for symmetry in board.symmetries() {
                let mut ways = vec![0u64; size + 1];
                ways[0] = 1;
                let mut left = board.all();
                while left != 0 {
                    let start = left.trailing_zeros() as usize;
                    let mut length = 0;
                    let mut point = start;
                    while left >> point & 1 == 1 {
                        left &= !(1 << point);
                        point = symmetry.point(point);
                        length += 1;
                    }
                    for total in (length..=size).rev() {
                        ways[total] += ways[total - length];
                    }
                }
                fixed += ways[size];
            }
            let symmetries = board.symmetries().len() as u64;
            assert_eq!(Classes::of(board, size).count() as u64, fixed / symmetries);
        }
    }
}

#[test]
fn a_row_finds_what_locate_finds() {
    let mut seed = 1u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (seed >> 33) % below
    };
    for board in Board::ALL.iter().copied() {
        for _ in 0..200 {
            let mut sets = [0u32; 2];
            for set in &mut sets {
                let most = (board.points() / 2).min(MAX_STONES) as u64;
                *set = (0..random(most + 1)).fold(0, |s, _| s | 1 << random(board.points() as u64));
            }
            let [own, opponent] = [sets[0] & !sets[1], sets[1]];
            let classes = Classes::of(board, opponent.count_ones() as usize);
            let row = Row::of(classes, opponent);
            assert_eq!((row.class(), row.column(own)), locate(board, own, opponent));
            let found =
                column_set(classes, row.class(), row.column(own), own.count_ones() as usize);
            let reached = board.symmetries().iter().any(|s| {
                s.set(own) == found && s.set(opponent) == classes.representative(row.class())
            });
            assert!(reached, "{board} {own:x} {opponent:x}");
        }
    }
}

#[test]
fn all_images_lie_in_one_row() {
    let board = Board::Nine;
    let (own, opponent) = (0x00_8421, 0x42_0810);
    let (row, _) = locate(board, own, opponent);
    for symmetry in board.symmetries() {
        assert_eq!(locate(board, symmetry.set(own), symmetry.set(opponent)).0, row);
    }
}

#[test]
fn a_stabiliser_keeps_its_set() {
    let classes = Classes::of(Board::Nine, 8);
    let ring = classes.class_of(0xff).0;
    assert_eq!(classes.stabiliser(ring).count(), 8);
    let sizes: usize = (0..classes.count()).map(|c| 16 / classes.stabiliser(c).count()).sum();
    assert_eq!(sizes as u32, binomial(24, 8));
}

#[test]
fn gather_and_scatter_undo_each_other() {
    for mask in [0u32, 0xff_ffff, 0x0f_0f0f, 0x81_4223] {
        for bits in 0..(1u32 << mask.count_ones().min(12)) {
            assert_eq!(gather(scatter(bits, mask), mask), bits);
        }
        assert_eq!(Points(scatter(u32::MAX, mask)).count() as u32, mask.count_ones());
    }
}
