/** Owns the form of a scaling policy as written, and the action that says it. Metric and enum names are GameLift's own. */
import type { Action, ScalingPolicyRow } from '$live/types';

export const metrics = [
  'ActivatingGameSessions', 'ActiveGameSessions', 'ActiveInstances', 'AvailableGameSessions', 'AvailablePlayerSessions',
  'ConcurrentActivatableGameSessions', 'CurrentPlayerSessions', 'IdleInstances', 'PercentAvailableGameSessions',
  'PercentIdleInstances', 'QueueDepth', 'WaitTime',
] as const; // prettier-ignore

export const comparisons = [
  ['GreaterThanThreshold', '>'],
  ['GreaterThanOrEqualToThreshold', '≥'],
  ['LessThanThreshold', '<'],
  ['LessThanOrEqualToThreshold', '≤'],
] as const;

export const adjustments = [
  ['ChangeInCapacity', 'change by instances'],
  ['PercentChangeInCapacity', 'change by percent'],
  ['ExactCapacity', 'set to instances'],
] as const;

export type PolicyDraft = {
  readonly name: string;
  readonly kind: 'targetBased' | 'ruleBased';
  readonly target: string;
  readonly metric: string;
  readonly comparison: string;
  readonly threshold: string;
  readonly minutes: string;
  readonly adjustment: string;
  readonly by: string;
};

/** A policy as it is now, or the beginning of a new one. What AWS does not show of a rule is left to be said. */
export function draftOf(row: ScalingPolicyRow | null): PolicyDraft {
  const rule = row?.definition?.ruleBased;
  return {
    name: row?.name ?? '',
    kind: row?.kind ?? 'targetBased',
    target: String(row?.targetValue ?? 20),
    metric: rule?.metricName ?? (row?.kind === 'ruleBased' ? row.metric : 'IdleInstances'),
    comparison: rule?.comparisonOperator ?? 'GreaterThanThreshold',
    threshold: String(rule?.threshold ?? ''),
    minutes: String(rule?.evaluationPeriods ?? 10),
    adjustment: rule?.scalingAdjustmentType ?? 'ChangeInCapacity',
    by: String(rule?.scalingAdjustment ?? ''),
  };
}

const number = (text: string): number | null =>
  /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
const whole = (text: string): number | null => (/^[+-]?\d{1,9}$/.test(text.trim()) ? Number(text) : null);

/** What the border could not even carry: numbers that are none. */
export function unreadable(draft: PolicyDraft): Record<string, string> {
  const found: Record<string, string> = {};
  if (draft.kind === 'targetBased') {
    if (number(draft.target) === null) found.targetValue = 'A percentage above 0, at most 100.';
    return found;
  }
  if (number(draft.threshold) === null) found.threshold = 'A number.';
  if (whole(draft.minutes) === null) found.evaluationPeriods = 'Whole minutes, at least 1.';
  if (whole(draft.by) === null) found.scalingAdjustment = 'A whole number, such as -1.';
  return found;
}

/** The action; null while a number in it is none. */
export function policyAction(
  fleet: { readonly region: string; readonly fleetId: string },
  draft: PolicyDraft,
): Action | null {
  if (Object.keys(unreadable(draft)).length > 0) return null;
  return {
    region: fleet.region,
    request: {
      operation: 'PutScalingPolicy',
      fleetId: fleet.fleetId,
      name: draft.name.trim(),
      rule:
        draft.kind === 'targetBased'
          ? { targetBased: { targetValue: number(draft.target) } }
          : {
              ruleBased: {
                metricName: draft.metric,
                comparisonOperator: draft.comparison,
                threshold: number(draft.threshold),
                evaluationPeriods: whole(draft.minutes) ?? 1,
                scalingAdjustmentType: draft.adjustment,
                scalingAdjustment: whole(draft.by) ?? 0,
              },
            },
    },
  };
}
