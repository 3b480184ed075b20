/**
 * Owns the guard against locales that JavaScript engines do not know. WebKitGTK reports the language "C" where the
 * system has no locale, and the chart library throws on import because it builds a number format from it.
 */

/** Whether `Intl` accepts the language. */
export function isKnownLocale(language: string | undefined): boolean {
  try {
    new Intl.NumberFormat(language);
    return true;
  } catch {
    return false;
  }
}

/** Makes `navigator.language` one that `Intl` accepts. Must run before any chart module is imported. */
export function guardLocale(target: Navigator = navigator): void {
  if (isKnownLocale(target.language)) return;
  Object.defineProperty(target, 'language', { configurable: true, get: () => 'en-US' });
  Object.defineProperty(target, 'languages', { configurable: true, get: () => ['en-US'] });
}
