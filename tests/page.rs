//! The page that `analyse --html` writes, opened in headless Chromium and stepped through by keys.
//! Where no Chromium is installed, only the page's text is looked at.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const GAME: &str = include_str!("data/games/columns-223.txt");

/// The page of a game that is analysed quickly.
fn page(folder: &Path, game: &str) -> String {
    let (record, page) = (folder.join("game.txt"), folder.join("page.html"));
    fs::write(&record, game).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_millrace"));
    command.arg("analyse").arg(&record).args(["--depth", "3", "--html"]).arg(&page);
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(&page).expect("a page")
}

/// A browser of the Chromium family on the path.
fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let candidates = folders.iter().flat_map(|folder| names.map(|name| folder.join(name)));
    candidates.into_iter().find(|path| path.is_file())
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = page(folder.path(), GAME);
    for foreign in ["http:", "https:", " src=", "@import", "url(", "fetch(", "{{"] {
        let found = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!found.contains(foreign), "{foreign}");
    }
    for part in
        ["<html lang=\"en\">", "name=\"viewport\"", "prefers-color-scheme: dark", "aria-live"]
    {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn names_cannot_break_out_of_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let evil = "</script><script>alert(1)</script>{{SCRIPT}}\\\"'&";
    let text = page(folder.path(), &format!("[White \"{evil}\"]\n[Event \"{evil}\"]\n1. d6 f4 *"));
    assert!(!text.contains("<script>alert"), "{text}");
    assert_eq!(text.matches("</script>").count(), 2);
    assert!(text.contains("&lt;script&gt;alert(1)"), "{text}");
}

/// Catches everything that goes wrong, before the page's own script runs.
const WATCH: &str = "<script>window.faults = [];
window.onerror = (message) => { window.faults.push(String(message)); };
console.error = (...words) => { window.faults.push(words.join(' ')); };</script>";

/// Steps through the game and writes what is seen into the page.
const STEPS: &str = "<script>
const seen = { starts: [], steps: [] };
const state = () => ({
  now: document.getElementById('now').textContent,
  board: document.getElementById('board').getAttribute('aria-label'),
  stones: document.querySelectorAll('#stones circle').length,
  marks: document.querySelectorAll('#marks *').length,
  slider: document.getElementById('slider').value,
  current: document.querySelectorAll('#turns [aria-current]').length,
});
const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
seen.opened = state();
press('Home');
seen.first = state();
for (let n = 0; n < 30; n += 1) { press('ArrowRight'); seen.steps.push(state()); }
press('ArrowRight');
seen.last = state();
press('ArrowLeft');
seen.back = state();
document.querySelectorAll('#turns button')[4].click();
seen.clicked = state();
document.getElementById('decisive').click();
seen.decisive = state();
const slider = document.getElementById('slider');
slider.value = 7;
slider.dispatchEvent(new Event('input'));
seen.slid = state();
seen.wide = document.documentElement.scrollWidth > window.innerWidth;
seen.faults = window.faults;
const probe = document.createElement('pre');
probe.id = 'probe';
probe.textContent = encodeURIComponent(JSON.stringify(seen));
document.body.append(probe);
</script>";

/// Undoes the browser's percent encoding.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex = |rest: &mut std::str::Bytes| {
            let pair = [rest.next().expect("a digit"), rest.next().expect("a digit")];
            u8::from_str_radix(std::str::from_utf8(&pair).expect("digits"), 16).expect("a byte")
        };
        bytes.push(if byte == b'%' { hex(&mut rest) } else { byte });
    }
    String::from_utf8(bytes).expect("text")
}

#[test]
fn the_page_is_stepped_through_in_a_browser() {
    let Some(browser) = chromium() else {
        eprintln!("skipped: there is no Chromium on the path");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let text = page(folder.path(), GAME);
    let watched = text.replacen("<title>", &format!("{WATCH}<title>"), 1);
    let driven = watched.replacen("</body>", &format!("{STEPS}</body>"), 1);
    let driven_page = folder.path().join("driven.html");
    fs::write(&driven_page, driven).expect("a file");
    for width in ["360", "1280"] {
        let mut command = Command::new(&browser);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]);
        command.arg(format!("--user-data-dir={}", folder.path().join(width).display()));
        command.arg(format!("--window-size={width},800")).arg("--dump-dom").arg(&driven_page);
        let output = command.output().expect("the browser starts");
        let dom = String::from_utf8_lossy(&output.stdout);
        let probe = dom.split("<pre id=\"probe\">").nth(1).and_then(|t| t.split('<').next());
        let probe = probe.unwrap_or_else(|| panic!("the script has not run to its end: {dom}"));
        check(&serde_json::from_str(&decoded(probe)).expect("JSON"));
    }
}

fn check(seen: &serde_json::Value) {
    assert_eq!(seen["faults"], serde_json::json!([]));
    assert_eq!(seen["wide"], false, "the page scrolls sideways");
    assert_eq!(seen["opened"], seen["decisive"]);
    assert_eq!(seen["first"]["stones"], 0);
    assert_eq!(
        seen["first"]["board"],
        "White: no stone and 9 in hand. Black: no stone and 9 in hand. White to move."
    );
    assert!(seen["first"]["now"].as_str().expect("text").starts_with("1. b4"), "{seen:#}");
    let steps = seen["steps"].as_array().expect("steps");
    let first_stones: Vec<_> = steps[..6].iter().map(|step| step["stones"].as_u64()).collect();
    assert_eq!(first_stones, [1, 2, 3, 4, 5, 6].map(Some));
    assert!(
        steps[..29].iter().all(|step| step["marks"].as_u64() >= Some(1) && step["current"] == 1)
    );
    assert!(steps[28]["now"].as_str().expect("text").starts_with("15... e4-e5xc4"), "{seen:#}");
    assert_eq!(seen["last"]["now"], "The end: 0-1, White is blocked");
    assert_eq!((&seen["last"]["slider"], &seen["last"]["marks"]), (&"30".into(), &0.into()));
    assert_eq!(seen["last"], steps[29]);
    assert_eq!(seen["back"], steps[28]);
    assert_eq!(seen["clicked"], steps[3]);
    assert_eq!(seen["slid"], steps[6]);
}
