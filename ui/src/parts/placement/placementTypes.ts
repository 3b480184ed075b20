/** Owns the four outcomes of a placement: word, colour, shape. */
import type { DotState } from '$kit/states';
import type { PlacementRow } from '$live/types';

export type Outcome = PlacementRow['type'];

export const outcomes: readonly { type: Outcome; word: string; state: DotState; color: string }[] = [
  { type: 'PlacementFulfilled', word: 'fulfilled', state: 'good', color: '--good' },
  { type: 'PlacementTimedOut', word: 'timed out', state: 'bad', color: '--bad' },
  { type: 'PlacementFailed', word: 'failed', state: 'bad', color: '--series-5' },
  { type: 'PlacementCancelled', word: 'cancelled', state: 'off', color: '--faint' },
];

export const outcomeOf = (type: Outcome) => outcomes.find((one) => one.type === type) ?? outcomes[0];
