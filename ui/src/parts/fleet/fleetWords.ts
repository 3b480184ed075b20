/** Owns the words of fleets: kinds of compute, and what a fleet runs. */
import type { ComputeKind, FleetRow } from '$live/types';

export const computeWord: Record<ComputeKind, string> = {
  ec2OnDemand: 'On-demand',
  ec2Spot: 'Spot',
  container: 'Container',
  anywhere: 'Anywhere',
};

/** `Spot c6i.large`. */
export const fleetType = (row: FleetRow): string =>
  [computeWord[row.kind], row.instanceType].filter(Boolean).join(' ');
