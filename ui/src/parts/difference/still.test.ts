import { describe, expect, test } from 'vitest';
import { createStillOrder } from './still';

describe('the order of differences', () => {
  const key = (row: string) => row[0] ?? '';

  test('stays while the same is compared, though the ranking changes', () => {
    const still = createStillOrder(key);
    expect(still('x', ['a1', 'b1', 'c1'])).toEqual(['a1', 'b1', 'c1']);
    expect(still('x', ['b2', 'a2', 'c2'])).toEqual(['a2', 'b2', 'c2']);
  });

  test('has what comes later below, and closes up what goes', () => {
    const still = createStillOrder(key);
    still('x', ['a', 'b']);
    expect(still('x', ['d', 'b', 'c', 'a'])).toEqual(['a', 'b', 'd', 'c']);
    expect(still('x', ['c', 'd', 'b'])).toEqual(['b', 'd', 'c']);
  });

  test('begins anew where something else is compared', () => {
    const still = createStillOrder(key);
    still('x', ['a', 'b']);
    expect(still('y', ['b', 'a'])).toEqual(['b', 'a']);
    expect(still('x', ['b', 'a'])).toEqual(['b', 'a']);
  });
});
