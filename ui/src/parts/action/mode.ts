/** Owns the wording of the two modes. */
import type { Mode } from '$live/types';

/** Milliseconds of operator mode left; 0 when read-only. */
export const leaveLeftMs = (mode: Mode, nowMs: number): number =>
  mode.kind === 'operator' ? Math.max(0, mode.until - nowMs) : 0;

/** `28 min`; below two minutes, to the second: `1:05`. */
export function leftText(leftMs: number): string {
  if (leftMs >= 120_000) return `${Math.floor(leftMs / 60_000)} min`;
  const seconds = Math.ceil(leftMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export const unlockChoices = [
  [15, '15 min'],
  [30, '30 min'],
  [60, '1 hour'],
  [240, '4 hours'],
] as const;
