/** Owns the four outcomes of a placement, each with word, colour and shape, and how its time is written. */
import type { DotState } from '$kit/states';
import { duration } from '$lib/time';
import type { Funnel } from '$live/types';

export const outcomes: readonly {
  type: string;
  of: keyof Funnel;
  word: string;
  state: DotState;
  color: string;
}[] = [
  { type: 'PlacementFulfilled', of: 'fulfilled', word: 'fulfilled', state: 'good', color: '--good' },
  { type: 'PlacementTimedOut', of: 'timedOut', word: 'timed out', state: 'bad', color: '--bad' },
  { type: 'PlacementFailed', of: 'failed', word: 'failed', state: 'bad', color: '--series-5' },
  { type: 'PlacementCancelled', of: 'cancelled', word: 'cancelled', state: 'off', color: '--faint' },
];

export const outcomeOf = (type: string) => outcomes.find((one) => one.type === type) ?? outcomes[0];

/** Most placements take a few seconds, so tenths matter. */
export const took = (ms: number): string =>
  ms >= 1_000 && ms < 9_950 ? `${Number((ms / 1_000).toFixed(1))} s` : duration(ms);
