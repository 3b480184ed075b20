//! The figures of a picture as CSV (RFC 4180).

use crate::error::ChartError;
use crate::picture::Picture;

/// Writes a time column and one column per line, plus two for its lowest and highest value if buckets are wide enough
/// to have them.
pub(crate) fn csv(picture: &Picture) -> Result<Vec<u8>, ChartError> {
    let failed = |error: csv::Error| ChartError::Drawing(error.to_string());
    let mut columns: Vec<(String, &[f64])> = Vec::new();
    for line in picture.lanes.iter().flat_map(|lane| &lane.lines) {
        columns.push((line.column.to_owned(), &line.figures.values));
        if let Some(band) = &line.figures.band {
            columns.push((format!("{}_lowest", line.column), &band.low));
            columns.push((format!("{}_highest", line.column), &band.high));
        }
    }
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let header = std::iter::once("time").chain(columns.iter().map(|(name, _)| name.as_str()));
    writer.write_record(header).map_err(failed)?;
    for (index, time) in picture.times.iter().enumerate() {
        let values = columns.iter().map(|(_, values)| match values.get(index) {
            Some(value) if !value.is_nan() => value.to_string(),
            _ => String::new(),
        });
        writer.write_record(std::iter::once(time.to_rfc3339()).chain(values)).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| ChartError::Drawing(error.to_string()))
}
