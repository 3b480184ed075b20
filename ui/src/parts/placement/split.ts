/** Owns what placements are split by: words, the filter a part stands for, and the scope an address means. */
import type { PlacementScope, PlacementSplit } from '$live/types';

export const splits: readonly (readonly [PlacementSplit, string])[] = [
  ['queue', 'Queue'],
  ['region', 'Region'],
  ['destination', 'Destination'],
];

export const splitOf = (text: string | undefined): PlacementSplit =>
  splits.find(([split]) => split === text)?.[0] ?? 'queue';

/** The parameter of the address that narrows to a part. */
export const parameterOf: Record<PlacementSplit, 'queue' | 'region' | 'to'> = {
  queue: 'queue',
  region: 'region',
  destination: 'to',
};

export const scopeOf = (query: Readonly<Record<string, string>>): PlacementScope => ({
  queue: query.queue ?? null,
  region: query.region ?? null,
  destination: query.to ?? null,
});
