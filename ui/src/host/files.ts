/** Owns saving and picking files in a browser. */

/**
 * Hands a file to the browser to save. Returns its name, because the browser does not reveal where it was
 * saved.
 */
export function saveFile(name: string, contents: Blob): string {
  const url = URL.createObjectURL(contents);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers start reading only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return name;
}

/** Asks for a file. Resolves with null if the person cancels. */
export function pickFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}
