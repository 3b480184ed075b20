/** Owns the tooltip of a truncated cell: its whole text, unless it has its own tooltip. */

/** Call when the pointer enters part of a cell; rows are reused, so the tooltip is set each time. */
export function tellWhole(over: Element): void {
  const cell = over.closest<HTMLElement>('[role=gridcell]');
  if (!cell || (cell.title !== '' && cell.dataset.whole === undefined)) return;
  if (cell.scrollWidth > cell.clientWidth) {
    cell.title = cell.textContent.trim();
    cell.dataset.whole = '';
  } else if (cell.dataset.whole !== undefined) {
    cell.title = '';
    delete cell.dataset.whole;
  }
}
