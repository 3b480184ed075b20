/**
 * Owns the screens and their addresses. A screen is `views/<screen>/<Screen>.svelte`, takes no props and
 * reads `live/address`: `path[0]` is the screen, `path[1]` the resource, `path[2]` the tab.
 */
import Bell from '@lucide/svelte/icons/bell';
import Server from '@lucide/svelte/icons/server';
import Link from '@lucide/svelte/icons/link-2';
import Package from '@lucide/svelte/icons/package';
import History from '@lucide/svelte/icons/history';
import LayoutDashboard from '@lucide/svelte/icons/layout-dashboard';
import Play from '@lucide/svelte/icons/play';
import Settings from '@lucide/svelte/icons/settings';
import Target from '@lucide/svelte/icons/arrow-right-to-line';
import Swords from '@lucide/svelte/icons/swords';
import User from '@lucide/svelte/icons/user-round';
import type { Component } from 'svelte';

type Load = () => Promise<{ default: Component }>;

export type Screen = {
  readonly key: string;
  readonly title: string;
  readonly icon: Component;
  /** The keys of its "go to" shortcut after `g`. */
  readonly shortcut: string;
  /** Set apart by a line in the rail. */
  readonly apart?: boolean;
  /** Made of what the program itself keeps: shown before anything was read from AWS. */
  readonly local?: boolean;
  /** Further lists of this screen: `#/<key>/<room>`, their entries below that. */
  readonly rooms?: readonly string[];
  readonly list: Load;
  /** The screen of one resource: `#/<key>/<id>`. */
  readonly detail?: Load;
  /** Screens at fixed places below it: `#/<key>/<place>`. */
  readonly places?: Readonly<Record<string, Load>>;
};

export const screens: readonly Screen[] = [
  {
    key: 'overview',
    title: 'Overview',
    icon: LayoutDashboard,
    shortcut: 'o',
    list: () => import('$views/overview/Overview.svelte'),
  },
  {
    key: 'fleets',
    title: 'Fleets',
    icon: Server,
    shortcut: 'f',
    list: () => import('$views/fleets/Fleets.svelte'),
    detail: () => import('$views/fleet/Fleet.svelte'),
  },
  {
    key: 'sessions',
    title: 'Sessions',
    icon: Play,
    shortcut: 's',
    list: () => import('$views/sessions/Sessions.svelte'),
    detail: () => import('$views/session/Session.svelte'),
    places: { new: () => import('$views/newSession/NewSession.svelte') },
  },
  {
    key: 'players',
    title: 'Players',
    icon: User,
    shortcut: 'p',
    list: () => import('$views/players/Players.svelte'),
    detail: () => import('$views/player/Player.svelte'),
  },
  {
    key: 'placements',
    title: 'Placements',
    icon: Target,
    shortcut: 'l',
    rooms: ['queues'],
    list: () => import('$views/placements/Placements.svelte'),
  },
  {
    key: 'matchmaking',
    title: 'Matchmaking',
    icon: Swords,
    shortcut: 'm',
    rooms: ['tickets'],
    list: () => import('$views/matchmaking/Matchmaking.svelte'),
  },
  {
    key: 'aliases',
    title: 'Aliases',
    icon: Link,
    shortcut: 'a',
    list: () => import('$views/aliases/Aliases.svelte'),
  },
  {
    key: 'builds',
    title: 'Builds & scripts',
    icon: Package,
    shortcut: 'b',
    rooms: ['scripts'],
    list: () => import('$views/builds/Builds.svelte'),
  },
  {
    key: 'alerts',
    title: 'Alerts',
    icon: Bell,
    shortcut: 'e',
    apart: true,
    local: true,
    list: () => import('$views/alerts/Alerts.svelte'),
    detail: () => import('$views/incident/Incident.svelte'),
  },
  {
    key: 'activity',
    title: 'Activity',
    icon: History,
    shortcut: 'y',
    local: true,
    rooms: ['runs'],
    list: () => import('$views/activity/Activity.svelte'),
  },
  {
    key: 'settings',
    title: 'Settings',
    icon: Settings,
    shortcut: ',',
    apart: true,
    local: true,
    list: () => import('$views/settings/Settings.svelte'),
  },
];

/** The screen of an address; null if there is none. */
export function screenOf(path: readonly string[]): Screen | null {
  return screens.find((screen) => screen.key === path[0]) ?? null;
}

/** Fleet tabs that show a range; the others show what is now. */
const rangedTabs = [undefined, 'scaling', 'sessions', 'events', 'metrics'];

/** Whether what is shown at an address depends on the chosen time range. */
export function isRanged([screen, place, tab]: readonly string[]): boolean {
  switch (screen) {
    case 'overview':
      return true;
    case 'fleets':
      return place === undefined || rangedTabs.includes(tab);
    case 'matchmaking':
      return tab === undefined;
    case 'placements':
      return place === undefined || place === 'time';
    case 'sessions':
    case 'activity':
    case 'alerts':
      return place === undefined;
    default:
      return false;
  }
}

/** The loader for an address of a screen. */
export function loadOf(screen: Screen, path: readonly string[]): Load {
  const [, place] = path;
  if (place === undefined) return screen.list;
  return screen.places?.[place] ?? screen.detail ?? screen.list;
}
