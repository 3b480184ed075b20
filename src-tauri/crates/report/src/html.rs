//! One HTML page: no script, nothing loaded, charts inside, light and dark by the reader's system, fit to be printed.

use liftdeck_charts::{Format, Theme, draw_incident};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::ReportError;
use crate::story::{CHANGED_BEFORE, Story, Table};

const STYLE: &str = include_str!("page.css");
/// Nothing may be loaded, whatever a text of the world contains.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

pub(crate) fn page(story: &Story) -> Result<String, ReportError> {
    let charts = if story.incident.lanes.is_empty() {
        None
    } else {
        Some((chart(story, Theme::Light)?, chart(story, Theme::Dark)?))
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (story.title()) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (story.title()) }
                    @if let Some(detail) = story.detail() { p.detail { (detail) } }
                    dl.facts {
                        @for (name, value) in story.facts() { div { dt { (name) } dd { (value) } } }
                    }
                    @if let Some((light, dark)) = charts {
                        section aria-label="Charts" {
                            div.light { (PreEscaped(light)) }
                            div.dark { (PreEscaped(dark)) }
                        }
                    }
                    (causes(story))
                    (offered(story))
                    section {
                        h2 { "Who is hit" }
                        ul { @for line in story.who() { li { (line) } } }
                    }
                    @for one in story.tables() { section { (table(&one)) } }
                    footer { "Times are UTC. Written by Liftdeck." }
                }
            }
        }
    };
    Ok(page.into_string())
}

fn chart(story: &Story, theme: Theme) -> Result<String, ReportError> {
    let drawn = draw_incident(&story.incident, Format::Svg, theme)?;
    let svg = String::from_utf8(drawn).map_err(|error| ReportError::Writing(error.to_string()))?;
    // The size follows the page; the picture keeps its own proportions.
    let svg = svg.replacen(
        "<svg width=\"1200\" height=\"760\"",
        "<svg role=\"img\" aria-label=\"Charts of the incident\"",
        1,
    );
    Ok(svg)
}

fn causes(story: &Story) -> Markup {
    let (causes, changed, ruled_out) = (story.causes(), story.changed_before(), story.ruled_out());
    html! {
        section {
            h2 { "Likely causes" }
            @if causes.is_empty() { p { (story.incident.unexplained) } }
            @for cause in &causes {
                h3 { (cause.heading) }
                p { (cause.text) }
                ul { @for fact in &cause.facts { li { (fact) } } }
            }
            @if !changed.is_empty() {
                h3 { (CHANGED_BEFORE) }
                ul { @for line in &changed { li { (line) } } }
            }
            @if !ruled_out.is_empty() {
                h3 { "Ruled out" }
                ul { @for fact in &ruled_out { li { (fact) } } }
            }
        }
    }
}

fn offered(story: &Story) -> Markup {
    html! {
        @if let Some((text, facts, commands)) = story.offered() {
            section {
                h2 { (facts.title) }
                p { (text) }
                @if !facts.rows.is_empty() { (body(&facts)) }
                @for command in &commands { pre { code { (command) } } }
            }
        }
    }
}

fn table(one: &Table) -> Markup {
    html! {
        h2 { (one.title) }
        (body(one))
        @if let Some(note) = &one.note { p.note { (note) } }
    }
}

fn body(one: &Table) -> Markup {
    html! {
        div.wide {
            table {
                thead { tr { @for title in &one.head { th scope="col" { (title) } } } }
                tbody { @for row in &one.rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}
