/** Owns the four outcomes of a placement, word, colour and shape, and how its time is told. */
import type { DotState } from '$kit/states';
import { duration } from '$lib/time';
import type { PlacementRow } from '$live/types';

export type Outcome = PlacementRow['type'];

export const outcomes: readonly { type: Outcome; word: string; state: DotState; color: string }[] = [
  { type: 'PlacementFulfilled', word: 'fulfilled', state: 'good', color: '--good' },
  { type: 'PlacementTimedOut', word: 'timed out', state: 'bad', color: '--bad' },
  { type: 'PlacementFailed', word: 'failed', state: 'bad', color: '--series-5' },
  { type: 'PlacementCancelled', word: 'cancelled', state: 'off', color: '--faint' },
];

export const outcomeOf = (type: Outcome) => outcomes.find((one) => one.type === type) ?? outcomes[0];

/** Most placements take a few seconds, so a tenth of one tells them apart. */
export const took = (ms: number): string =>
  ms >= 1_000 && ms < 9_950 ? `${Number((ms / 1_000).toFixed(1))} s` : duration(ms);
