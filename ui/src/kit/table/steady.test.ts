import { describe, expect, it } from 'vitest';
import { inOrderOf, shiftOf } from './steady.svelte';

const key = (row: string) => row;

describe('a row that is held', () => {
  it('is followed by as many rows as came above it', () => {
    expect(shiftOf(['new', 'newer', 'a', 'b', 'c'], key, 'b', 1)).toBe(2);
  });

  it('is followed upwards when rows above it went', () => {
    expect(shiftOf(['b', 'c'], key, 'b', 1)).toBe(-1);
  });

  it('is found among rows that are not here yet', () => {
    expect(shiftOf([undefined, undefined, 'a', 'b'], key, 'b', 1)).toBe(2);
  });

  it('that is gone moves nothing', () => {
    expect(shiftOf(['a', 'c'], key, 'b', 1)).toBe(0);
    expect(shiftOf([], key, 'b', 1)).toBe(0);
  });
});

describe('rows while the pointer is over one', () => {
  const ranks = new Map(['a', 'b', 'c'].map((one, at) => [one, at]));

  it('do not change places', () => {
    expect(inOrderOf(['c', 'a', 'b'], key, ranks)).toEqual(['a', 'b', 'c']);
  });

  it('make room for those that are new, and close up where one is gone', () => {
    expect(inOrderOf(['new', 'c', 'b', 'newer', 'a'], key, ranks)).toEqual(['new', 'a', 'b', 'newer', 'c']);
    expect(inOrderOf(['c', 'a'], key, ranks)).toEqual(['a', 'c']);
  });

  it('leave those that are not loaded where they are', () => {
    expect(inOrderOf(['b', undefined, 'a'], key, ranks)).toEqual(['a', undefined, 'b']);
  });
});
