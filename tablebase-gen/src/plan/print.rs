//! A plan as text: for people, for scripts, and for two workflow engines.

use super::{Estimate, Plan, dependencies, estimate::UnitCost};
use crate::{
    file::{CellKind, file_name},
    sector::Unit,
};
use serde_json::json;
use std::fmt::Write;

/// The form of a printed plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PlanFormat {
    /// A table for people.
    Text,
    /// One JSON object.
    Json,
    /// A makefile for GNU make 4.3 or later.
    Make,
    /// A Snakefile.
    Snakemake,
}

/// Writes a plan in a form. `out` is the folder that make and Snakemake are to use.
pub fn print(
    plan: &Plan,
    estimate: &Estimate,
    kind: CellKind,
    out: &str,
    format: PlanFormat,
) -> String {
    let printer = Printer { plan, estimate, kind, out };
    match format {
        PlanFormat::Text => printer.text(),
        PlanFormat::Json => printer.json(),
        PlanFormat::Make => printer.make(),
        PlanFormat::Snakemake => printer.snakemake(),
    }
}

struct Printer<'a> {
    plan: &'a Plan,
    estimate: &'a Estimate,
    kind: CellKind,
    out: &'a str,
}

impl Printer<'_> {
    fn text(&self) -> String {
        let mut text = format!(
            "{:<12} {:>15} {:>15} {:>12} {:>8} {:>9} {:>9}  needs\n",
            "unit", "positions", "up to symmetry", "least memory", "fast MB", "disk MB", "seconds"
        );
        let seconds =
            |work| self.estimate.seconds(work).map_or("?".to_string(), |s| format!("{s:.1}"));
        let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
        for cost in &self.estimate.units {
            let needs: Vec<String> = self.needs(cost.unit).map(|u| u.to_string()).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{:<12} {:>15} {:>15} {:>12} {:>8} {:>9} {:>9}  {}",
                cost.unit,
                cost.placements,
                cost.classes,
                megabytes(cost.memory),
                megabytes(cost.memory_wanted),
                megabytes(cost.disk),
                seconds(cost.work),
                needs.join(" ")
            );
        }
        let sum = |field: fn(&UnitCost) -> u64| self.estimate.units.iter().map(field).sum::<u64>();
        let _ = writeln!(
            text,
            "{:<12} {:>15} {:>15} {:>12} {:>8} {:>9} {:>9}",
            format!("all {}", self.estimate.units.len()),
            sum(|u| u.placements),
            sum(|u| u.classes),
            megabytes(self.estimate.memory()),
            megabytes(self.estimate.memory_wanted()),
            megabytes(self.estimate.disk()),
            seconds(self.estimate.work()),
        );
        text
    }

    fn json(&self) -> String {
        let unit = |cost: &UnitCost| {
            json!({
                "unit": cost.unit.to_string(),
                "sectors": cost.unit.sectors().map(|s| s.to_string()).collect::<Vec<_>>(),
                "files": self.files(cost.unit),
                "depends_on": self.needs(cost.unit).map(|u| u.to_string()).collect::<Vec<_>>(),
                "positions": cost.classes,
                "raw_positions": cost.placements,
                "cells": cost.cells,
                "memory_bytes": cost.memory,
                "fast_memory_bytes": cost.memory_wanted,
                "disk_bytes": cost.disk,
                "seconds": self.estimate.seconds(cost.work),
            })
        };
        let plan = json!({
            "rules": self.plan.rules.canonical(),
            "fingerprint": format!("{:016x}", self.plan.rules.fingerprint()),
            "units": self.estimate.units.iter().map(unit).collect::<Vec<_>>(),
            "cells": self.estimate.cells(),
            "memory_bytes": self.estimate.memory(),
            "fast_memory_bytes": self.estimate.memory_wanted(),
            "disk_bytes": self.estimate.disk(),
            "seconds": self.estimate.seconds(self.estimate.work()),
        });
        format!("{plan:#}\n")
    }

    fn make(&self) -> String {
        let targets = |unit| self.files(unit).iter().fold(String::new(), |t, f| t + " $(OUT)/" + f);
        let mut text = format!(
            "# The units of {}. Needs GNU make 4.3. Each unit uses all processors itself.\n\
             TABLEBASE_GEN ?= tablebase-gen\nOUT ?= {}\n\n.PHONY: all\nall:",
            self.plan.rules, self.out
        );
        for unit in &self.plan.units {
            text += &targets(*unit);
        }
        text.push('\n');
        for unit in &self.plan.units {
            let needs = self.needs(*unit).fold(String::new(), |all, u| all + &targets(u));
            let _ = write!(
                text,
                "\n{} &:{needs}\n\t$(TABLEBASE_GEN) {} --deps $(OUT) --out $(OUT)\n",
                targets(*unit).trim_start(),
                self.command(*unit)
            );
        }
        text
    }

    fn snakemake(&self) -> String {
        let list = |files: Vec<String>| {
            let quoted: Vec<_> = files.iter().map(|f| format!("{:?}", self.path(f))).collect();
            quoted.join(", ")
        };
        let all: Vec<String> = self.plan.units.iter().flat_map(|u| self.files(*u)).collect();
        let mut text =
            format!("# The units of {}.\nrule all:\n    input: {}\n", self.plan.rules, list(all));
        for cost in &self.estimate.units {
            let inputs: Vec<String> = self.needs(cost.unit).flat_map(|u| self.files(u)).collect();
            let name = cost.unit.to_string().replace(['-', '+'], "_");
            let _ = write!(text, "\nrule unit_{name}:\n");
            if !inputs.is_empty() {
                let _ = writeln!(text, "    input: {}", list(inputs));
            }
            // Beside its own memory a unit may keep the tables that it reads.
            let memory = cost.memory.div_ceil(1_000_000) + 64;
            let _ = write!(
                text,
                "    output: {}\n    threads: workflow.cores\n    resources: mem_mb={memory}\n    \
                 shell: \"tablebase-gen {} --deps {out} --out {out} --threads {{threads}} \
                 --memory {{resources.mem_mb}}\"\n",
                list(self.files(cost.unit)),
                self.command(cost.unit),
                out = self.out,
            );
        }
        text
    }

    fn needs(&self, unit: Unit) -> impl Iterator<Item = Unit> {
        dependencies(&self.plan.rules, unit).into_iter()
    }

    fn files(&self, unit: Unit) -> Vec<String> {
        unit.sectors().map(|s| file_name(&self.plan.rules, s, self.kind)).collect()
    }

    fn path(&self, file: &str) -> String {
        format!("{}/{file}", self.out)
    }

    fn command(&self, unit: Unit) -> String {
        let wdl = if self.kind == CellKind::Wdl { " --wdl-only" } else { "" };
        format!("solve --rules '{}' --unit {unit}{wdl}", self.plan.rules)
    }
}
