/** Owns whose a key press is: a field's, an open dialog's or menu's, or the screen's. */

/** Whether the person is writing in a field. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** What is closing has no say any more, though it is in the document until it has faded. */
const open = '[role=dialog]:not([data-state=closed]), [role=menu]:not([data-state=closed])';

/** A field, a dialog or a menu has the keys to itself. */
export const isTaken = (event: KeyboardEvent): boolean =>
  isTyping(event) || document.querySelector(open) !== null;

/** `/` goes into the screen's search field from anywhere. */
export function goOnSlash(event: KeyboardEvent, field: HTMLInputElement | null): void {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || isTaken(event)) return;
  event.preventDefault();
  field?.focus();
  field?.select();
}
