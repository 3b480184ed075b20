/** Owns the one list of global actions; it feeds the palette, the shortcuts and the list of shortcuts. */
import { address, go, href, listHref, setRange } from '$live/address.svelte';
import { lastChoices } from '$lib/range';
import { offers } from '$live/offers.svelte';
import { pullAll } from '$live/revision.svelte';
import { program } from '$live/program.svelte';
import { zoom } from '$live/zoom.svelte';
import { attempt } from '$parts/frame/attempt';
import { screens } from './routes';
import { overlay, type OverlayName } from './overlay.svelte';

export type Action = {
  readonly key: string;
  readonly title: string;
  readonly group: 'This screen' | 'Go to' | 'Time range' | 'View' | 'Connection' | 'Lists';
  /** In tinykeys' form, such as `g f` or `$mod+k`. */
  readonly keys?: string;
  /** Also works while a field has focus. */
  readonly inFields?: boolean;
  /** Listed as a shortcut, but handled by the focused component. */
  readonly elsewhere?: boolean;
  readonly run: () => void;
};

const nothing = () => undefined;

/**
 * Shows a dialog that needs an open connection. Does nothing without one, or it would come up later, unasked.
 */
const showOfConnection = (name: OverlayName) => {
  if (program.state?.current) overlay.show(name);
};

/** The actions available now; reads the program's state on each call. */
export function actions(): Action[] {
  const settings = program.state?.settings;
  const save = (patch: Partial<NonNullable<typeof settings>>) => {
    if (settings) void program.saveSettings({ ...settings, ...patch });
  };
  const operating = program.mode.kind === 'operator';
  return [
    ...offers.all.map(({ key, ...one }): Action => ({ ...one, key: `offer-${key}`, group: 'This screen' })),
    { key: 'palette', title: 'Search or run a command', group: 'View', keys: '$mod+k', inFields: true, run: () => showOfConnection('palette') },
    ...screens.map((screen): Action => ({
      key: `go-${screen.key}`, title: screen.title, group: 'Go to', keys: `g ${screen.shortcut}`, run: () => go(href([screen.key])),
    })),
    ...lastChoices.map((choice): Action => ({
      key: `last-${choice.name}`, title: `Last ${choice.label}`, group: 'Time range', run: () => setRange({ kind: 'last', minutes: choice.minutes }),
    })),
    { key: 'new-session', title: 'New session…', group: 'Go to', keys: 'g n', run: () => go(href(['sessions', 'new'])) },
    operating
      ? { key: 'lock', title: 'Lock now (read-only)', group: 'Connection', keys: 'Shift+O', run: () => void program.lock() }
      : { key: 'lock', title: 'Unlock operator mode…', group: 'Connection', keys: 'Shift+O', run: () => showOfConnection('unlock') },
    { key: 'live', title: 'Back to live', group: 'Time range', keys: 'Shift+L', run: () => setRange({ kind: 'last', minutes: 180 }) },
    { key: 'zone', title: `Show times in ${settings?.timeZone === 'utc' ? 'local time' : 'UTC'}`, group: 'View', keys: 'u', run: () => save({ timeZone: settings?.timeZone === 'utc' ? 'local' : 'utc' }) },
    { key: 'theme', title: 'Switch between light and dark theme', group: 'View', keys: 't', run: () => save({ theme: document.documentElement.dataset.theme === 'light' ? 'dark' : 'light' }) },
    { key: 'larger', title: 'Zoom in', group: 'View', keys: '$mod+=', inFields: true, run: () => void attempt(() => zoom.step(1)) },
    { key: 'smaller', title: 'Zoom out', group: 'View', keys: '$mod+-', inFields: true, run: () => void attempt(() => zoom.step(-1)) },
    { key: 'own-size', title: 'Reset zoom', group: 'View', keys: '$mod+0', inFields: true, run: () => void attempt(() => zoom.set(100)) },
    { key: 'refresh', title: 'Refresh', group: 'View', keys: 'r', run: pullAll },
    { key: 'shortcuts', title: 'Keyboard shortcuts', group: 'View', keys: '?', run: () => overlay.show('shortcuts') },
    { key: 'connect', title: 'Add a connection…', group: 'Connection', run: () => overlay.show('connect') },
    ...(program.state?.connections ?? [])
      .filter((one) => one.id !== program.state?.current?.id)
      .map((one): Action => ({ key: `open-${one.id}`, title: `Open ${one.name}`, group: 'Connection', run: () => void program.open(one.id) })),
    { key: 'down', title: 'Next row or alert', group: 'Lists', keys: 'j', elsewhere: true, run: nothing },
    { key: 'up', title: 'Previous row or alert', group: 'Lists', keys: 'k', elsewhere: true, run: nothing },
    { key: 'enter', title: 'Open row or alert', group: 'Lists', keys: 'Enter', elsewhere: true, run: nothing },
    { key: 'filter', title: 'Filter', group: 'Lists', keys: '/', elsewhere: true, run: nothing },
    { key: 'select', title: 'Select row', group: 'Lists', keys: 'x', elsewhere: true, run: nothing },
    { key: 'extend', title: 'Extend selection', group: 'Lists', keys: 'Shift+J', elsewhere: true, run: nothing },
    { key: 'history-back', title: 'Back', group: 'Go to', keys: navigator.platform.startsWith('Mac') ? '$mod+[' : 'Alt+ArrowLeft', run: () => history.back() },
    { key: 'history-forward', title: 'Forward', group: 'Go to', keys: navigator.platform.startsWith('Mac') ? '$mod+]' : 'Alt+ArrowRight', run: () => history.forward() },
    { key: 'back', title: 'Back to the list', group: 'Lists', keys: 'Escape', run: back },
  ]; // prettier-ignore
}

/** Escape on a resource goes to its list; on a list it does nothing. */
function back(): void {
  const [screen, id, inRoom] = address.path;
  const room = id && inRoom && screens.find((one) => one.key === screen)?.rooms?.includes(id);
  if (screen && room && !document.querySelector('[role=dialog],[role=menu]')) go(href([screen, id]));
  else if (screen && id && !document.querySelector('[role=dialog],[role=menu]')) go(listHref(screen));
}
