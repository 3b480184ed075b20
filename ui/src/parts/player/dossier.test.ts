import { describe, expect, test } from 'vitest';
import type { PlayerDossier } from '$live/types';
import { playingNow, summed } from './dossier';

const session = (status: string, cutOff: string | null = null) => ({ playerSession: { status }, cutOff });
const dossier = (patch: object) =>
  ({ sessions: [], placements: [], tickets: [], total: 0, ...patch }) as unknown as PlayerDossier;

describe('the line that sums up a player', () => {
  test('counts only what went wrong beside the player sessions', () => {
    expect(summed(dossier({ total: 3 }))).toBe('3 player sessions');
    expect(
      summed(
        dossier({
          total: 1,
          sessions: [session('COMPLETED', 'crashed')],
          placements: [{ why: 'GameLift could not place it' }, { why: null }],
          tickets: [{ state: 'TIMED_OUT' }, { state: 'FAILED' }, { state: 'COMPLETED' }],
        }),
      ),
    ).toBe('1 player session · cut off once · 1 failed placement · 2 failed tickets');
  });

  test('finds where the player is now, also while a slot is only reserved', () => {
    const waiting = session('RESERVED');
    expect(playingNow(dossier({ sessions: [session('COMPLETED'), waiting] }))).toBe(waiting);
    expect(playingNow(dossier({ sessions: [session('TIMEDOUT')] }))).toBeNull();
  });
});
