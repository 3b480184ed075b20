//! The names of what game sessions and placements are compared by.

use liftdeck_store::reader::session::difference::Dimension;

/// A dimension in a word; a game property by its own key.
pub(crate) fn dimension(dimension: &Dimension) -> String {
    match dimension {
        Dimension::Build => "build",
        Dimension::Script => "script",
        Dimension::Fleet => "fleet",
        Dimension::Location => "location",
        Dimension::InstanceType => "instance type",
        Dimension::Property(key) => key,
        Dimension::Queue => "queue",
        Dimension::Region => "Region",
        Dimension::Size => "player slots",
        Dimension::Compute => "compute",
    }
    .to_owned()
}
