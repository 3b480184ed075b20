/** Owns the words of fleets: kinds of compute, and what a fleet runs. */
import type { ComputeKind, FleetRow } from '$live/types';

export const computeWord: Record<ComputeKind, string> = {
  ec2OnDemand: 'On-demand',
  ec2Spot: 'Spot',
  container: 'Container',
  anywhere: 'Anywhere',
};

/** Why a fleet has the shape and colour it has. */
export function stateWord(row: FleetRow): string {
  if (row.state === 'warning') return 'little room: few of its game sessions are free';
  if (row.state === 'bad' && row.status !== 'ERROR')
    return 'at its maximum in a location, with no process free';
  return row.status;
}

/** `Spot c6i.large`. */
export const fleetType = (row: FleetRow): string =>
  [computeWord[row.kind], row.instanceType].filter(Boolean).join(' ');
