//! Checks the documents against the source tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the crates and folders in the code map's table.
fn rooms() -> Vec<String> {
    let map = read("src-tauri/ARCHITECTURE.md");
    let rows = map.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split_once('`')).map(|(room, _)| room.to_owned()).collect()
}

fn files(folder: &Path, endings: &[&str], into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["node_modules", "target", "dist", "gen", ".git"].contains(&name.as_str()) {
                files(&path, endings, into);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            into.push(path);
        }
    }
}

#[test]
fn the_code_map_names_every_crate_and_only_what_exists() {
    let rooms = rooms();
    assert!(rooms.len() > 5, "the code map's table was not found");
    for room in &rooms {
        assert!(root().join(room).is_dir(), "ARCHITECTURE.md names {room}, which does not exist");
    }
    for entry in fs::read_dir(root().join("src-tauri/crates")).unwrap().flatten() {
        let room = format!("src-tauri/crates/{}", entry.file_name().to_string_lossy());
        assert!(rooms.contains(&room), "ARCHITECTURE.md does not name {room}");
    }
}

#[test]
fn the_architecture_fits_in_two_hundred_lines() {
    assert!(read("src-tauri/ARCHITECTURE.md").lines().count() <= 200);
}

#[test]
fn the_top_level_holds_what_was_agreed() {
    let agreed = [
        "Cargo.toml",
        "Cargo.lock",
        "src-tauri",
        "ui",
        "tests",
        "icons",
        "README.md",
        "CHANGELOG.md",
        "target",
    ];
    for entry in fs::read_dir(root()).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let known = agreed.contains(&name.as_str()) || name.starts_with('.') || name.starts_with("LICENSE");
        assert!(known, "{name} has no place at the top level");
    }
}

#[test]
fn every_rust_file_opens_with_what_it_owns() {
    let mut sources = Vec::new();
    files(&root().join("src-tauri"), &[".rs"], &mut sources);
    files(&root().join("tests"), &[".rs"], &mut sources);
    assert!(sources.len() > 50, "only {} files were found", sources.len());
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        assert!(text.starts_with("//"), "{} does not say what it owns", source.display());
    }
}

#[test]
fn no_file_has_outgrown_a_head() {
    let mut sources = Vec::new();
    files(&root(), &[".rs", ".svelte", ".ts"], &mut sources);
    for source in sources.into_iter().filter(|path| !path.to_string_lossy().ends_with(".gen.ts")) {
        let lines = fs::read_to_string(&source).unwrap().lines().count();
        let limit = if source.extension().is_some_and(|ending| ending == "rs") { 700 } else { 450 };
        assert!(lines <= limit, "{} has {lines} lines", source.display());
    }
}

#[test]
fn the_policy_in_the_readme_allows_what_the_gateway_asks_and_no_more() {
    let mut sources = Vec::new();
    files(&root().join("src-tauri/crates/gateway/src"), &[".rs"], &mut sources);
    // The table of published rates names operations that are never called.
    sources.retain(|source| !source.ends_with("rate.rs"));
    let gateway: String = sources.iter().map(|source| fs::read_to_string(source).unwrap()).collect();
    let readme = read("README.md");
    let policy = readme.split("```json").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let is_action =
        |word: &&str| ["gamelift:", "cloudwatch:", "sqs:"].iter().any(|service| word.starts_with(service));
    let allowed: Vec<&str> = policy.split('"').filter(is_action).collect();
    assert!(allowed.len() > 20, "the policy was not found");
    for action in &allowed {
        let operation = action.split(':').nth(1).unwrap();
        assert!(gateway.contains(operation), "the policy allows {action}, which nothing asks");
        let reads = ["Describe", "List", "Get", "Search", "Receive"];
        assert!(
            reads.iter().any(|read| operation.starts_with(read))
                || ["sqs:DeleteMessage", "sqs:ChangeMessageVisibility"].contains(action),
            "{action}"
        );
    }
    // Operations appear as string literals where they are sent.
    for operation in
        gateway.split('"').filter(|word| word.starts_with("Describe") || word.starts_with("List"))
    {
        if operation.chars().all(char::is_alphanumeric) && operation.len() > 8 {
            let asked = allowed.iter().any(|action| action.ends_with(&format!(":{operation}")));
            assert!(asked, "the gateway asks {operation}, which the policy does not allow");
        }
    }
}

