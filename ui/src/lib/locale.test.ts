import { afterEach, describe, expect, it, vi } from 'vitest';
import { guardLocale, isKnownLocale } from './locale';

function speak(language: string): void {
  Object.defineProperty(navigator, 'language', { configurable: true, get: () => language });
}

// The chart library asks for the pixel ratio while it loads; this document has none.
vi.stubGlobal('matchMedia', () => new EventTarget());

describe('the locale guard', () => {
  afterEach(() => {
    vi.resetModules();
    speak('en-US');
  });

  it('knows that no engine accepts the C locale', () => {
    expect(isKnownLocale('C')).toBe(false);
    expect(isKnownLocale('tr-TR')).toBe(true);
  });

  it('the chart library throws at import under the C locale, which is why the guard exists', async () => {
    speak('C');
    await expect(import('uplot')).rejects.toThrow(RangeError);
  });

  it('lets the chart library load under the C locale', async () => {
    speak('C');
    guardLocale();
    expect(navigator.language).toBe('en-US');
    await expect(import('uplot')).resolves.toHaveProperty('default');
  });

  it('leaves a language that works alone', () => {
    speak('ja-JP');
    guardLocale();
    expect(navigator.language).toBe('ja-JP');
  });
});
