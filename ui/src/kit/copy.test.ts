import { afterEach, expect, it, vi } from 'vitest';
import { copyText } from './copy';

afterEach(() => vi.unstubAllGlobals());

function clipboard(write?: (items: unknown[]) => Promise<void>): string[] {
  const texts: string[] = [];
  const writeText = (text: string) => Promise.resolve(void texts.push(text));
  vi.stubGlobal('navigator', { clipboard: write ? { writeText, write } : { writeText } });
  vi.stubGlobal('ClipboardItem', class { constructor(readonly parts: Record<string, Promise<Blob>>) {} }); // prettier-ignore
  return texts;
}

it('copies a text that is there at once', async () => {
  const texts = clipboard(() => Promise.reject(new Error('not for this')));
  await copyText('a\nb');
  expect(texts).toEqual(['a\nb']);
});

it('begins to write before the text is there, and writes nothing twice', async () => {
  let begun = false;
  const texts = clipboard(() => {
    begun = true;
    return Promise.resolve();
  });
  const copied = copyText(Promise.resolve('later'));
  expect(begun).toBe(true);
  await copied;
  expect(texts).toEqual([]);
});

it('writes the text itself where nothing can be promised', async () => {
  const refusing = clipboard(() => Promise.reject(new Error('not allowed')));
  await copyText(Promise.resolve('later'));
  expect(refusing).toEqual(['later']);
  const plain = clipboard();
  await copyText(Promise.resolve('later'));
  expect(plain).toEqual(['later']);
});

it('tells why there is no text', async () => {
  const texts = clipboard(() => Promise.reject(new Error('not allowed')));
  await expect(copyText(Promise.reject(new Error('The database cannot be read.')))).rejects.toThrow(
    'The database cannot be read.',
  );
  expect(texts).toEqual([]);
});
