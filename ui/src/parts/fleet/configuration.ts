/** Owns a fleet's configuration as names and values, in GameLift's terms. */
import type { Fact } from '$kit/fact';
import { full, type Zone } from '$lib/time';
import type { FleetDetail } from '$live/types';
import { computeWord } from './fleetWords';

export function configurationFacts(fleet: FleetDetail, zone: Zone): Fact[] {
  const { row } = fleet;
  const at = (ms: number | null) => (ms === null ? null : full(ms, zone));
  return [
    { name: 'Description', value: fleet.description },
    { name: 'Fleet id', value: row.fleetId, id: true },
    { name: 'Fleet ARN', value: row.arn, id: true },
    { name: 'Region', value: row.region },
    { name: 'Compute', value: [computeWord[row.kind], row.instanceType].filter(Boolean).join(', ') },
    { name: row.isRealtime ? 'Script' : 'Build', value: row.buildOrScript },
    { name: row.isRealtime ? 'Script id' : 'Build id', value: row.buildOrScriptId, id: true },
    ...(row.isRealtime ? [{ name: 'Script version', value: fleet.scriptVersion }] : []),
    { name: 'Operating system', value: fleet.operatingSystem },
    { name: 'Game session protection', value: fleet.protection },
    { name: 'Creator limit', value: fleet.creatorLimit },
    { name: 'Certificate', value: fleet.certificate },
    ...(fleet.certificateTerm === null
      ? []
      : [{ name: 'Certificate ends', value: at(fleet.certificateTerm.endsAt) }]),
    { name: 'Instance role', value: fleet.instanceRoleArn, id: true },
    { name: 'Metric groups', value: fleet.metricGroups.join(', ') },
    { name: 'Created', value: at(fleet.creationTime) },
    ...(fleet.terminationTime === null ? [] : [{ name: 'Terminated', value: at(fleet.terminationTime) }]),
  ];
}

export function processFacts(fleet: FleetDetail): Fact[] {
  const { maxConcurrentActivations, activationTimeoutSeconds } = fleet;
  return [
    {
      name: 'Concurrent activations',
      value: maxConcurrentActivations === null ? null : String(maxConcurrentActivations),
    },
    {
      name: 'Activation timeout',
      value: activationTimeoutSeconds === null ? null : `${activationTimeoutSeconds} s`,
    },
  ];
}
