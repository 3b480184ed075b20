/** Owns how the status of a game session or player session looks: shape, colour and word. */
import type { DotState } from '$kit/states';
import type { GameSessionEnding } from '$live/types';

const states: Readonly<Record<string, DotState>> = {
  ACTIVE: 'good',
  ACTIVATING: 'pending',
  RESERVED: 'pending',
  TERMINATING: 'warning',
  ERROR: 'bad',
  TIMEDOUT: 'warning',
};

/** The dot of a status; an unknown status looks off rather than good. */
export const statusState = (status: string): DotState => states[status] ?? 'off';

/** `TRIGGERED_ON_PROCESS_TERMINATE` as words. */
export const words = (code: string): string =>
  code === 'TIMEDOUT' ? 'timed out' : code.toLowerCase().replaceAll('_', ' ');

const endings: Readonly<Record<GameSessionEnding, readonly [string, DotState]>> = {
  unseen: ['end unseen', 'off'],
  normal: ['ended', 'off'],
  host_lost: ['instance lost', 'bad'],
  crashed: ['crashed', 'bad'],
  terminated_unhealthy: ['unhealthy', 'bad'],
  activation_timed_out: ['not activated', 'bad'],
  error: ['error', 'bad'],
  interrupted: ['interrupted', 'bad'],
  terminated_by_request: ['terminated', 'off'],
  force_terminated: ['forced to end', 'off'],
};

/** What a game session is shown with: how it ended, or its status while it runs. */
export type Ended = { status: string; statusReason: string | null; ending: GameSessionEnding | null };

/** How a session ended, or its status while it runs, in a word or two. */
export const endingWord = (row: Ended): string =>
  row.ending === null ? words(row.status) : endings[row.ending][0];

/** The dot that goes with it. */
export const endingState = (row: Ended): DotState =>
  row.ending === null ? statusState(row.status) : endings[row.ending][1];

/** The same, and what AWS calls it. */
export const endingWhole = (row: Ended): string =>
  [endingWord(row), row.status, row.statusReason].filter(Boolean).join(' · ');
