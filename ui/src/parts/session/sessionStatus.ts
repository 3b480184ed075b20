/** Owns how a game session's or a player session's status looks: its shape, its colour, its word. */
import type { DotState } from '$kit/states';

const states: Readonly<Record<string, DotState>> = {
  ACTIVE: 'good',
  ACTIVATING: 'pending',
  RESERVED: 'pending',
  TERMINATING: 'warning',
  ERROR: 'bad',
  TIMEDOUT: 'warning',
};

/** The dot of a status; one AWS adds later looks switched off rather than good. */
export const statusState = (status: string): DotState => states[status] ?? 'off';

/** `TRIGGERED_ON_PROCESS_TERMINATE` as words. */
export const words = (code: string): string =>
  code === 'TIMEDOUT' ? 'timed out' : code.toLowerCase().replaceAll('_', ' ');

/** How a session ended, or its status while it runs. */
export function ending(row: { status: string; statusReason: string | null }): string {
  return row.statusReason ? `${words(row.status)}, ${words(row.statusReason)}` : words(row.status);
}
