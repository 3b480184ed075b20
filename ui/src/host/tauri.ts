/** Owns the host inside the program: the generated command wrappers plus the two events. No logic. */
import { listen } from '@tauri-apps/api/event';
import { commands, type Changed, type Health } from './bindings.gen';
import type { Host } from './host';

export const tauriHost: Host = {
  ...commands,
  onChanged: (listener) => listen<Changed>('changed', (event) => listener(event.payload)),
  onHealth: (listener) => listen<Health>('health', (event) => listener(event.payload)),
};
