//! The figures of a picture as CSV (RFC 4180).

use crate::error::ChartError;
use crate::picture::Picture;

pub(crate) fn csv(picture: &Picture) -> Result<Vec<u8>, ChartError> {
    let failed = |error: csv::Error| ChartError::Drawing(error.to_string());
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let lines: Vec<_> = picture.lanes.iter().flat_map(|lane| &lane.lines).collect();
    let header = std::iter::once("time").chain(lines.iter().map(|line| line.column));
    writer.write_record(header).map_err(failed)?;
    for (index, time) in picture.times.iter().enumerate() {
        let values = lines.iter().map(|line| match line.values.get(index) {
            Some(value) if !value.is_nan() => value.to_string(),
            _ => String::new(),
        });
        writer.write_record(std::iter::once(time.to_rfc3339()).chain(values)).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| ChartError::Drawing(error.to_string()))
}
