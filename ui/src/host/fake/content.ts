/** Owns the invented builds and Realtime scripts, and the zip a person would pick. */
import type { BuildRow, ContentList, Freshness, Request, ScriptRow, ZipCheck } from '$host/bindings.gen';
import { changes } from './changes';
import { fleets } from './fleets';
import { anchorMs } from './load';
import { hex, uuid } from './random';

const day = 86_400_000;
const using = (id: string) =>
  fleets.filter((fleet) => fleet.buildId === id).map(({ id: fleetId, name }) => ({ fleetId, name }));

const spare: BuildRow = {
  buildId: `build-${uuid(131, 0)}`, name: 'arena-server', version: '1.40.2', region: 'eu-west-1', status: 'READY',
  operatingSystem: 'AMAZON_LINUX_2', sdkVersion: '5.1.2', sizeBytes: 402_114_560, createdMs: anchorMs - 96 * day, fleets: [],
}; // prettier-ignore
const broken: BuildRow = {
  ...spare, buildId: `build-${uuid(131, 1)}`, name: 'brawl-server', version: '0.10.1', region: 'ap-northeast-1',
  status: 'FAILED', sizeBytes: null, operatingSystem: 'AMAZON_LINUX_2023', sdkVersion: '5.4.0', createdMs: anchorMs - 2 * 36e5,
}; // prettier-ignore

const builds: BuildRow[] = fleets
  .filter((fleet) => fleet.build.startsWith('build'))
  .map((fleet) => ({
    buildId: fleet.buildId, name: `${fleet.name.split('-')[0]}-server`, version: fleet.build.replace('build ', ''),
    region: fleet.region, status: 'READY', operatingSystem: 'AMAZON_LINUX_2023', sdkVersion: '5.4.0',
    sizeBytes: 418_000_000 + fleet.seed * 3_177_211, createdMs: anchorMs - (4 + fleet.seed * 3) * day - 36e5,
    fleets: using(fleet.buildId),
  })); // prettier-ignore

let scripts: ScriptRow[] = fleets
  .filter((fleet) => fleet.realtime)
  .map((fleet) => ({
    scriptId: fleet.buildId, name: 'coop-script', version: 'v41', region: fleet.region, sizeBytes: 184_320,
    createdMs: anchorMs - 57 * 60_000, fleets: using(fleet.buildId), updatedMs: anchorMs - 57 * 60_000,
    sessionsBefore: 118, sessionsAfter: 342,
    history: changes({ fromMs: anchorMs - 30 * day, toMs: anchorMs }, fleet).filter((change) => change.kind === 'script'),
  })); // prettier-ignore

export const content = (freshness: Freshness): ContentList => ({
  builds: [...builds, spare, broken],
  scripts,
  freshness,
});

/** What a confirmed upload does to the scripts; anything else passes by. */
export function changeScript(request: Request, nowMs: number): void {
  if (request.operation !== 'UpdateScript') return;
  const { scriptId, name, version, zipFile } = request;
  scripts = scripts.map((row) =>
    row.scriptId === scriptId
      ? {
          ...row, name: name ?? row.name, version: version ?? row.version, sizeBytes: zipFile?.sizeBytes ?? row.sizeBytes,
          updatedMs: nowMs, sessionsBefore: row.sessionsBefore + row.sessionsAfter, sessionsAfter: 0,
        }
      : row,
  ); // prettier-ignore
}

/** A zip that is in order, or one without its main file. */
export const pickedZip = (sound: boolean): ZipCheck => ({
  file: sound ? { path: '/home/ops/coop-v42.zip', sizeBytes: 186_412, sha256: hex(132, 1, 64) } : null,
  entries: [
    { name: sound ? 'main.js' : 'coop/main.js', sizeBytes: 41_220 },
    { name: 'lib/matchState.js', sizeBytes: 128_030 },
    { name: 'lib/clock.js', sizeBytes: 6_114 },
  ],
  problems: sound ? [] : ['The fleet launches main.js, which is not at the root of the zip.'],
  entryFile: sound ? 'main.js' : null,
});
