//! Checks the files generated from the list of commands: TypeScript, capabilities, and the table in COMMANDS.md.
//!
//! With `UPDATE_GENERATED=1` the test writes them instead (`cargo xtask generate`).

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use specta::datatype::{DataType, Field, Fields, NamedReferenceType, Primitive, Reference};
use specta::{Type, Types};
use specta_typescript::{Error, Exporter, FrameworkExporter, Typescript};

use crate::command::{COMMANDS, Command, Kind};
use crate::types::*;

/// The types of one command's arguments and answer.
struct Shape {
    arguments: Vec<DataType>,
    answer: DataType,
}

macro_rules! shapes {
    ($(
        $(#[doc = $about:literal])+
        $kind:ident $name:ident($($argument:ident: $type:ty),*) -> $answer:ty [$($subject:ident)*];
    )*) => {
        /// The shapes of all commands, in the order of the list.
        fn shapes(types: &mut Types) -> Vec<Shape> {
            vec![$(Shape {
                arguments: vec![$(<$type as Type>::definition(types)),*],
                answer: <$answer as Type>::definition(types),
            }),*]
        }
    };
}

crate::commands!(shapes);

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut all, word| {
        let (head, tail) = word.split_at(1);
        all.push_str(&head.to_uppercase());
        all.push_str(tail);
        all
    })
}

/// Writes the calls and their subjects, as functions over any transport.
fn calls(exporter: &FrameworkExporter<'_>, shapes: &[Shape]) -> Result<String, Error> {
    let mut out = String::from(
        "/** Sends one call to the core and returns its answer. */\n\
         export type Send = <T>(name: CommandName, args?: Record<string, unknown>) => Promise<T>;\n\n\
         /** Every command, over whatever carries it. */\n\
         export const createCalls = (send: Send) => ({\n",
    );
    for (command, shape) in COMMANDS.iter().zip(shapes) {
        let names: Vec<String> = command.arguments.iter().map(|(name, _)| camel_case(name)).collect();
        let mut parameters = Vec::new();
        for (name, data_type) in names.iter().zip(&shape.arguments) {
            parameters.push(format!("{name}: {}", exporter.reference(data_type)?));
        }
        let answer = exporter.reference(&shape.answer)?;
        let arguments =
            if names.is_empty() { String::new() } else { format!(", {{ {} }}", names.join(", ")) };
        let _ = writeln!(
            out,
            "\t/** {} */\n\t{}: ({}) => send<{answer}>(\"{}\"{arguments}),",
            command.about.trim(),
            camel_case(command.name),
            parameters.join(", "),
            command.name
        );
    }
    out.push_str("});\n\nexport type Calls = ReturnType<typeof createCalls>;\n\n");
    out.push_str("/** What each command does to the world. */\nexport const kinds = {\n");
    for command in COMMANDS {
        let _ = writeln!(out, "\t{}: \"{}\",", command.name, format!("{:?}", command.kind).to_lowercase());
    }
    out.push_str("} as const;\n\nexport type CommandName = keyof typeof kinds;\n\n");
    out.push_str("/** Subjects whose movement makes an answer old. */\nexport const subjects: Record<CommandName, readonly Subject[]> = {\n");
    for command in COMMANDS {
        let names: Vec<String> =
            command.subjects.iter().filter_map(|subject| serde_json::to_string(subject).ok()).collect();
        let _ = writeln!(out, "\t{}: [{}],", command.name, names.join(", "));
    }
    out.push_str("};\n");
    Ok(out)
}

/// Makes all numbers plain, because JavaScript has only one kind. specta rejects 64-bit integers and types floats as
/// nullable. That is right in general and wrong here: times and counts fit into 53 bits, and no answer carries a NaN
/// (gaps are null by their type).
fn numbers(of: &mut DataType) {
    match of {
        DataType::Primitive(kind @ (Primitive::i64 | Primitive::u64 | Primitive::usize | Primitive::f64)) => {
            *kind = Primitive::i32
        }
        DataType::List(list) => numbers(&mut list.ty),
        DataType::Map(map) => numbers(map.value_ty_mut()),
        DataType::Struct(fields) => numbers_of(&mut fields.fields),
        DataType::Enum(variants) => {
            variants.variants.iter_mut().for_each(|(_, variant)| numbers_of(&mut variant.fields));
        }
        DataType::Tuple(tuple) => tuple.elements.iter_mut().for_each(numbers),
        DataType::Nullable(inner) => numbers(inner),
        DataType::Intersection(parts) => parts.iter_mut().for_each(numbers),
        DataType::Reference(Reference::Named(named)) => match &mut named.inner {
            NamedReferenceType::Inline { dt, .. } => numbers(dt),
            NamedReferenceType::Reference { generics, .. } => {
                generics.iter_mut().for_each(|(_, argument)| numbers(argument));
            }
            NamedReferenceType::Recursive(_) => {}
        },
        DataType::Primitive(_) | DataType::Generic(_) | DataType::Reference(Reference::Opaque(_)) => {}
    }
}

