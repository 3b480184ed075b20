//! Colours, the same as on the screen (`ui/src/kit/tokens.css`).

use plotters::style::RGBColor;
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, VariantNames};

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, VariantNames, Type)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum Theme {
    /// Dark text on white.
    Light,
    /// Light text on near black.
    Dark,
}

/// The purpose of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ink {
    Surface,
    Line,
    LineStrong,
    Text,
    Muted,
    Faint,
    Good,
    Warn,
    Bad,
    Series1,
    Series2,
    Series3,
    Series4,
    Series5,
}

impl Theme {
    pub(crate) const fn color(self, ink: Ink) -> RGBColor {
        let (dark, light) = match ink {
            Ink::Surface => (0x0012_161e, 0x00ff_ffff),
            Ink::Line => (0x0025_2d3a, 0x00e1_e5eb),
            Ink::LineStrong => (0x0036_4152, 0x00c6_cdd8),
            Ink::Text => (0x00e8_ebf0, 0x0018_202b),
            Ink::Muted => (0x00a3_adbb, 0x0052_5d6e),
            Ink::Faint => (0x007d_8898, 0x0066_7184),
            Ink::Good => (0x0043_c08f, 0x000f_7a52),
            Ink::Warn => (0x00e6_ad45, 0x008a_5a00),
            Ink::Bad => (0x00ff_6f87, 0x00c0_2445),
            Ink::Series1 => (0x006a_a5ff, 0x001b_5fce),
            Ink::Series2 => (0x00f0_a355, 0x00b8_620e),
            Ink::Series3 => (0x003f_c9bd, 0x000b_8378),
            Ink::Series4 => (0x00b3_9bff, 0x006a_45d6),
            Ink::Series5 => (0x00ee_86b5, 0x00b8_3779),
        };
        let value: u32 = match self {
            Self::Dark => dark,
            Self::Light => light,
        };
        let [_, red, green, blue] = value.to_be_bytes();
        RGBColor(red, green, blue)
    }
}
