//! The harness of the stories and of the window tests.
//!
//! Owns starting and ending of the program, of virtual displays and of WebDriver sessions, and the form of the harness'
//! steps. Deliberately uses the program as a user does, through its command line and its window, never through its crates;
//! only the steps that try thousands of cells in one process go to the crates themselves.

pub mod browser;
pub mod display;
pub mod post;
pub mod program;
pub mod sqs;
pub mod trial;
pub mod webdriver;
pub mod window;