fn numbers_of(fields: &mut Fields) {
    let types: Vec<&mut Field> = match fields {
        Fields::Unit => Vec::new(),
        Fields::Unnamed(fields) => fields.fields.iter_mut().collect(),
        Fields::Named(fields) => fields.fields.iter_mut().map(|(_, field)| field).collect(),
    };
    types.into_iter().filter_map(|field| field.ty.as_mut()).for_each(numbers);
}

fn typescript() -> String {
    let mut types = Types::default();
    let mut shapes = shapes(&mut types);
    let _ = (Changed::definition(&mut types), crate::AppError::definition(&mut types));
    types.iter_mut(|named| named.ty.iter_mut().for_each(numbers));
    for shape in &mut shapes {
        shape.arguments.iter_mut().chain([&mut shape.answer]).for_each(numbers);
    }
    let header = "// Made from src-tauri/crates/api by `cargo xtask generate`. Do not edit.\n";
    let exporter = Exporter::from(Typescript::default().header(header))
        .framework_prelude("")
        .framework_runtime(move |exporter| calls(&exporter, &shapes).map(Cow::Owned));
    exporter.export(&types, specta_serde::Format).unwrap()
}

fn permission(command: &Command) -> String {
    format!("allow-{}", command.name.replace('_', "-"))
}

/// A capability of the window: its description, and the permissions it grants besides the commands of its kind.
fn capability(name: &str, kind: Kind, about: &str, besides: &[&str]) -> String {
    let commands = COMMANDS.iter().filter(|command| command.kind == kind).map(permission);
    let granted: Vec<String> = besides.iter().map(|&more| more.to_owned()).chain(commands).collect();
    let file = serde_json::json!({
        "$schema": "../gen/schemas/desktop-schema.json",
        "identifier": name,
        "description": about,
        "windows": ["main"],
        "permissions": granted,
    });
    format!("{file:#}\n")
}

fn table() -> String {
    let mut out = String::from(
        "# Commands\n\nWhat any host may ask: window, browser, terminal and socket. Made by `cargo xtask generate` from \
         `crates/api/src/list.rs`; do not edit.\n\n- *read* asks, and changes nothing. *change* changes something at AWS or \
         decides over such a change; it goes through the guard. *file* answers with a file. *setting* changes what \
         Liftdeck itself keeps.\n- Every command refuses with an `AppError`.\n- An answer is old when one of its subjects \
         moves.\n\n| command | kind | arguments | answer | subjects | |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    // `stringify!` puts spaces around every token of a type.
    let dense = |of: &str| of.replace(' ', "");
    for command in COMMANDS {
        let arguments: Vec<String> =
            command.arguments.iter().map(|(name, of)| format!("`{name}: {}`", dense(of))).collect();
        let subjects: Vec<String> = command.subjects.iter().map(|subject| format!("{subject:?}")).collect();
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | `{}` | {} | {} |",
            command.name,
            format!("{:?}", command.kind).to_lowercase(),
            arguments.join(", "),
            dense(command.answer),
            subjects.join(", "),
            command.about.trim().replace('|', "\\|")
        );
    }
    out
}

fn files() -> Vec<(&'static str, String)> {
    vec![
        ("ui/src/host/bindings.gen.ts", typescript()),
        ("src-tauri/COMMANDS.md", table()),
        (
            "src-tauri/capabilities/reads.json",
            capability(
                "reads",
                Kind::Read,
                "Screens ask the local database, and GameLift about the one thing on screen; nothing here changes anything. \
                 The window hears what moved, and is drawn larger or smaller.",
                &[
                    "core:event:allow-listen",
                    "core:event:allow-unlisten",
                    "core:webview:allow-set-webview-zoom",
                    "core:window:allow-set-title",
                    "allow-place-take",
                    "allow-notification-trouble",
                ],
            ),
        ),
        (
            "src-tauri/capabilities/changes.json",
            capability(
                "changes",
                Kind::Change,
                "Changes go through the guard: unlocked for a while, previewed, confirmed, recorded. While the connection is \
                 read-only the guard refuses all of it.",
                &[],
            ),
        ),
        (
            "src-tauri/capabilities/files.json",
            capability(
                "files",
                Kind::File,
                "Files are read and written where the operator says in the system's own dialog.",
                &["allow-file-pick"],
            ),
        ),
        (
            "src-tauri/capabilities/settings.json",
            capability(
                "settings",
                Kind::Setting,
                "What Liftdeck itself keeps: settings, connections, presets, adopted event queues. Credentials never cross to \
                 the window.",
                &["allow-notification-test"],
            ),
        ),
    ]
}

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path)
}

#[test]
fn the_generated_files_are_those_the_list_makes() {
    let is_update = std::env::var_os("UPDATE_GENERATED").is_some();
    for (path, fresh) in files() {
        let file = in_repository(path);
        if is_update {
            std::fs::write(&file, fresh).unwrap();
            continue;
        }
        let present = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
        assert!(present == fresh, "{path} is stale: run `cargo xtask generate`");
    }
}
