/** Owns merging a fleet's scaling steps and other changes into one list, newest first. */
import type { Change, FleetScaling, ScalingStep } from '$live/types';

export type StepRow = { readonly key: string; readonly at: number; readonly location: string } & (
  { readonly kind: 'step'; readonly step: ScalingStep } | { readonly kind: 'change'; readonly change: Change }
);

/** Steps and changes of one location, or of all when it is null. A change without a location applies to all. */
export function stepsOf(scaling: FleetScaling, location: string | null): StepRow[] {
  const steps = scaling.steps.map((step): StepRow => ({
    kind: 'step', key: step.key, at: step.at, location: step.location, step,
  })); // prettier-ignore
  const others = scaling.changes
    .filter((change) => change.kind !== 'scalingStep')
    .map((change): StepRow => ({
      kind: 'change', key: change.key, at: change.at, location: change.location ?? 'all', change,
    })); // prettier-ignore
  return [...steps, ...others]
    .filter((row) => !location || row.location === location || row.location === 'all')
    .sort((a, b) => b.at - a.at);
}
