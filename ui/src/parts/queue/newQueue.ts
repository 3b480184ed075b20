/** Owns the draft of a new queue: the action it makes, and what cannot be sent. */
import type { Action } from '$live/types';
import { wholeNumber, type Destination } from './queueDraft';

export type NewQueue = {
  readonly region: string;
  readonly name: string;
  readonly destinations: readonly Destination[];
  /** Seconds as text; empty lets AWS choose. */
  readonly timeout: string;
  readonly topic: string;
  readonly eventData: string;
};

export const emptyQueue: NewQueue = {
  region: '',
  name: '',
  destinations: [],
  timeout: '',
  topic: '',
  eventData: '',
};

/** What is wrong with the fields, by name, before the program checks them. */
export const newProblems = (draft: NewQueue): Record<string, string> =>
  wholeNumber(draft.timeout) === undefined ? { timeoutSeconds: 'Enter a whole number.' } : {};

/** The action that creates the queue; null while it has no name, no Region or a field that is no number. */
export function createOf(draft: NewQueue): Action | null {
  const timeout = wholeNumber(draft.timeout);
  if (draft.name === '' || draft.region === '' || timeout === undefined) return null;
  return {
    region: draft.region,
    request: {
      operation: 'CreateGameSessionQueue',
      name: draft.name,
      timeoutSeconds: timeout,
      destinations: draft.destinations.map((one) => one.arn),
      playerLatencyPolicies: [],
      allowedLocations: [],
      priorityOrder: [],
      locationOrder: [],
      customEventData: draft.eventData === '' ? null : draft.eventData,
      notificationTarget: draft.topic.trim() === '' ? null : draft.topic.trim(),
    },
  };
}
