//! Draws a picture on a canvas: layout, lines and text, and the bytes of the file.

mod lane;
mod words;

use std::io::Cursor;
use std::path::Path;

use liftdeck_model::Timestamp;
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, Polygon, Rectangle, TriangleMarker};
use plotters::style::{Color as _, ShapeStyle};
use strum::{EnumString, VariantNames};

use self::words::{Place, Weight, Words};
use crate::axis::time_ticks;
use crate::error::ChartError;
use crate::font;
use crate::picture::{MarkLane, Picture};
use crate::theme::{Ink, Theme};
use liftdeck_model::Severity;

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// Pixels, at twice the screen's resolution.
    Png,
    /// Vectors and text.
    Svg,
}

impl Format {
    /// The kind of file that its name implies; `None` if it is not a picture's.
    pub fn of_file(path: &Path) -> Option<Self> {
        path.extension()?.to_ascii_lowercase().to_str()?.parse().ok()
    }
}

/// Size in points.
const WIDTH: i32 = 1_200;
const HEIGHT: i32 = 760;
/// Pixels per point in a PNG.
const FINE: i32 = 2;
const MARGIN: i32 = 28;
const HEAD: i32 = 64;
const LEGEND: i32 = 190;
const GAP: i32 = 18;
const FOOT: i32 = 28;
const MARKS: i32 = 84;
/// Space at the left for the numbers of the scales.
const SCALE: i32 = 44;

/// The result of a drawing step.
type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Draws a picture.
pub(crate) fn paint(picture: &Picture, format: Format, theme: Theme) -> Result<Vec<u8>, ChartError> {
    font::register()?;
    let failed = |error: String| ChartError::Drawing(error);
    match format {
        Format::Svg => {
            let mut text = String::new();
            {
                let size = (WIDTH.unsigned_abs(), HEIGHT.unsigned_abs());
                let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
                Canvas { area: &area, theme, fine: 1 }
                    .picture(picture)
                    .map_err(|error| failed(error.to_string()))?;
                area.present().map_err(|error| failed(error.to_string()))?;
            }
            Ok(text.into_bytes())
        }
        Format::Png => {
            let size = ((WIDTH * FINE).unsigned_abs(), (HEIGHT * FINE).unsigned_abs());
            let mut pixels = vec![0_u8; size.0 as usize * size.1 as usize * 3];
            {
                let area = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
                Canvas { area: &area, theme, fine: FINE }
                    .picture(picture)
                    .map_err(|error| failed(error.to_string()))?;
                area.present().map_err(|error| failed(error.to_string()))?;
            }
            encode(&pixels, size).map_err(|error| failed(error.to_string()))
        }
    }
}

fn encode(pixels: &[u8], size: (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Cursor::new(Vec::new());
    let mut encoder = png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Declares twice the pixels per point, so that a viewer shows the image at the size of its layout.
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: 7_559, yppu: 7_559, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file.into_inner())
}

/// A canvas of one format, measured in points.
pub(super) struct Canvas<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    theme: Theme,
    fine: i32,
}

