//! The typeface, which is included so that reports look the same on a server without any fonts.

use std::sync::OnceLock;

use plotters::style::{FontStyle, register_font};

use crate::error::ChartError;

/// The family's name, also written into SVG files.
pub(crate) const FAMILY: &str = "Inter";

const REGULAR: &[u8] = include_bytes!("../fonts/Inter-Regular.ttf");
const SEMI_BOLD: &[u8] = include_bytes!("../fonts/Inter-SemiBold.ttf");

/// Registers the typeface with the drawing library, once.
pub(crate) fn register() -> Result<(), ChartError> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let done = DONE.get_or_init(|| {
        register_font(FAMILY, FontStyle::Normal, REGULAR).is_ok()
            && register_font(FAMILY, FontStyle::Bold, SEMI_BOLD).is_ok()
    });
    if *done { Ok(()) } else { Err(ChartError::Drawing("the typeface does not load".to_owned())) }
}
