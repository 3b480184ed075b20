import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Table from './Table.svelte';

type Row = { id: string };
let rows = $state.raw<Row[]>([]);
let table: ReturnType<typeof mount> | null = null;

const named = (...ids: string[]): Row[] => ids.map((id) => ({ id }));
const grid = () => document.querySelector<HTMLElement>('[role=grid]') as HTMLElement;
const over = (index: number) =>
  document
    .querySelector(`[aria-rowindex="${index + 2}"] [role=gridcell]`)
    ?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
const come = (...ids: string[]) => {
  rows = [...named(...ids), ...rows];
  flushSync();
};

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', class { observe() {} unobserve() {} disconnect() {} }); // prettier-ignore
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(300);
  rows = named('a', 'b', 'c', 'd');
  table = mount(Table<Row>, {
    target: document.body,
    props: {
      id: 'test',
      label: 'Test',
      columns: [{ key: 'id', title: 'Id', width: 80, text: (row: Row) => row.id }],
      get rows() {
        return rows;
      },
      key: (row: Row) => row.id,
    },
  });
  flushSync();
});
afterEach(() => {
  if (table) void unmount(table);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('a table that nobody points at stands at its newest row', () => {
  come('new');
  expect(grid().scrollTop).toBe(0);
});

it('the row under the pointer stays there while newer ones come, and the top comes back when the pointer goes', () => {
  expect(document.querySelectorAll('[role=row]').length).toBe(5);
  over(1);
  come('new');
  come('newer', 'newest');
  expect(grid().scrollTop).toBe(90);
  grid().dispatchEvent(new PointerEvent('pointerleave'));
  expect(grid().scrollTop).toBe(0);
});

it('a scrolled table keeps its place', () => {
  grid().scrollTop = 60;
  grid().dispatchEvent(new Event('scroll'));
  come('new');
  expect(grid().scrollTop).toBe(90);
  grid().dispatchEvent(new PointerEvent('pointerleave'));
  expect(grid().scrollTop).toBe(90);
});

it('rows do not change places while the pointer is over one of them', () => {
  const shown = () =>
    [...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent.trim()).join('');
  over(1);
  rows = named('d', 'c', 'b', 'a');
  flushSync();
  expect(shown()).toBe('abcd');
  grid().dispatchEvent(new PointerEvent('pointerleave'));
  flushSync();
  expect(shown()).toBe('dcba');
});

it('another order begins where the person is, not where a row went', () => {
  over(1);
  rows = named('x', 'y', 'z');
  flushSync();
  expect(grid().scrollTop).toBe(0);
});