/// A rectangle in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl<B: DrawingBackend> Canvas<'_, B> {
    fn picture(&self, picture: &Picture) -> Drawn<B> {
        self.area.fill(&self.theme.color(Ink::Surface))?;
        self.write(&picture.title, (MARGIN, 20), Words::new(20, Ink::Text).weight(Weight::SemiBold))?;
        self.write(&picture.legend(), (MARGIN, 46), Words::new(12, Ink::Muted))?;
        self.write("Liftdeck", (WIDTH - MARGIN, 24), Words::new(12, Ink::Faint).place(Place::End))?;
        let marks = picture.marks.as_ref().map_or(0, |_| MARKS);
        let (left, right) = (MARGIN + SCALE, WIDTH - MARGIN - LEGEND - GAP);
        let height = HEIGHT - HEAD - FOOT - marks - MARGIN / 2;
        let weights: f64 = picture.lanes.iter().map(|lane| lane.weight).sum();
        let mut top = HEAD + 12;
        let plot = Frame { left, right, top, bottom: top + height - 12 };
        let whole = Frame { bottom: plot.bottom + marks, ..plot };
        self.shade(picture, whole)?;
        self.time_lines(picture, whole)?;
        for lane in &picture.lanes {
            let bottom = top + (f64::from(plot.bottom - plot.top) * lane.weight / weights) as i32;
            let frame = Frame { left, right, top, bottom };
            self.lane(picture, lane, frame)?;
            top = bottom;
        }
        if let Some(marks) = &picture.marks {
            self.marks(picture, marks, Frame { top, bottom: top + MARKS, ..plot })?;
        }
        self.time_labels(picture, whole)
    }

    /// The horizontal position of a time within a frame, in points.
    fn x(&self, picture: &Picture, frame: Frame, at: Timestamp) -> f64 {
        let share = at.since_ms(picture.range.from) as f64 / picture.range.length_ms().max(1) as f64;
        f64::from(frame.left) + share.clamp(0.0, 1.0) * f64::from(frame.right - frame.left)
    }

    /// Converts a point to the canvas's own pixels.
    fn pixel(&self, x: f64, y: f64) -> (i32, i32) {
        ((x * f64::from(self.fine)).round() as i32, (y * f64::from(self.fine)).round() as i32)
    }

    fn stroke(&self, ink: Ink, width: f64) -> ShapeStyle {
        let width = (width * f64::from(self.fine)).round().max(1.0) as u32;
        self.theme.color(ink).stroke_width(width)
    }

    fn shade(&self, picture: &Picture, frame: Frame) -> Drawn<B> {
        for range in &picture.shaded {
            let from = self.pixel(self.x(picture, frame, range.from), f64::from(frame.top));
            let to = self.pixel(self.x(picture, frame, range.to), f64::from(frame.bottom));
            self.area.draw(&Rectangle::new([from, to], self.theme.color(Ink::Bad).mix(0.10).filled()))?;
        }
        Ok(())
    }

    fn time_lines(&self, picture: &Picture, frame: Frame) -> Drawn<B> {
        for (tick, _) in time_ticks(picture.range, 8) {
            let x = self.x(picture, frame, tick);
            let mut y = f64::from(frame.top);
            while y < f64::from(frame.bottom) {
                let dash = vec![self.pixel(x, y), self.pixel(x, (y + 2.0).min(f64::from(frame.bottom)))];
                self.line(dash, self.stroke(Ink::Line, 1.0))?;
                y += 6.0;
            }
        }
        Ok(())
    }

    fn time_labels(&self, picture: &Picture, frame: Frame) -> Drawn<B> {
        for (tick, label) in time_ticks(picture.range, 8) {
            let x = self.x(picture, frame, tick) as i32;
            self.write(&label, (x, frame.bottom + 8), Words::new(11, Ink::Faint).place(Place::Middle))?;
        }
        Ok(())
    }

    fn marks(&self, picture: &Picture, lane: &MarkLane, frame: Frame) -> Drawn<B> {
        let y = f64::from(frame.top) + 22.0;
        self.rule(MARGIN, WIDTH - MARGIN, frame.top, Ink::LineStrong)?;
        // The most severe marks are drawn last, so that nothing hides them.
        let mut marks = lane.marks.clone();
        marks.sort_by_key(|mark| mark.severity);
        for mark in &marks {
            let at = self.pixel(self.x(picture, frame, mark.at), y);
            let style = self.theme.color(mark.ink).filled();
            let size = 4 * self.fine;
            match mark.severity {
                Severity::Info => self.area.draw(&Circle::new(at, size, style))?,
                Severity::Warning => self.area.draw(&TriangleMarker::new(at, size + self.fine, style))?,
                Severity::Bad => {
                    let corners = [(at.0 - size, at.1 - size), (at.0 + size, at.1 + size)];
                    self.area.draw(&Rectangle::new(corners, style))?;
                }
            }
        }
        let rows =
            lane.legend.iter().map(|(ink, label, count)| (*ink, (*label).to_owned(), count.to_string()));
        self.legend(lane.title, rows.collect(), frame)
    }

    fn rule(&self, left: i32, right: i32, y: i32, ink: Ink) -> Drawn<B> {
        let ends =
            vec![self.pixel(f64::from(left), f64::from(y)), self.pixel(f64::from(right), f64::from(y))];
        self.line(ends, self.stroke(ink, 1.0))
    }

    /// Draws the title and rows at the right of a lane, each row with its colour, label and value.
    fn legend(&self, title: &str, rows: Vec<(Ink, String, String)>, frame: Frame) -> Drawn<B> {
        let (left, right) = (frame.right + GAP, WIDTH - MARGIN);
        let mut y = frame.top + 10;
        self.write(title, (left, y), Words::new(12, Ink::Text).weight(Weight::SemiBold))?;
        for (ink, label, value) in rows {
            y += 17;
            if y + 12 > frame.bottom {
                break;
            }
            let corners = [
                self.pixel(f64::from(left), f64::from(y) + 3.0),
                self.pixel(f64::from(left) + 12.0, f64::from(y) + 6.0),
            ];
            self.area.draw(&Rectangle::new(corners, self.theme.color(ink).filled()))?;
            self.write(&label, (left + 18, y), Words::new(11, Ink::Muted))?;
            self.write(&value, (right, y), Words::new(11, Ink::Text).place(Place::End))?;
        }
        Ok(())
    }

    fn polygon(&self, points: Vec<(i32, i32)>, ink: Ink, share: f64) -> Drawn<B> {
        self.area.draw(&Polygon::new(points, self.theme.color(ink).mix(share).filled()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_file_says_what_it_is() {
        assert_eq!(Format::of_file(Path::new("a/b.PNG")), Some(Format::Png));
        assert_eq!(Format::of_file(Path::new("b.svg")), Some(Format::Svg));
        assert_eq!(Format::of_file(Path::new("b.jpg")).or(Format::of_file(Path::new("png"))), None);
    }
}
