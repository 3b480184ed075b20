//! Markdown, made from events rather than from text, so that the writer escapes what a text of the world contains.

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Tag};
use pulldown_cmark_to_cmark::cmark;

use crate::ReportError;
use crate::story::{CHANGED_BEFORE, Story, Table};

/// The events of a document.
#[derive(Default)]
struct Page<'a>(Vec<Event<'a>>);

impl<'a> Page<'a> {
    fn within(&mut self, tag: Tag<'a>, fill: impl FnOnce(&mut Self)) {
        let end = tag.to_end();
        self.0.push(Event::Start(tag));
        fill(self);
        self.0.push(Event::End(end));
    }

    fn text(&mut self, text: String) {
        // An address of the web would become a link by itself in many readers; nothing here is one.
        self.0.push(Event::Text(CowStr::from(text)));
    }

    fn heading(&mut self, level: HeadingLevel, text: String) {
        let tag = Tag::Heading { level, id: None, classes: Vec::new(), attrs: Vec::new() };
        self.within(tag, |page| page.text(text));
    }

    fn paragraph(&mut self, text: String) {
        self.within(Tag::Paragraph, |page| page.text(text));
    }

    fn list(&mut self, lines: Vec<String>) {
        if lines.is_empty() {
            return;
        }
        self.within(Tag::List(None), |page| {
            for line in lines {
                page.within(Tag::Item, |page| page.text(line));
            }
        });
    }

    fn table(&mut self, table: Table) {
        if table.rows.is_empty() {
            return;
        }
        self.within(Tag::Table(vec![Alignment::None; table.head.len()]), |page| {
            page.within(Tag::TableHead, |page| {
                for title in table.head {
                    page.within(Tag::TableCell, |page| page.text(title.to_owned()));
                }
            });
            for row in table.rows {
                page.within(Tag::TableRow, |page| {
                    for cell in row {
                        page.within(Tag::TableCell, |page| page.text(cell));
                    }
                });
            }
        });
    }

    fn code(&mut self, text: String) {
        self.within(Tag::CodeBlock(CodeBlockKind::Fenced(CowStr::from("sh"))), |page| page.text(text));
    }
}

pub(crate) fn text(story: &Story) -> Result<String, ReportError> {
    let mut page = Page::default();
    page.heading(HeadingLevel::H1, story.title());
    if let Some(detail) = story.detail() {
        page.paragraph(detail);
    }
    let facts = story.facts().into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    page.table(Table { title: String::new(), head: vec!["Fact", "Value"], rows: facts, note: None });
    page.heading(HeadingLevel::H2, "Likely causes".to_owned());
    let causes = story.causes();
    if causes.is_empty() {
        page.paragraph(story.incident.unexplained.clone());
    }
    for cause in causes {
        page.heading(HeadingLevel::H3, cause.heading);
        page.paragraph(cause.text);
        page.list(cause.facts);
    }
    for (title, lines) in [(CHANGED_BEFORE, story.changed_before()), ("Ruled out", story.ruled_out())] {
        if !lines.is_empty() {
            page.heading(HeadingLevel::H3, title.to_owned());
            page.list(lines);
        }
    }
    if let Some((text, facts, commands)) = story.offered() {
        page.heading(HeadingLevel::H2, facts.title.clone());
        page.paragraph(text);
        page.table(facts);
        for command in commands {
            page.code(command);
        }
    }
    page.heading(HeadingLevel::H2, "Who is hit".to_owned());
    page.list(story.who());
    for table in story.tables() {
        page.heading(HeadingLevel::H2, table.title.clone());
        let note = table.note.clone();
        page.table(table);
        if let Some(note) = note {
            page.paragraph(note);
        }
    }
    page.paragraph("Times are UTC. Written by Liftdeck.".to_owned());
    let mut written = String::new();
    cmark(page.0.iter(), &mut written, Options::ENABLE_TABLES)
        .map_err(|error| ReportError::Writing(error.to_string()))?;
    written.push('\n');
    Ok(written)
}
