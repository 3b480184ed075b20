/** Owns files of the person at a browser: one to save, one to pick. */

/** Hands a file to the browser to save; answers with its name, for where it went the browser tells nobody. */
export function saveFile(name: string, contents: Blob): string {
  const url = URL.createObjectURL(contents);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: some browsers begin to read only after the click was handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return name;
}

/** Asks for a file; null when the person thinks better of it. */
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
