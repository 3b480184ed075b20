import { describe, expect, it } from 'vitest';
import { shiftOf } from './steady.svelte';

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
