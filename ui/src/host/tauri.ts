/** Owns the host inside the program: Tauri's calls and events, the web view's zoom, the window's title, the system's dialogs. No logic. */
import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { getCurrentWindow } from '@tauri-apps/api/window';
import { createCalls, type Changed, type Health } from './bindings.gen';
import type { Host } from './host';

export const tauriHost: Host = {
  ...createCalls(invoke),
  onChanged: (listener) => listen<Changed>('changed', (event) => listener(event.payload)),
  onHealth: (listener) => listen<Health>('health', (event) => listener(event.payload)),
  zoomSet: (factor) => getCurrentWebview().setZoom(factor),
  titleSet: (title) => getCurrentWindow().setTitle(title),
  zipPick: () => invoke<string | null>('file_pick'),
};
