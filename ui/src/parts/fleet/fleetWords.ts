/** Owns the wording of fleets: compute types, states and sums. */
import { count, sumOf, type Sum } from '$lib/numbers';
import { counted } from '$lib/text';
import type { CertificateTerm, ComputeKind, FleetRow } from '$live/types';

export const computeWord: Record<ComputeKind, string> = {
  ec2_on_demand: 'On-demand',
  ec2_spot: 'Spot',
  container: 'Container',
  anywhere: 'Anywhere',
};

/** The reason for the state of a fleet's dot. */
export function stateWord(row: FleetRow): string {
  if (row.state === 'warning') return 'low capacity: few game sessions available';
  if (row.state === 'bad' && row.status !== 'ERROR') return 'no free process';
  if (row.state === 'unknown') return 'no fresh figures';
  return row.status;
}

/** `Spot c6i.large`. */
export const fleetType = (row: FleetRow): string =>
  [computeWord[row.kind], row.instanceType].filter(Boolean).join(' ');

/** `30 instances`, `30 instances (2 fleets unknown)`, `instances unknown`. */
function sumText({ known, unknown }: Sum, one: string): string {
  if (known === null) return `${one}s unknown`;
  const there = `${count(known)} ${known === 1 ? one : `${one}s`}`;
  return unknown === 0 ? there : `${there} (${counted(unknown, 'fleet')} unknown)`;
}

/** The sums over fleets. Those that are gone have no figures, and those of one’s own hardware no instances. */
export function fleetSums(rows: readonly FleetRow[]): string[] {
  const there = rows.filter((row) => row.state !== 'off');
  const managed = there.filter((row) => row.kind !== 'anywhere');
  return [
    sumText(sumOf(managed.map((row) => row.active)), 'active instance'),
    sumText(sumOf(there.map((row) => row.gameSessions)), 'session'),
    sumText(sumOf(there.map((row) => row.playerSessions)), 'player'),
  ];
}

/** `certificate ends in 24 days`; days that have not passed in full do not count. */
export function certificateTag(term: CertificateTerm, nowMs: number): string {
  if (term.state === 'ended') return 'certificate ended';
  const days = Math.floor((term.endsAt - nowMs) / 86_400_000);
  return days < 1 ? 'certificate ends today' : `certificate ends in ${counted(days, 'day')}`;
}