#[test]
fn the_operators_policy_in_the_readme_is_the_list_of_changes() {
    let source = read("src-tauri/crates/gateway/src/operator.rs");
    let quoted = |text: &str| -> Vec<String> {
        let words = text.split('"').filter(|word| word.starts_with("gamelift:"));
        words.map(str::to_owned).collect()
    };
    let list = source.split("OPERATOR_ACTIONS").nth(1).and_then(|rest| rest.split("];").next()).unwrap();
    let readme = read("README.md");
    let policy = readme.split("```json").nth(2).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(quoted(policy), quoted(list));
    assert!(quoted(list).len() > 20, "the list was not found");
}

#[test]
fn the_policy_for_telling_in_the_readme_allows_publishing_on_one_topic_and_nothing_else() {
    let readme = read("README.md");
    let policy = readme.split("```json").nth(3).and_then(|rest| rest.split("```").next()).unwrap();
    let policy: serde_json::Value = serde_json::from_str(policy).unwrap();
    let statements = policy["Statement"].as_array().unwrap();
    assert_eq!((statements.len(), &statements[0]["Action"]), (1, &"sns:Publish".into()));
    let topic = statements[0]["Resource"].as_str().unwrap();
    assert!(topic.starts_with("arn:aws:sns:") && !topic.contains('*'), "{topic}");
    assert!(read("src-tauri/crates/gateway/src/topic.rs").contains("\"Publish\""), "it is what is asked");
}

#[test]
fn only_the_guard_gives_and_takes_leave_to_change_things() {
    let mut sources = Vec::new();
    files(&root().join("src-tauri"), &[".rs"], &mut sources);
    let mut seen = 0;
    for source in sources {
        let path = source.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        let allowed = ["src-tauri/crates/operations/", "src-tauri/crates/gateway/"];
        let text = fs::read_to_string(&source).unwrap();
        for name in
            ["Grant::issue", "gateway.operator(", "liftdeck_gateway::Operator", "clippy::disallowed_methods"]
        {
            if text.contains(name) {
                seen += 1;
                assert!(allowed.iter().any(|room| path.starts_with(room)), "{path} names {name}");
            }
        }
    }
    assert!(seen > 0, "nothing was found at all");
}

#[test]
fn the_program_without_the_window_is_built_of_neither_a_web_view_nor_the_simulator() {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--locked", "--package", "liftdeck", "--no-default-features", "--prefix", "none"]);
    let tree =
        tree.args(["--edges", "normal,build", "--format", "{p}"]).current_dir(root()).output().unwrap();
    let text = String::from_utf8_lossy(&tree.stdout);
    assert!(
        tree.status.success() && text.contains("liftdeck-store"),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let kept_out = ["tauri", "wry", "tao", "gtk", "gdk", "glib", "webkit2gtk", "rfd", "liftdeck-simulator"];
    for line in text.lines() {
        let package = line.split(' ').next().unwrap_or_default();
        assert!(!kept_out.iter().any(|name| package == *name || package == format!("{name}-sys")), "{line}");
    }
}

#[test]
fn only_the_host_imports_tauri() {
    let mut sources = Vec::new();
    files(&root().join("ui/src"), &[".ts", ".svelte"], &mut sources);
    for source in sources.into_iter().filter(|path| !path.to_string_lossy().contains("/src/host/")) {
        let text = fs::read_to_string(&source).unwrap();
        assert!(!text.contains("@tauri-apps/"), "{} imports Tauri", source.display());
    }
}

#[test]
fn a_link_leads_to_every_screen_of_the_window_and_nowhere_else() {
    let routes = read("ui/src/app/routes.ts");
    let mut screens: Vec<&str> =
        routes.lines().filter_map(|line| line.strip_prefix("    key: '")?.strip_suffix("',")).collect();
    let mut linked = liftdeck_model::link::SCREENS.to_vec();
    screens.sort_unstable();
    linked.sort_unstable();
    assert_eq!(screens, linked);
}
