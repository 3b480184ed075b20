/**
 * Owns which screens exist and which address means which. A screen is `views/<screen>/<Screen>.svelte`, takes no
 * props and reads `live/address`: `path[0]` is the screen, `path[1]` the resource, `path[2]` the tab.
 */
import Boxes from '@lucide/svelte/icons/server';
import Link from '@lucide/svelte/icons/link-2';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import Play from '@lucide/svelte/icons/play';
import Settings from '@lucide/svelte/icons/settings';
import Target from '@lucide/svelte/icons/arrow-right-to-line';
import User from '@lucide/svelte/icons/user-round';
import type { Component } from 'svelte';

export type Screen = {
  readonly key: string;
  readonly title: string;
  readonly icon: Component;
  /** The keys of its "go to" shortcut after `g`. */
  readonly shortcut: string;
  /** Under a line in the rail. */
  readonly apart?: boolean;
  readonly list: () => Promise<{ default: Component }>;
  /** The screen of one resource: `#/<key>/<id>`. */
  readonly detail?: () => Promise<{ default: Component }>;
};

const views = import.meta.glob<{ default: Component }>('../views/*/*.svelte');
const view = (path: string) => views[`../views/${path}.svelte`];

type Draft = Omit<Screen, 'list' | 'detail'> & { list: string; detail?: string };

const drafts: Draft[] = [
  { key: 'overview', title: 'Overview', icon: LayoutDashboard, shortcut: 'o', list: 'overview/Overview' },
  {
    key: 'fleets',
    title: 'Fleets',
    icon: Boxes,
    shortcut: 'f',
    list: 'fleets/Fleets',
    detail: 'fleet/Fleet',
  },
  {
    key: 'sessions',
    title: 'Sessions',
    icon: Play,
    shortcut: 's',
    list: 'sessions/Sessions',
    detail: 'session/Session',
  },
  { key: 'players', title: 'Players', icon: User, shortcut: 'p', list: 'players/Players' },
  { key: 'placements', title: 'Placements', icon: Target, shortcut: 'l', list: 'placements/Placements' },
  { key: 'aliases', title: 'Aliases', icon: Link, shortcut: 'a', list: 'aliases/Aliases' },
  {
    key: 'settings',
    title: 'Settings',
    icon: Settings,
    shortcut: ',',
    apart: true,
    list: 'settings/Settings',
  },
];

export const screens: readonly Screen[] = drafts.flatMap((draft): Screen[] => {
  const list = view(draft.list);
  const detail = draft.detail ? view(draft.detail) : undefined;
  return list ? [{ ...draft, list, detail: detail ?? list }] : [];
});

/** The screen an address means; null for an address that means none. */
export function screenOf(path: readonly string[]): Screen | null {
  return screens.find((screen) => screen.key === path[0]) ?? null;
}
