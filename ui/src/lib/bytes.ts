/** Owns how sizes are written: decimal units, as AWS states its limits. */
import { absent } from './numbers';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `186 kB`, `418.0 MB`; an absent size is an en dash. */
export function bytes(value: number | null): string {
  if (value === null) return absent;
  let size = value;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(size < 100 || unit > 1 ? 1 : 0)} ${units[unit]}`;
}
