/** Owns putting a fleet's scaling steps and its other changes into one list, newest first. */
import type { Change, FleetScaling, ScalingStep } from '$live/types';

export type StepRow = { readonly key: string; readonly atMs: number; readonly location: string } & (
  { readonly kind: 'step'; readonly step: ScalingStep } | { readonly kind: 'change'; readonly change: Change }
);

/** Steps and changes of one location, or of all when it is null. A change without a location concerns all. */
export function stepsOf(scaling: FleetScaling, location: string | null): StepRow[] {
  const steps = scaling.steps.map((step): StepRow => ({
    kind: 'step', key: step.key, atMs: step.atMs, location: step.location, step,
  })); // prettier-ignore
  const others = scaling.changes
    .filter((change) => change.kind !== 'scalingStep')
    .map((change): StepRow => ({
      kind: 'change', key: change.key, atMs: change.atMs, location: change.location ?? 'all', change,
    })); // prettier-ignore
  return [...steps, ...others]
    .filter((row) => !location || row.location === location || row.location === 'all')
    .sort((a, b) => b.atMs - a.atMs);
}
