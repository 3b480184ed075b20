//! Draws one lane: its scale, its lines and its legend.

use plotters::backend::DrawingBackend;
use plotters::element::PathElement;
use plotters::style::ShapeStyle;

use super::words::{Place, Words};
use super::{Canvas, Drawn, Frame, MARGIN, WIDTH};
use crate::axis::{number, value_ticks};
use crate::picture::{Lane, Line, Picture, Stroke, top};
use crate::theme::Ink;

impl<B: DrawingBackend> Canvas<'_, B> {
    pub(super) fn lane(&self, picture: &Picture, lane: &Lane, frame: Frame) -> Drawn<B> {
        let (scale, ticks) = value_ticks(top(lane));
        let inner = Frame { top: frame.top + 6, ..frame };
        let y = |value: f64| {
            f64::from(inner.bottom) - (value / scale).clamp(0.0, 1.0) * f64::from(inner.bottom - inner.top)
        };
        self.rule(MARGIN, WIDTH - MARGIN, frame.top, Ink::LineStrong)?;
        for tick in &ticks {
            self.rule(frame.left, frame.right, y(*tick) as i32, Ink::Line)?;
        }
        for band in lane.lines.iter().filter_map(|line| line.figures.usual.as_ref()) {
            let edge = |run: &[(usize, f64)]| -> Vec<(i32, i32)> {
                let at = |index: usize| picture.usual_times.get(index).copied().unwrap_or(picture.range.to);
                run.iter()
                    .map(|(index, value)| self.pixel(self.x(picture, inner, at(*index)), y(*value)))
                    .collect()
            };
            for (low, high) in runs(&band.low).iter().zip(runs(&band.high)) {
                let mut points = edge(&high);
                points.extend(edge(low).into_iter().rev());
                self.polygon(points, Ink::Faint, 0.18)?;
            }
        }
        for line in lane.lines.iter().filter(|line| line.filled) {
            for run in runs(&line.figures.values) {
                let mut points = self.corners(picture, inner, &run, line.stroke, &y);
                let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else {
                    continue;
                };
                let ground = self.pixel(0.0, f64::from(inner.bottom)).1;
                points.extend([(last.0, ground), (first.0, ground)]);
                self.polygon(points, line.ink, 0.14)?;
            }
        }
        for (line, band) in lane.lines.iter().filter_map(|line| Some((line, line.band()?))) {
            // Drawn as wide as the bucket, so that a spike in one bucket does not taper to a hairline.
            let edge = |run: &[(usize, f64)]| self.corners(picture, inner, run, Stroke::Step, &y);
            for (low, high) in runs(&band.low).iter().zip(runs(&band.high)) {
                let mut points = edge(&high);
                points.extend(edge(low).into_iter().rev());
                self.polygon(points, line.ink, 0.4)?;
            }
        }
        for line in &lane.lines {
            for run in runs(&line.figures.values) {
                let points = self.corners(picture, inner, &run, line.stroke, &y);
                match line.stroke {
                    Stroke::Dashed => self.dashes(&points, self.stroke(line.ink, 1.25))?,
                    _ => self.line(points, self.stroke(line.ink, 1.75))?,
                }
            }
        }
        for tick in &ticks {
            let label = format!("{}{}", number(*tick), lane.unit);
            let at = (frame.left - 8, y(*tick) as i32 - 6);
            self.write(&label, at, Words::new(11, Ink::Faint).place(Place::End))?;
        }
        let value = |line: &Line| {
            if let Some(figure) = &line.figure {
                return figure.clone();
            }
            line.newest().map_or_else(|| "–".to_owned(), |value| format!("{}{}", number(value), lane.unit))
        };
        let rows = lane.lines.iter().map(|line| (line.ink, line.label.to_string(), value(line)));
        self.legend(&lane.title, rows.collect(), frame)
    }

    /// Converts a run of values to corners in pixels.
    fn corners(
        &self,
        picture: &Picture,
        frame: Frame,
        run: &[(usize, f64)],
        stroke: Stroke,
        y: &dyn Fn(f64) -> f64,
    ) -> Vec<(i32, i32)> {
        let mut corners: Vec<(i32, i32)> = Vec::with_capacity(run.len() * 2);
        for (index, value) in run {
            let Some(time) = picture.times.get(*index) else { continue };
            let (from, to) = (*time, time.plus_ms(picture.bucket_ms));
            let height = y(*value);
            if stroke == Stroke::Plain {
                let middle = from.plus_ms(picture.bucket_ms / 2);
                corners.push(self.pixel(self.x(picture, frame, middle), height));
            } else {
                corners.push(self.pixel(self.x(picture, frame, from), height));
                corners.push(self.pixel(self.x(picture, frame, to), height));
            }
        }
        // Corners on one straight line are merged, because the steps of a level run would otherwise show seams.
        let mut kept: Vec<(i32, i32)> = Vec::with_capacity(corners.len());
        for corner in corners {
            let level = matches!(kept.as_slice(), [.., one, two] if one.1 == two.1 && two.1 == corner.1);
            if level {
                kept.pop();
            }
            kept.push(corner);
        }
        kept
    }

    pub(super) fn line(&self, points: Vec<(i32, i32)>, style: ShapeStyle) -> Drawn<B> {
        self.area.draw(&PathElement::new(points, style))
    }

    fn dashes(&self, points: &[(i32, i32)], style: ShapeStyle) -> Drawn<B> {
        let (dash, gap) = (f64::from(5 * self.fine), f64::from(4 * self.fine));
        let mut walked = 0.0_f64;
        for pair in points.windows(2) {
            let [from, to] = pair else { continue };
            let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
            let length = dx.hypot(dy);
            let at = |along: f64| {
                let share = if length > 0.0 { along / length } else { 0.0 };
                (
                    (f64::from(from.0) + dx * share).round() as i32,
                    (f64::from(from.1) + dy * share).round() as i32,
                )
            };
            let mut along = 0.0;
            while along < length {
                let phase = (walked + along) % (dash + gap);
                let end = (along + if phase < dash { dash - phase } else { dash + gap - phase }).min(length);
                if phase < dash {
                    self.line(vec![at(along), at(end)], style)?;
                }
                along = end.max(along + 0.5);
            }
            walked += length;
        }
        Ok(())
    }
}

/// Runs of values without a gap, as pairs of bucket and value.
fn runs(values: &[f64]) -> Vec<Vec<(usize, f64)>> {
    let mut runs: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut open = false;
    for (index, value) in values.iter().enumerate() {
        if value.is_nan() {
            open = false;
            continue;
        }
        match runs.last_mut().filter(|_| open) {
            Some(run) => run.push((index, *value)),
            None => runs.push(vec![(index, *value)]),
        }
        open = true;
    }
    runs
}
