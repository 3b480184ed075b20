/** Owns the draft of a scaling policy and the action it makes. Metric and enum names are GameLift's own. */
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

/** The draft of an existing policy or of a new one. Parts of a rule that AWS does not return stay empty. */
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

/** Fields that do not hold a number and so cannot be sent. */
export function unreadable(draft: PolicyDraft): Record<string, string> {
  const found: Record<string, string> = {};
  if (draft.kind === 'targetBased') {
    if (number(draft.target) === null) found.targetValue = 'Enter a percentage above 0, up to 100.';
    return found;
  }
  if (number(draft.threshold) === null) found.threshold = 'Enter a number.';
  if (whole(draft.minutes) === null) found.evaluationPeriods = 'Enter whole minutes, at least 1.';
  if (whole(draft.by) === null) found.scalingAdjustment = 'Enter a whole number, such as -1.';
  return found;
}

/** The action; null while a field does not hold a number. */
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
          ? { targetBased: { targetValue: number(draft.target) ?? 0 } }
          : {
              ruleBased: {
                metricName: draft.metric,
                comparisonOperator: draft.comparison,
                threshold: number(draft.threshold) ?? 0,
                evaluationPeriods: whole(draft.minutes) ?? 1,
                scalingAdjustmentType: draft.adjustment,
                scalingAdjustment: whole(draft.by) ?? 0,
              },
            },
    },
  };
}
