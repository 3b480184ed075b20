import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Comparison, Difference, Differences } from '$live/types';
import DifferenceList from './DifferenceList.svelte';

const difference = (value: string, badIn: number): Difference => ({
  dimension: 'fleet', name: 'possible fleet', value, label: value, term: `fleet=${value}`, badIn, allIn: 20,
  badOut: 2, allOut: 80, lift: badIn, p: 0.001, isSignificant: true,
}); // prettier-ignore
const comparison = (...all: Difference[]): Comparison => ({
  bad: 20,
  all: 100,
  groups: all.map((first) => ({ first, same: [] })),
  alike: [],
});
const answer = (whole: Comparison): Differences => ({
  among: '', bad: '', whole, within: null, note: 'No game session.', freshness: { asOf: 0, stale: false },
}); // prettier-ignore

let found = $state.raw<Differences>(answer(comparison()));
let component: ReturnType<typeof mount> | null = null;

const come = (...all: Difference[]) => {
  found = answer(comparison(...all));
  flushSync();
};
/** The values from top to bottom, each with its bad ones. */
const lines = () =>
  [...document.querySelectorAll('tbody tr:not(.head)')]
    .map((row) => `${row.querySelector('a')?.textContent} ${row.querySelector('td')?.textContent}`)
    .join(', ');

beforeEach(() => {
  come(difference('a', 9), difference('b', 8));
  component = mount(DifferenceList, {
    target: document.body,
    props: {
      get found() {
        return found;
      },
      noun: 'placements',
      bad: 'failed',
      none: 'No placement failed.',
      link: (one: Difference) => `#/placements?with=${one.term}`,
    },
  });
  flushSync();
});
afterEach(() => {
  if (component) void unmount(component);
});

it('keeps its order when the figures change by a hair, and shows the newest figures', () => {
  expect(lines()).toBe('a 9 of 20, b 8 of 20');
  come(difference('b', 10), difference('a', 9));
  expect(lines()).toBe('a 9 of 20, b 10 of 20');
});

it('shows below what comes, and closes up what goes', () => {
  come(difference('c', 12), difference('a', 9), difference('b', 8));
  expect(lines()).toBe('a 9 of 20, b 8 of 20, c 12 of 20');
  come(difference('c', 12), difference('b', 8));
  expect(lines()).toBe('b 8 of 20, c 12 of 20');
});

it('takes nothing away from under the pointer', () => {
  document.querySelector('tbody')?.dispatchEvent(new PointerEvent('pointerenter'));
  flushSync();
  come(difference('b', 8));
  expect(lines()).toBe('a 9 of 20, b 8 of 20');
});

it('says what is not known', () => {
  expect(document.querySelector('p')?.textContent).toContain('No game session.');
});
