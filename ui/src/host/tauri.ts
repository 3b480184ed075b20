/** Owns the host inside the program: Tauri's calls and events, the web view's zoom, the window's title, the system's dialogs and notifications. No logic. */
import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { getCurrentWindow } from '@tauri-apps/api/window';
import { createCalls, type Changed, type Health } from './bindings.gen';
import type { Host, Place } from './host';

export const tauriHost: Host = {
  ...createCalls(invoke),
  onChanged: (listener) => listen<Changed>('changed', (event) => listener(event.payload)),
  onHealth: (listener) => listen<Health>('health', (event) => listener(event.payload)),
  zoomSet: (factor) => getCurrentWebview().setZoom(factor),
  titleSet: (title) => getCurrentWindow().setTitle(title),
  zipPick: () => invoke<string | null>('file_pick'),
  onPlace: (listener) => listen('place', listener),
  placeTake: () => invoke<Place | null>('place_take'),
  notifications: {
    test: () => invoke('notification_test'),
    trouble: () => invoke<string | null>('notification_trouble'),
  },
};
