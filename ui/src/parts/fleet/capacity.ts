/** Owns the draft of a fleet's capacity, location by location, and the actions it makes. */
import type { Action, FleetLocationRow } from '$live/types';

export type Sizes = { readonly desired: string; readonly min: string; readonly max: string };
export type SizeKey = keyof Sizes;
export const sizeKeys = ['desired', 'min', 'max'] as const;

export const sizesOf = (row: FleetLocationRow): Sizes => ({
  desired: String(row.desired),
  min: String(row.min),
  max: String(row.max),
});

/** What is wrong with the sizes of one location; null when nothing is. */
export function sizesProblem(sizes: Sizes): string | null {
  const read = sizeKeys.map((key) => sizes[key].trim());
  if (!read.every((text) => /^\d{1,6}$/.test(text))) return 'Enter whole numbers, 0 or more.';
  const [desired = 0, min = 0, max = 0] = read.map(Number);
  if (min > max) return `Minimum ${min} is above maximum ${max}.`;
  if (desired < min || desired > max) return `Desired ${desired} is not between ${min} and ${max}.`;
  return null;
}

/** Whether scaling can add no more instances. */
export const atMaximum = (row: FleetLocationRow): boolean => row.max > 0 && row.desired >= row.max;

export const moved = (row: FleetLocationRow, sizes: Sizes): boolean =>
  sizeKeys.some((key) => sizes[key].trim() !== String(row[key]));

/** One action for each location whose sizes were changed, naming only what changed. */
export function capacityActions(
  fleet: { readonly region: string; readonly fleetId: string },
  rows: readonly FleetLocationRow[],
  written: Readonly<Record<string, Sizes>>,
): Action[] {
  return rows.flatMap((row): Action[] => {
    const sizes = written[row.location];
    if (!sizes || !moved(row, sizes) || sizesProblem(sizes) !== null) return [];
    const changed = (key: SizeKey) => (sizes[key].trim() === String(row[key]) ? null : Number(sizes[key]));
    return [
      {
        region: fleet.region,
        request: {
          operation: 'UpdateFleetCapacity',
          fleetId: fleet.fleetId,
          location: row.location,
          desiredInstances: changed('desired'),
          minSize: changed('min'),
          maxSize: changed('max'),
        },
      },
    ];
  });
}
