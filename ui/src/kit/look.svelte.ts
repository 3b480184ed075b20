/** Owns what every component's look depends on: the zone times are written in and the theme in force. */
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
  /** Also sets the attribute the tokens hang on. */
  set theme(next: 'light' | 'dark') {
    theme = next;
    document.documentElement.dataset.theme = next;
  },
};
