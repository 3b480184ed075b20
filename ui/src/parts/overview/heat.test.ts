import { expect, it } from 'vitest';
import type { HeatCell } from '$live/types';
import { cellWord } from './heat';

const cell = (gameSessions: number | null, processes: number | null, activeInstances: number | null) =>
  cellWord({ gameSessions, processes, activeInstances } as HeatCell);

it('a cell of which nothing is known is neither off nor idle', () => {
  expect(cell(null, null, null)).toBe('–');
  expect(cell(null, null, 4)).toBe('–');
  expect(cell(0, 0, 0)).toBe('off');
  expect(cell(0, 0, 3)).toBe('idle');
  // Hardware of one's own has no instances.
  expect([cell(0, null, null), cell(7, null, null)]).toEqual(['idle', '7']);
});
