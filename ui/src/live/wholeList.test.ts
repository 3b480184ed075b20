import { expect, it } from 'vitest';
import { wholeList } from './wholeList';

const list = (length: number) => Array.from({ length }, (_, index) => `p-${index}`);
const key = (row: string) => row;

it('reads a list to its end, as many rows at a time as an answer holds', async () => {
  const all = list(2_300);
  const asked: number[] = [];
  const rows = await wholeList(({ offset, limit }) => {
    asked.push(offset);
    return Promise.resolve({ rows: all.slice(offset, offset + limit), total: all.length });
  }, key);
  expect(rows).toEqual(all);
  expect(asked).toEqual([0, 1_000, 2_000]);
});

it('has a row once that moved to the next page meanwhile, and ends when the list became shorter', async () => {
  const pages = [
    { rows: list(1_000), total: 1_500 },
    { rows: ['p-999', 'p-1000'], total: 1_500 },
    { rows: [], total: 1_001 },
  ];
  const rows = await wholeList(() => Promise.resolve(pages.shift() ?? { rows: [], total: 0 }), key);
  expect(rows).toEqual(list(1_001));
});
