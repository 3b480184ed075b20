//! Builds and Realtime scripts.

use super::constraint::{BUILD, BUILD_STATUS, POSITIVE, SCRIPT, TOKEN};
use super::listing::{self, Asked};
use super::lookup::{self, names, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input};

input! {
    struct BuildsInput {
        status: Option<String> = optional("Status", BUILD_STATUS),
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct BuildInput {
        build: String = required("BuildId", BUILD),
    }

    struct ScriptsInput {
        limit: Option<i64> = optional("Limit", POSITIVE),
        token: Option<String> = optional("NextToken", TOKEN),
    }

    struct ScriptInput {
        script: String = required("ScriptId", SCRIPT),
    }
}

/// `ListBuilds`.
pub(super) fn list_builds(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: BuildsInput = lookup::read(call)?;
    let page = Asked::new(input.limit, &input.token).cut(
        call,
        call.world.builds(call.region),
        |build| &build.build_id,
        |build| input.status.as_deref().is_none_or(|asked| asked == build.status.as_str()),
    )?;
    listing::write(call, writer, "Builds", &page);
    Ok(())
}

/// `DescribeBuild`.
pub(super) fn describe_build(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: BuildInput = lookup::read(call)?;
    let mut builds = call.world.builds(call.region).iter();
    let build = builds.find(|build| names(&input.build, &build.build_id, &build.build_arn));
    let build = build.ok_or_else(|| not_found("Build", &input.build))?;
    in_place!({ "Build" => build }).write(writer);
    Ok(())
}

/// `ListScripts`.
pub(super) fn list_scripts(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ScriptsInput = lookup::read(call)?;
    let asked = Asked::new(input.limit, &input.token);
    let page = asked.cut(call, call.world.scripts(call.region), |script| &script.script_id, |_| true)?;
    listing::write(call, writer, "Scripts", &page);
    Ok(())
}

/// `DescribeScript`.
pub(super) fn describe_script(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ScriptInput = lookup::read(call)?;
    let mut scripts = call.world.scripts(call.region).iter();
    let script = scripts.find(|script| names(&input.script, &script.script_id, &script.script_arn));
    let script = script.ok_or_else(|| not_found("Script", &input.script))?;
    in_place!({ "Script" => script }).write(writer);
    Ok(())
}
