import { mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { look } from '$kit/look.svelte';
import AttentionList from './AttentionList.svelte';

let list: ReturnType<typeof mount> | null = null;
afterEach(() => {
  if (list) void unmount(list);
});

function shown(asOf: number | null, stale: boolean): string {
  list = mount(AttentionList, {
    target: document.body,
    props: { items: [], freshness: { asOf, stale } },
  });
  return document.body.textContent.trim();
}

it('says that all is well only when the data is fresh', () => {
  expect(shown(Date.now(), false)).toBe('Nothing needs attention.');
});

it('says since when there is no data, and what was known last', () => {
  look.zone = 'utc';
  expect(shown(Date.UTC(2026, 10, 21, 12, 14), true)).toBe(
    'No data since 21 Nov 12:14. Last known: nothing wrong.',
  );
});

it('does not say that all is well before the first data', () => {
  expect(shown(null, false)).toBe('No data yet.');
});
