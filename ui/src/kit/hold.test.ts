import { describe, expect, it } from 'vitest';
import { asTheyCome, asTheyWere, type Held } from './hold.svelte';

type Row = { id: string; text?: string };
const key = (row: Row) => row.id;
const rows = (ids: string): Row[] => [...ids].map((id) => ({ id }));
/** `a` is shown on one line, `A` with all it has; `+` is new, `-` gone. */
const drawn = (held: readonly Held<Row>[]) =>
  held
    .map(
      (one) =>
        `${one.isFull ? one.row.id.toUpperCase() : one.row.id}${one.isNew ? '+' : ''}${one.isGone ? '-' : ''}`,
    )
    .join(' ');

describe('a list that is held', () => {
  const before = asTheyCome(rows('abc'), 1);

  it('keeps the order and the form in which it was', () => {
    expect(drawn(before)).toBe('A b c');
    expect(drawn(asTheyWere(rows('cba'), key, before, 1))).toBe('A b c');
  });

  it('shows what comes below what is there, and what came later still below', () => {
    const next = asTheyWere(rows('xabc'), key, before, 1);
    expect(drawn(next)).toBe('A b c x+');
    expect(drawn(asTheyWere(rows('yxabc'), key, next, 1))).toBe('A b c x+ y+');
  });

  it('keeps the place of what goes, also when it comes back', () => {
    const next = asTheyWere(rows('bc'), key, before, 1);
    expect(drawn(next)).toBe('A- b c');
    expect(drawn(asTheyWere(rows('bca'), key, next, 1))).toBe('A b c');
  });

  it('that was empty shows the first in full', () => {
    expect(drawn(asTheyWere(rows('ab'), key, [], 1))).toBe('A+ b+');
  });

  it('shows the newest of each row', () => {
    const [first] = asTheyWere([{ id: 'a', text: 'newer' }], key, before, 1);
    expect(first?.row.text).toBe('newer');
  });
});
