//! A log writer whose output cannot control a terminal.
//!
//! Owns one rule: each write is one event and becomes one line.

use std::io::{self, Write};

use liftdeck_model::visible::visible;

/// Makes control and invisible characters visible in what it passes on.
pub(super) struct Plain<W>(pub(super) W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        self.write_all(event)?;
        Ok(event.len())
    }

    fn write_all(&mut self, event: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(event);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        self.0.write_all(format!("{}\n", visible(line)).as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_whatever_it_holds() {
        let mut out = Plain(Vec::new());
        out.write_all(b"WARN a\x1b[2J\nERROR forged\n").unwrap();
        assert_eq!(String::from_utf8(out.0).unwrap(), "WARN a\u{241b}[2J\u{240a}ERROR forged\n");
    }
}
