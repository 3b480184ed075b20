import { describe, expect, test } from 'vitest';
import type { Found } from '$live/types';
import { askable } from './found';

const player = (playerId: string): Found => ({ kind: 'player', playerId });

describe('what GameLift can be asked from the palette', () => {
  test('is a player whose whole id the collected data does not have', () => {
    expect(askable(' p-1234 ', [player('p-12345')])).toEqual({ kind: 'player', id: 'p-1234' });
    expect(askable('p-1234', [player('p-1234')])).toBeNull();
  });

  test('is a player session by its id', () => {
    expect(askable('psess-5f0e', [])).toEqual({ kind: 'playerSession', id: 'psess-5f0e' });
  });

  test('is nothing while a command or an address is typed', () => {
    for (const text of ['', 'go', 'raise arena-prod', '203.0.113.7:7777', '203.0.113.7'])
      expect(askable(text, [])).toBeNull();
  });
});
