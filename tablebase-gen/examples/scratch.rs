//! scratch
use millrace_engine::*;
use millrace_tablebase_gen::{sector::*, solve::*};
use std::{collections::HashMap, time::Instant};
struct Mem(HashMap<Sector, SectorTable>);
impl Known for Mem {
    fn rows(&self, s: Sector, first: usize, count: usize, cells: &mut Vec<u8>) -> Result<(), SolveError> {
        let t = &self.0.get(&s).unwrap_or_else(|| panic!("no {s}"));
        cells.extend_from_slice(&t.cells[first * t.columns..(first + count) * t.columns]);
        Ok(())
    }
}
struct W;
impl Watch for W { fn step(&self, p: u32, d: u64, t: u64) { if std::env::var("V").is_ok() { eprintln!("{p} {d} {t}"); } } fn is_stopped(&self) -> bool { false } }
fn ext(v: u32, m: u32) -> u32 { let mut r = 0; let mut k = 0; for b in 0..24 { if m >> b & 1 == 1 { r |= (v >> b & 1) << k; k += 1; } } r }
fn cpu() -> (f64, f64) { let t = std::fs::read_to_string("/proc/self/stat").unwrap(); let f: Vec<&str> = t.rsplit(')').next().unwrap().split_whitespace().collect(); (f[11].parse::<f64>().unwrap() / 100.0, f[12].parse::<f64>().unwrap() / 100.0) }
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = Rules::parse(&a[1]).unwrap();
    let max: u8 = a[2].parse().unwrap();
    let threads: usize = a[3].parse().unwrap();
    let instructions = match a.get(4).map(String::as_str) { Some("portable") => Instructions::Portable, #[cfg(target_arch="x86_64")] Some("avx2") => Instructions::Avx2, _ => Instructions::detect() };
    let n = rules.stones();
    let mut units: Vec<Unit> = (3..=n).flat_map(|x| (3..=x).map(move |y| Sector::moving(x, y))).map(|s| Unit::of(s, &rules)).collect();
    units.sort_by_key(|u| u.first().stones());
    let mut mem = Mem(HashMap::new());
    let (mut tt, mut tc) = (0.0, 0u64);
    let truth = std::fs::read_to_string("/work/shared/truth/sectors_nine_wdl.txt").unwrap();
    for u in units.into_iter().filter(|u| u.first().stones() <= max) {
        let t = Instant::now(); let c0 = cpu();
        let out = solve_unit(&Job { rules: &rules, unit: u, threads, memory: u64::MAX, wdl_only: false, instructions }, &mem, &W).unwrap();
        let e = t.elapsed().as_secs_f64();
        let cells: usize = out.iter().map(|t| t.cells.len()).sum();
        tt += e; tc += cells as u64;
        println!("unit {u}: {cells} cells {e:.3}s {:.1}M/s  user {:.2} sys {:.2}: {:.1}M/cpu s", cells as f64 / e / 1e6, cpu().0 - c0.0, cpu().1 - c0.1, cells as f64 / 1e6 / (cpu().0 - c0.0 + cpu().1 - c0.1));
        for table in out {
            let s = table.sector;
            if std::env::var("Q").is_err() {
            let b = rules.board();
            let sy = b.symmetries();
            let (mut w, mut d, mut l) = (0u64, 0u64, 0u64);
            let mut hist = [0u64; 256];
            let mut row = 0;
            let mut lw = 0; let mut ll = 0;
            for o in 0..=b.all() {
                if o.count_ones() != s.opponent as u32 { continue; }
                if sy.iter().any(|y| y.set(o) < o) { continue; }
                let orb = sy.len() / sy.iter().filter(|y| y.set(o) == o).count();
                let stab: Vec<_> = sy.iter().filter(|y| y.set(o) == o).collect();
                let free = b.all() & !o;
                let mut c = 0;
                for i in 0..1u32 << free.count_ones() {
                    if i.count_ones() != s.own as u32 { continue; }
                    let v = table.cells[row * table.columns + c];
                    c += 1;
                    hist[v as usize] += orb as u64;
                    if stab.len() > 1 {
                        let mut m = 0; let mut k = 0;
                        for p in 0..24 { if free >> p & 1 == 1 { m |= (i >> k & 1) << p; k += 1; } }
                        let minimal = stab.iter().all(|y| ext(y.set(m), free) >= i);
                        if !minimal { continue; }
                    }
                    if v == 0 { d += 1 } else if v % 2 == 0 { w += 1; lw = lw.max(v - 1) } else { l += 1; ll = ll.max(v - 1) }
                }
                row += 1;
            }
            let line = format!("{}|{}|{}|{}|{}|{}", s.own, s.opponent, w + d + l, w, d, l);
            let prefix = format!("{}|{}|", s.own, s.opponent);
            let ok = truth.lines().find(|x| x.starts_with(&prefix)).map(|x| x == line);
            println!("   {line} {ok:?} lw {lw} ll {ll} {}", if std::env::var("H").is_ok() { hist.iter().enumerate().filter(|(_, c)| **c > 0).map(|(v, c)| format!("{}:{c}", if v == 0 { "D".into() } else { format!("{}", v - 1) })).collect::<Vec<_>>().join(" ") } else { String::new() });
            }
            mem.0.insert(s, table);
        }
    }
    println!("total {tc} cells {tt:.2}s {:.1}M/s", tc as f64 / tt / 1e6);
}
