/** Owns the one list of what can be done from anywhere: it feeds the palette, the shortcuts and their list. */
import { address, go, href, listHref, setRange } from '$live/address.svelte';
import { lastChoices } from '$lib/range';
import { offers } from '$live/offers.svelte';
import { pullAll } from '$live/revision.svelte';
import { program } from '$live/program.svelte';
import { zoom } from '$live/zoom.svelte';
import { asAppError } from '$live/error';
import { toast } from '$kit/toast';
import { screens } from './routes';
import { overlay } from './overlay.svelte';

export type Action = {
  readonly key: string;
  readonly title: string;
  readonly group: 'This screen' | 'Go to' | 'Time range' | 'View' | 'Connection' | 'Lists';
  /** In tinykeys' form, such as `g f` or `$mod+k`. */
  readonly keys?: string;
  /** Also while a field has the focus. */
  readonly inFields?: boolean;
  /** Listed as a shortcut but done by the component that has the focus. */
  readonly elsewhere?: boolean;
  readonly run: () => void;
};

const nothing = () => undefined;
const attempt = (work: Promise<void>) =>
  void work.catch((thrown) => toast.failed(asAppError(thrown).message));

/** The actions there are now; reads the program's state, so it is current when called. */
export function actions(): Action[] {
  const settings = program.state?.settings;
  const save = (patch: Partial<NonNullable<typeof settings>>) => {
    if (settings) void program.saveSettings({ ...settings, ...patch });
  };
  const operating = program.mode.kind === 'operator';
  return [
    ...offers.all.map(({ key, ...one }): Action => ({ ...one, key: `offer-${key}`, group: 'This screen' })),
    { key: 'palette', title: 'Search and run anything', group: 'View', keys: '$mod+k', inFields: true, run: () => overlay.show('palette') },
    ...screens.map((screen): Action => ({
      key: `go-${screen.key}`, title: screen.title, group: 'Go to', keys: `g ${screen.shortcut}`, run: () => go(href([screen.key])),
    })),
    ...lastChoices.map((choice): Action => ({
      key: `last-${choice.name}`, title: `Last ${choice.label}`, group: 'Time range', run: () => setRange({ kind: 'last', minutes: choice.minutes }),
    })),
    { key: 'new-session', title: 'New session…', group: 'Go to', keys: 'g n', run: () => go(href(['sessions', 'new'])) },
    operating
      ? { key: 'lock', title: 'Lock: read-only at once', group: 'Connection', keys: 'Shift+O', run: () => void program.lock() }
      : { key: 'lock', title: 'Unlock: operator mode…', group: 'Connection', keys: 'Shift+O', run: () => overlay.show('unlock') },
    { key: 'live', title: 'Back to live', group: 'Time range', keys: 'Shift+L', run: () => setRange({ kind: 'last', minutes: 180 }) },
    { key: 'zone', title: `Show times in ${settings?.timeZone === 'utc' ? 'local time' : 'UTC'}`, group: 'View', keys: 'u', run: () => save({ timeZone: settings?.timeZone === 'utc' ? 'local' : 'utc' }) },
    { key: 'theme', title: 'Switch between light and dark', group: 'View', keys: 't', run: () => save({ theme: document.documentElement.dataset.theme === 'light' ? 'dark' : 'light' }) },
    { key: 'larger', title: 'Larger text', group: 'View', keys: '$mod+=', inFields: true, run: () => attempt(zoom.step(1)) },
    { key: 'smaller', title: 'Smaller text', group: 'View', keys: '$mod+-', inFields: true, run: () => attempt(zoom.step(-1)) },
    { key: 'own-size', title: 'Text at 100 %', group: 'View', keys: '$mod+0', inFields: true, run: () => attempt(zoom.set(100)) },
    { key: 'refresh', title: 'Ask again now', group: 'View', keys: 'r', run: pullAll },
    { key: 'shortcuts', title: 'Keyboard shortcuts', group: 'View', keys: '?', run: () => overlay.show('shortcuts') },
    { key: 'connect', title: 'Add a connection…', group: 'Connection', run: () => overlay.show('connect') },
    ...(program.state?.connections ?? [])
      .filter((one) => one.id !== program.state?.current?.id)
      .map((one): Action => ({ key: `open-${one.id}`, title: `Open ${one.name}`, group: 'Connection', run: () => void program.open(one.id) })),
    { key: 'down', title: 'Next row', group: 'Lists', keys: 'j', elsewhere: true, run: nothing },
    { key: 'up', title: 'Previous row', group: 'Lists', keys: 'k', elsewhere: true, run: nothing },
    { key: 'enter', title: 'Open the row', group: 'Lists', keys: 'Enter', elsewhere: true, run: nothing },
    { key: 'filter', title: 'Filter', group: 'Lists', keys: '/', elsewhere: true, run: nothing },
    { key: 'select', title: 'Select the row, where rows can be selected', group: 'Lists', keys: 'x', elsewhere: true, run: nothing },
    { key: 'extend', title: 'Select up to the next row', group: 'Lists', keys: 'Shift+J', elsewhere: true, run: nothing },
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
