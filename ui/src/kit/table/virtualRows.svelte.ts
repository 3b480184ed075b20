/** Owns which rows are rendered: the visible ones and a few around them. All rows have the same height. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from '@tanstack/virtual-core';

export interface VirtualRows {
  readonly items: readonly VirtualItem[];
  readonly height: number;
}

/** Must be called while a component is being initialised. `rowHeight` in pixels. */
export function createVirtualRows(options: {
  scroller: () => HTMLElement | null;
  count: () => number;
  rowHeight: number;
  onRange: (first: number, last: number) => void;
}): VirtualRows {
  let items = $state.raw<readonly VirtualItem[]>([]);
  const height = $derived(options.count() * options.rowHeight);

  const virtualizer = new Virtualizer<HTMLElement, HTMLElement>({
    count: 0,
    getScrollElement: () => options.scroller(),
    estimateSize: () => options.rowHeight,
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: refresh,
  });

  function refresh(): void {
    const next = virtualizer.getVirtualItems();
    const same = next.length === items.length && next.every((item, at) => item.index === items[at]?.index);
    if (same) return;
    items = next;
    const first = next[0];
    const last = next.at(-1);
    if (first && last) options.onRange(first.index, last.index);
  }

  $effect(() => {
    options.scroller();
    virtualizer.setOptions({ ...virtualizer.options, count: options.count() });
    virtualizer._willUpdate();
    refresh();
  });
  $effect(() => virtualizer._didMount());

  return {
    get items() {
      return items;
    },
    get height() {
      return height;
    },
  };
}
