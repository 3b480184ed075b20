/** Owns deciding what gets a key press: a field, an open dialog or menu, or the screen. */

/** Whether someone is typing in a field. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** While it fades out, a closing dialog is still in the document but gets no keys. */
const open = '[role=dialog]:not([data-state=closed]), [role=menu]:not([data-state=closed])';

/** Whether a dialog or menu is open. */
export const isOverlaid = (): boolean => document.querySelector(open) !== null;

/** Whether a field, dialog or menu gets the keys. */
export const isTaken = (event: KeyboardEvent): boolean => isTyping(event) || isOverlaid();

/** `/` focuses the screen's search field from anywhere. */
export function goOnSlash(event: KeyboardEvent, field: HTMLInputElement | null): void {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || isTaken(event)) return;
  event.preventDefault();
  field?.focus();
  field?.select();
}
