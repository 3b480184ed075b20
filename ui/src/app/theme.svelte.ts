/**
 * Owns which theme is used: the chosen one or the system's. The last one is stored so that the window does
 * not flash at start.
 */
import type { ThemeChoice } from '$live/types';

const storageKey = 'liftdeck.theme';

/** Follows the system's preference. Must be called while a component is being initialised. */
export function systemTheme(): { readonly dark: boolean } {
  const query = matchMedia('(prefers-color-scheme: dark)');
  let dark = $state.raw(query.matches);
  $effect(() => {
    const follow = () => (dark = query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  });
  return {
    get dark() {
      return dark;
    },
  };
}

/**
 * Returns the theme to use. Before the settings are read (`undefined`), that is the theme of the last run.
 */
export function themeInForce(chosen: ThemeChoice | undefined, systemIsDark: boolean): 'light' | 'dark' {
  const wanted = chosen ?? (localStorage.getItem(storageKey) as ThemeChoice | null) ?? 'system';
  if (chosen) localStorage.setItem(storageKey, chosen);
  if (wanted === 'light' || wanted === 'dark') return wanted;
  return systemIsDark ? 'dark' : 'light';
}
