/** Owns what all components depend on for their look: the time zone and the theme. */
import type { Zone } from '$lib/time';

let zone = $state.raw<Zone>('utc');
let theme = $state.raw<'light' | 'dark'>('dark');

export const look = {
  get zone(): Zone {
    return zone;
  },
  set zone(next: Zone) {
    zone = next;
  },
  get theme(): 'light' | 'dark' {
    return theme;
  },
  /** Also sets the attribute that selects the tokens. */
  set theme(next: 'light' | 'dark') {
    theme = next;
    document.documentElement.dataset.theme = next;
  },
};
