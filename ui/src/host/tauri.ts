/** Owns the host inside the program: the generated command wrappers, the two events, the web view's zoom. No logic. */
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { commands, events } from './bindings.gen';
import type { Host } from './host';

export const tauriHost: Host = {
  ...commands,
  onChanged: (listener) => events.changed.listen((event) => listener(event.payload)),
  onHealth: (listener) => events.health.listen((event) => listener(event.payload)),
  zoomSet: (factor) => getCurrentWebview().setZoom(factor),
};
