/** Owns the draft of a queue's changes: the action it makes, and what cannot be sent. */
import type { Action, QueueDetail } from '$live/types';

/** A destination; its game sessions are null while they are unknown. */
export type Destination = Omit<QueueDetail['destinations'][number], 'gameSessions'> & {
  readonly gameSessions: number | null;
};
/** Numbers as text; empty means not set. */
export type PolicyDraft = { readonly latencyMs: string; readonly seconds: string };
export type QueueDraft = {
  readonly timeout: string;
  readonly destinations: readonly Destination[];
  readonly policies: readonly PolicyDraft[];
  /** ARN of the notification target; empty for none. */
  readonly topic: string;
};

const field = (value: number | null): string => (value === null ? '' : String(value));

export const draftOf = (queue: QueueDetail): QueueDraft => ({
  timeout: field(queue.timeoutSeconds),
  destinations: queue.destinations,
  policies: queue.latencyPolicies.map((policy) => ({
    latencyMs: field(policy.maximumIndividualPlayerLatencyMs),
    seconds: field(policy.policyDurationSeconds),
  })),
  topic: queue.notificationTarget ?? '',
});

/** A copy with one entry moved; unchanged for a place outside the list. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  if (from < 0 || to < 0 || from >= list.length || to >= list.length) return list;
  const next = [...list];
  const [one] = next.splice(from, 1);
  next.splice(to, 0, one as T);
  return next;
}

/** A whole number of zero or more; null for an empty field, undefined for anything else. */
export function wholeNumber(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : undefined;
}

const notWhole = 'Enter a whole number.';

/** What is wrong with the fields, by name, before the program checks them. */
export function problemsOf(draft: QueueDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  const timeout = wholeNumber(draft.timeout);
  if (timeout === undefined) problems.timeoutSeconds = notWhole;
  else if (timeout === null) problems.timeoutSeconds = 'Enter a timeout of 10 to 600 seconds.';
  draft.policies.forEach((policy, index) => {
    const [latency, seconds] = [wholeNumber(policy.latencyMs), wholeNumber(policy.seconds)];
    const name = `playerLatencyPolicies[${index}]`;
    if (latency === undefined || seconds === undefined) problems[name] = notWhole;
    else if (latency === null) problems[name] = 'Enter a limit in milliseconds.';
  });
  return problems;
}

/** The action that updates the queue to the draft; null when nothing differs or the draft has problems. */
export function changeOf(queue: QueueDetail, draft: QueueDraft): Action | null {
  if (Object.keys(problemsOf(draft)).length > 0) return null;
  const timeout = wholeNumber(draft.timeout) ?? null;
  const arns = draft.destinations.map((one) => one.arn);
  const policies = draft.policies.map((policy) => ({
    maximumIndividualPlayerLatencyMs: wholeNumber(policy.latencyMs) ?? null,
    policyDurationSeconds: wholeNumber(policy.seconds) ?? null,
  }));
  const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
  const before = draftOf(queue);
  const keepTimeout = timeout === queue.timeoutSeconds;
  const keepDestinations = same(
    arns,
    before.destinations.map((one) => one.arn),
  );
  const keepPolicies = same(draft.policies, before.policies);
  const topic = draft.topic.trim();
  // GameLift documents no way to remove a target, so an empty field changes nothing.
  const keepTopic = topic === '' || topic === before.topic;
  if (keepTimeout && keepDestinations && keepPolicies && keepTopic) return null;
  return {
    region: queue.region,
    request: {
      operation: 'UpdateGameSessionQueue',
      name: queue.name,
      timeoutSeconds: keepTimeout ? null : timeout,
      destinations: keepDestinations ? null : arns,
      playerLatencyPolicies: keepPolicies ? null : policies,
      notificationTarget: keepTopic ? null : topic,
    },
  };
}

/** The ARN of an alias in the partition of another ARN; aliases carry no account (GameLift API reference, Alias). */
export function aliasArn(partitionOf: string | null, region: string, aliasId: string): string {
  const partition = partitionOf?.split(':')[1] ?? 'aws';
  return `arn:${partition}:gamelift:${region}::alias/${aliasId}`;
}
