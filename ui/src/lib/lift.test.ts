import { describe, expect, it } from 'vitest';
import { lift } from './lift';

type Row = { id: string; bad?: boolean };
const rows = (text: string): Row[] =>
  text.split(' ').map((word) => ({ id: word.replace('!', ''), bad: word.endsWith('!') }));
const lifted = (text: string, before: readonly string[] = []) =>
  lift(
    rows(text),
    (row) => row.id,
    (row) => row.bad === true,
    before,
  );
const order = (text: string, before?: readonly string[]) =>
  lifted(text, before)
    .rows.map((row) => row.id)
    .join(' ');

describe('what is on fire', () => {
  it('stands first, the others keep their order', () => {
    expect(order('a b c! d e!')).toBe('c e a b d');
    expect(order('a b c')).toBe('a b c');
  });

  it('stays where it was lifted to when it is no longer on fire, and when it is again', () => {
    const { keys } = lifted('a b c!');
    expect(order('a b c', keys)).toBe('c a b');
    expect(order('a b c!', keys)).toBe('c a b');
  });

  it('comes after what was lifted before it', () => {
    const { keys } = lifted('a b c!');
    expect(order('a! b c', keys)).toBe('c a b');
  });

  it('comes back to its place after it was filtered out', () => {
    const { keys } = lifted('a! b c!');
    const filtered = lifted('b', keys);
    expect(order('a b c', filtered.keys)).toBe('a c b');
  });
});
