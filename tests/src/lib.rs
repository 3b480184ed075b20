//! The harness for the stories and the window tests.
//!
//! Owns starting and stopping the program, virtual displays and WebDriver sessions, and the common form of the
//! harness's steps. Deliberately uses the program as a user does, through its command line and its window, and never
//! through its crates. Only steps that try thousands of cells in one process use the crates directly.

pub mod browser;
pub mod desktop;
pub mod display;
pub mod fork;
pub mod gamelift;
pub mod post;
pub mod program;
pub mod receiver;
pub mod sqs;
pub mod trial;
pub mod webdriver;
pub mod window;
