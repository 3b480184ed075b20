/** Owns binding the keys of the global actions to the window. */
import { tinykeys } from 'tinykeys';
import { isTaken } from '$kit/keys';
import { actions } from './actions';
import { operate } from '$live/operate.svelte';
import { overlay } from './overlay.svelte';

/** Binds every action that has keys. Returns a function that unbinds them. */
export function startShortcuts(): () => void {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  for (const action of actions()) {
    if (!action.keys || action.elsewhere || action.group === 'This screen') continue;
    const { key, inFields = false } = action;
    const run = (event: KeyboardEvent) => {
      if (event.defaultPrevented || (!inFields && isOthers(event)) || operate.flow !== null) return;
      event.preventDefault();
      // Looked up again, because what an action does depends on the current state.
      actions()
        .find((one) => one.key === key)
        ?.run();
    };
    bindings[action.keys] = run;
    // Where `?` needs Shift, the browser reports Shift too.
    if (action.keys === '?') bindings['Shift+?'] = run;
    // Plus shares a key with the equals sign on some keyboards and has its own on others.
    if (action.keys === '$mod+=') bindings['$mod+Shift++'] = bindings['$mod++'] = run;
  }
  const unbind = tinykeys(window, bindings);
  window.addEventListener('keydown', runOffer);
  return () => {
    unbind();
    window.removeEventListener('keydown', runOffer);
  };
}

/** A screen's own actions come and go with it, so their keys are looked up on each press. */
function runOffer(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isOthers(event)) return;
  const own = actions().find((one) => one.group === 'This screen' && one.keys === event.key);
  if (!own) return;
  event.preventDefault();
  own.run();
}

const isOthers = (event: KeyboardEvent): boolean => overlay.shown !== null || isTaken(event);
