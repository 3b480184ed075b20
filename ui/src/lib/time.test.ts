import { describe, expect, it } from 'vitest';
import { age, clock, duration, elapsed, full, moment } from './time';

const at = Date.UTC(2026, 10, 21, 14, 5, 9);

describe('instants', () => {
  it('are written in UTC with two digits', () => {
    expect(clock(at, 'utc')).toBe('14:05');
    expect(full(at, 'utc')).toBe('2026-11-21 14:05:09 UTC');
  });

  it('midnight is 00:00, never 24:00', () => {
    expect(clock(Date.UTC(2026, 10, 21), 'utc')).toBe('00:00');
  });

  it('of another day name the day', () => {
    expect(moment(at, at + 60_000, 'utc')).toBe('14:05');
    expect(moment(at, at + 86_400_000, 'utc')).toBe('21 Nov 14:05');
  });
});

describe('ages and durations', () => {
  it('an age has one unit, rounded down', () => {
    expect(age(at, at + 300)).toBe('now');
    expect(age(at, at + 12_900)).toBe('12 s ago');
    expect(age(at, at + 3_599_000)).toBe('59 min ago');
    expect(age(at, at + 47 * 3_600_000)).toBe('47 h ago');
    expect(age(at, at + 48 * 3_600_000)).toBe('2 d ago');
    expect(age(at, at - 2_000)).toBe('now');
    expect(age(at, at - 3 * 3_600_000)).toBe('3 h in the future');
  });

  it('a clock that runs ahead never shows a negative age', () => {
    expect(age(at + 5_000, at)).toBe('now');
    expect(elapsed(-5_000)).toBe('0 s');
  });

  it('a duration has its two largest units', () => {
    expect(duration(640)).toBe('640 ms');
    expect(duration(41_000)).toBe('41 s');
    expect(duration(182_000)).toBe('3 min 02 s');
    expect(duration(2 * 3_600_000 + 5 * 60_000)).toBe('2 h 05 min');
    expect(duration(76 * 3_600_000)).toBe('3 d 4 h');
  });
});
