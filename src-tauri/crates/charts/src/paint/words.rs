//! Text on the canvas.

use liftdeck_model::visible::visible;
use plotters::backend::DrawingBackend;
use plotters::element::Text;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontStyle, IntoFont as _, TextStyle};

use super::{Canvas, Drawn};
use crate::font::FAMILY;
use crate::theme::Ink;

/// The part of a text that is placed at the given point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    Middle,
    End,
}

/// The weight of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    SemiBold,
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    size: i32,
    ink: Ink,
    place: Place,
    weight: Weight,
}

impl Words {
    pub(super) const fn new(size: i32, ink: Ink) -> Self {
        Self { size, ink, place: Place::Start, weight: Weight::Regular }
    }

    pub(super) const fn place(self, place: Place) -> Self {
        Self { place, ..self }
    }

    pub(super) const fn weight(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }
}

impl<B: DrawingBackend> Canvas<'_, B> {
    /// Writes a text with its top at `at`, in points. Characters that SVG does not allow, or that would reverse the
    /// direction of the text, are shown as visible symbols.
    pub(super) fn write(&self, text: &str, at: (i32, i32), words: Words) -> Drawn<B> {
        let style = match words.weight {
            Weight::Regular => FontStyle::Normal,
            Weight::SemiBold => FontStyle::Bold,
        };
        let across = match words.place {
            Place::Start => HPos::Left,
            Place::Middle => HPos::Center,
            Place::End => HPos::Right,
        };
        let font = (FAMILY, words.size * self.fine, style).into_font();
        let color = self.theme.color(words.ink).to_rgba();
        let style = TextStyle::from(font).color(&color).pos(Pos::new(across, VPos::Top));
        let at = self.pixel(f64::from(at.0), f64::from(at.1));
        self.area.draw(&Text::new(visible(text).into_owned(), at, style))
    }
}
