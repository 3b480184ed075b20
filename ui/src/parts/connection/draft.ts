/** Owns a connection being edited: its fields, its problems, and the guess of its environment. */
import type { ConnectionDraft, ConnectionSummary, Environment, EventQueue } from '$live/types';

export const emptyDraft: ConnectionDraft = {
  name: '',
  environment: 'development',
  profile: null,
  endpointUrl: null,
  regions: [],
  eventQueues: [],
};

export const draftOf = (from: ConnectionSummary): ConnectionDraft => ({
  name: from.name,
  environment: from.environment,
  profile: from.profile,
  endpointUrl: from.endpointUrl,
  regions: from.regions,
  eventQueues: from.eventQueues,
});

/** A guess from the name; the operator decides. */
export function guessEnvironment(name: string): Environment {
  if (/prod|live/i.test(name)) return 'production';
  if (/stag|preprod|uat/i.test(name)) return 'staging';
  return 'development';
}

/** Why a draft cannot be saved, by field; empty when it can. */
export function draftProblems(draft: ConnectionDraft): Partial<Record<keyof ConnectionDraft, string>> {
  const problems: Partial<Record<keyof ConnectionDraft, string>> = {};
  if (!draft.name.trim()) problems.name = 'Enter a name.';
  if (draft.regions.length === 0) problems.regions = 'Select at least one Region.';
  if (draft.endpointUrl && !/^https?:\/\/[^\s/]+/.test(draft.endpointUrl)) {
    problems.endpointUrl = 'Start the URL with http:// or https://.';
  }
  if (draft.eventQueues.some((queue) => queue.url && !/^https?:\/\/\S+\/\S+/.test(queue.url))) {
    problems.eventQueues = 'A queue URL looks like https://sqs.eu-west-1.amazonaws.com/111122223333/name.';
  }
  return problems;
}

/** The Region in a queue URL; null if there is none. */
export function regionOfQueue(url: string): string | null {
  return /sqs\.([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(url)?.[1] ?? null;
}

/** One queue URL per line; the Region comes from the URL, or is the connection's first. */
export function queuesFromText(text: string, regions: readonly string[]): EventQueue[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((url) => ({ url, region: regionOfQueue(url) ?? regions[0] ?? '' }));
}
