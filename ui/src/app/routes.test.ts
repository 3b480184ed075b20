import { describe, expect, it } from 'vitest';
import { isRanged } from './routes';

describe('a time range', () => {
  it('is offered where what is shown depends on it', () => {
    for (const path of [
      ['placements'],
      ['placements', 'time'],
      ['matchmaking', 'time'],
      ['matchmaking', 'tickets'],
    ])
      expect(isRanged(path), path.join('/')).toBe(true);
  });

  it('is not offered for what is now, nor for one placement or ticket', () => {
    for (const path of [
      ['placements', 'queues'],
      ['placements', 'plc-1'],
      ['matchmaking', 'tickets', 'eu-west-1', 't-1'],
    ])
      expect(isRanged(path), path.join('/')).toBe(false);
  });
});
