/** Owns the words of fleets: kinds of compute, and what a fleet runs. */
import type { ComputeKind, FleetRow } from '$live/types';

export const computeWord: Record<ComputeKind, string> = {
  ec2OnDemand: 'EC2 on-demand',
  ec2Spot: 'EC2 Spot',
  container: 'Container',
  anywhere: 'Anywhere',
};

/** `EC2 Spot c6i.large`. */
export const fleetType = (row: FleetRow): string =>
  [computeWord[row.kind], row.instanceType].filter(Boolean).join(' ');
