//! What is shown as a sign, what stays as it is, and what can be typed for it.

use proptest::prelude::*;

use super::*;

#[test]
fn escape_sequences_are_signs() {
    assert_eq!(visible("a\u{1b}[2J\u{7}b\r\u{8}\u{7f}\u{9b}31m"), "a␛[2J␇b␍␈␡⟨U+009B⟩31m");
}

#[test]
fn text_that_would_turn_round_or_hide_is_signs() {
    assert_eq!(visible("ab\u{202e}dc\u{2066}\u{200f}"), "ab⟨U+202E⟩dc⟨U+2066⟩⟨U+200F⟩");
    assert_eq!(visible("pay\u{200b}pal\u{feff}\u{2060}"), "pay⟨U+200B⟩pal⟨U+FEFF⟩⟨U+2060⟩");
    assert_eq!(visible("a\u{e0041}b"), "a⟨U+E0041⟩b");
    assert_eq!(visible("a\u{2028}b\u{1d173}"), "a⟨U+2028⟩b⟨U+1D173⟩");
}

#[test]
fn names_in_any_script_and_emoji_stay_as_they_are() {
    for name in [
        "שלום",
        "مرحبا 12",
        "می\u{200c}خواهم",
        "क\u{94d}\u{200d}ष",
        "日本",
        "é",
        "👩\u{200d}🚀",
        "❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
    ] {
        assert_eq!(visible(name), name, "{name:?}");
    }
}

#[test]
fn a_joiner_between_letters_that_do_not_join_hides() {
    assert_eq!(visible("ad\u{200d}min"), "ad⟨U+200D⟩min");
    assert_eq!(visible("a\u{fe0f}"), "a⟨U+FE0F⟩");
    assert_eq!(visible("👩\u{200d}"), "👩⟨U+200D⟩");
}

#[test]
fn line_feeds_stay_only_where_there_are_lines() {
    assert_eq!(visible("a\nb\tc"), "a␊b␉c");
    assert_eq!(visible_lines("a\nb\u{1b}"), "a\nb␛");
}

#[test]
fn what_a_spreadsheet_takes_for_a_formula_is_known_behind_blanks_and_quotes() {
    for text in
        ["=1", "+1", "-1", "@a", " =1", "\u{a0}=1", "\"=1\"", "'=1", "\t1", "\r1", "＝1", "＠a", "\u{200b}=1"]
    {
        assert!(is_formula(text), "{text:?}");
    }
    for text in ["", "a=1", "1-2", "fleet-1", "arn:aws:x", "#1"] {
        assert!(!is_formula(text), "{text:?}");
    }
}

#[test]
fn a_file_name_leads_to_no_folder() {
    assert_eq!(file_name("../../etc/passwd"), "-..-etc-passwd");
    assert_eq!(file_name("a\u{202e}gpj.exe"), "a⟨U+202E⟩gpj.exe");
    assert_eq!(file_name(" .. "), "file");
    assert!(file_name(&"ü".repeat(500)).len() <= 200);
}

#[test]
fn what_is_to_be_typed_has_a_key_for_every_letter() {
    assert_eq!(phrase("Simulator · launch-day"), "Simulator launch-day");
    assert_eq!(phrase("  live\u{200b}  EU\u{202e} "), "live EU");
    assert_eq!(phrase("Zürich"), "Zurich");
    assert_eq!(phrase("\u{202e}\u{200b}·"), "confirm");
    assert!(phrase("本番").is_ascii() && phrase("本番") != "confirm");
}

#[test]
fn the_name_itself_is_as_good_as_what_is_shown_of_it() {
    assert!(is_typed(" Simulator launch-day ", "Simulator · launch-day"));
    assert!(is_typed("Simulator · launch-day", "Simulator · launch-day"));
    for wrong in ["", " ", "simulator launch-day", "Simulator", "\u{200b}"] {
        assert!(!is_typed(wrong, "Simulator · launch-day"), "{wrong:?}");
    }
    assert!(!is_typed("", "·"), "nothing typed confirms nothing");
}

proptest! {
    #[test]
    fn nothing_that_steers_is_left_and_showing_twice_changes_nothing(text in any::<String>()) {
        let shown = visible(&text).into_owned();
        prop_assert!(!shown.chars().any(|letter| is_in(letter, &UNSEEN)));
        prop_assert_eq!(visible(&shown), shown.as_str());
    }

    #[test]
    fn json_keeps_its_values(text in any::<String>()) {
        let json = serde_json::to_string_pretty(&[&text]).unwrap();
        let shown = visible_json(&json).into_owned();
        prop_assert!(!shown.chars().any(|letter| letter != '\n' && is_unseen(letter)));
        prop_assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), vec![text]);
    }

    #[test]
    fn what_has_to_be_typed_is_ascii_and_accepted(name in any::<String>()) {
        let wanted = phrase(&name);
        prop_assert!(wanted.chars().all(|letter| (' '..='~').contains(&letter)));
        prop_assert!(is_typed(&wanted, &name));
    }
}
