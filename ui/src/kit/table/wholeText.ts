/** Owns the tooltip of a cell that is cut: its whole text, unless the cell has a tooltip of its own. */

/** To be called when the pointer comes over a part of a cell; rows are reused, so what it says is said anew. */
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
