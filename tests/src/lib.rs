//! The harness of the stories and of the window tests.
//!
//! Owns starting and ending of the program, of virtual displays and of WebDriver sessions. Deliberately uses the
//! program as a user does, through its command line and its window, never through its crates.

pub mod display;
pub mod program;
pub mod webdriver;
pub mod window;
