/** Owns putting a text on the clipboard, also one that is still being asked for. */

/**
 * Must be called while a click or a key press is handled: some web views let nothing be written after it, unless the
 * writing began in it. Throws what the text failed with, or why it could not be written.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') return navigator.clipboard.writeText(text);
  const began = begin(text);
  const whole = await text;
  if (!(await began)) await navigator.clipboard.writeText(whole);
}

/** Begins to write a text that is not there yet. Returns whether it was written in the end; never throws. */
async function begin(text: Promise<string>): Promise<boolean> {
  const { clipboard } = navigator;
  if (typeof ClipboardItem === 'undefined' || !('write' in clipboard)) return false;
  const blob = text.then((whole) => new Blob([whole], { type: 'text/plain' }));
  // Where it is refused at once, nobody else waits for the text.
  blob.catch(() => undefined);
  try {
    await clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return false;
  }
}
