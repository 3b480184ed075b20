//! The series the screens show, drawn as PNG and SVG for reports.
