/** Owns the wording of fleets: compute types and states. */
import type { ComputeKind, FleetRow } from '$live/types';

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
