/** Owns the host inside the program: the generated command wrappers and the two events. No logic. */
import { commands, events } from './bindings.gen';
import type { Host } from './host';

export const tauriHost: Host = {
  ...commands,
  onChanged: (listener) => events.changed.listen((event) => listener(event.payload)),
  onHealth: (listener) => events.health.listen((event) => listener(event.payload)),
};
