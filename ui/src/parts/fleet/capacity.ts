/** Owns the draft of a fleet's capacity, location by location, and the actions it makes. */
import type { Action, FleetLocationRow } from '$live/types';

export type Sizes = { readonly desired: string; readonly min: string; readonly max: string };
export type SizeKey = keyof Sizes;
export const sizeKeys = ['desired', 'min', 'max'] as const;

/** The sizes of a location as one may edit them; empty where they are not known. */
export const sizesOf = (row: FleetLocationRow): Sizes => ({
  desired: written(row.desired),
  min: written(row.min),
  max: written(row.max),
});

const written = (size: number | null): string => (size === null ? '' : String(size));

/** Whether a size was changed. One that is not known stays as it is for as long as nothing is entered. */
export const isChanged = (row: FleetLocationRow, key: SizeKey, text: string): boolean =>
  text.trim() !== written(row[key]);

/** What is wrong with the sizes of one location; null when nothing is. */
export function sizesProblem(row: FleetLocationRow, sizes: Sizes): string | null {
  const left = sizeKeys.filter((key) => row[key] !== null || isChanged(row, key, sizes[key]));
  if (!left.every((key) => /^\d{1,6}$/.test(sizes[key].trim()))) return 'Enter whole numbers, 0 or more.';
  const read = (key: SizeKey) => (left.includes(key) ? Number(sizes[key]) : null);
  const [desired, min, max] = [read('desired'), read('min'), read('max')];
  if (min !== null && max !== null && min > max) return `Minimum ${min} is above maximum ${max}.`;
  if (desired === null) return null;
  const [isBelow, isAbove] = [min !== null && desired < min, max !== null && desired > max];
  if ((isBelow || isAbove) && min !== null && max !== null)
    return `Desired ${desired} is not between ${min} and ${max}.`;
  if (isBelow) return `Desired ${desired} is below minimum ${min}.`;
  return isAbove ? `Desired ${desired} is above maximum ${max}.` : null;
}

/** Whether scaling can add no more instances, as far as is known. */
export const atMaximum = ({ desired, max }: FleetLocationRow): boolean =>
  desired !== null && max !== null && max > 0 && desired >= max;

/** One action for each location whose sizes were changed, naming only what changed. */
export function capacityActions(
  fleet: { readonly region: string; readonly fleetId: string },
  rows: readonly FleetLocationRow[],
  written: Readonly<Record<string, Sizes>>,
): Action[] {
  return rows.flatMap((row): Action[] => {
    const sizes = written[row.location];
    if (!sizes || sizesProblem(row, sizes) !== null) return [];
    const changed = (key: SizeKey) => (isChanged(row, key, sizes[key]) ? Number(sizes[key]) : null);
    if (sizeKeys.every((key) => changed(key) === null)) return [];
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
