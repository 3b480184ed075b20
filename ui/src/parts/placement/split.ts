/** Owns what placements are broken down by: labels, order, the filter of each group, and the scope of an address. */
import { sortedBy } from '$lib/sort';
import type { PlacementGroup, PlacementScope, PlacementSplit } from '$live/types';

export const splits: readonly (readonly [PlacementSplit, string])[] = [
  ['queue', 'Queue'],
  ['region', 'Region'],
  ['destination', 'Destination'],
];

export const splitOf = (text: string | undefined): PlacementSplit =>
  splits.find(([split]) => split === text)?.[0] ?? 'queue';

/** The address parameter that filters by a group. None is one of the time range. */
export const parameterOf: Record<PlacementSplit, 'queue' | 'region' | 'destination'> = {
  queue: 'queue',
  region: 'region',
  destination: 'destination',
};

export const scopeOf = (query: Readonly<Record<string, string>>): PlacementScope => ({
  queue: query.queue ?? null,
  region: query.region ?? null,
  destination: query.destination ?? null,
  having: query.with ?? null,
});

/** The address parameters that show only a group. */
export const narrowedTo = (
  split: PlacementSplit,
  group: Pick<PlacementGroup, 'key' | 'region'>,
): Record<string, string> =>
  split === 'queue' && group.region !== null
    ? { queue: group.key, region: group.region }
    : { [parameterOf[split]]: group.key };

/** Whether a scope is limited to a group. */
export const isChosen = (
  scope: PlacementScope,
  split: PlacementSplit,
  group: Pick<PlacementGroup, 'key' | 'region'>,
): boolean =>
  scope[split] === group.key && (split !== 'queue' || scope.region === null || scope.region === group.region);

/** The group of placements that no destination took. */
const nowhere = 'nowhere';

/** By name, so that no group changes places as its count grows; what was not placed comes last. */
export const inStillOrder = (groups: readonly PlacementGroup[]): PlacementGroup[] =>
  sortedBy(
    groups,
    (group) => (group.key === nowhere ? null : `${group.label} ${group.key} ${group.region ?? ''}`),
    false,
  );
