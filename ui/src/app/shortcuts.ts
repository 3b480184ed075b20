/** Owns binding the keys of the action registry to the window. */
import { tinykeys } from 'tinykeys';
import { isTyping } from '$kit/keys';
import { actions } from './actions';
import { operate } from '$live/operate.svelte';
import { overlay } from './overlay.svelte';

/** Binds every action that has keys. Returns how to unbind. */
export function startShortcuts(): () => void {
  const bindings: Record<string, (event: KeyboardEvent) => void> = {};
  for (const action of actions()) {
    if (!action.keys || action.elsewhere) continue;
    const { key, inFields = false } = action;
    const run = (event: KeyboardEvent) => {
      // A dialog has the keys to itself; only what works in fields may still close or open the frame's own.
      const taken =
        isTyping(event) || overlay.shown !== null || document.querySelector('[role=dialog]') !== null;
      if (event.defaultPrevented || (!inFields && taken) || operate.flow !== null) return;
      event.preventDefault();
      // Looked up again, because what an action does depends on the state of now.
      actions()
        .find((one) => one.key === key)
        ?.run();
    };
    bindings[action.keys] = run;
    // Where `?` needs Shift, the browser reports both.
    if (action.keys === '?') bindings['Shift+?'] = run;
  }
  return tinykeys(window, bindings);
}
