/**
 * Owns how the web UI is built. Mode `fake` puts the in-memory host into the bundle (development, screens tests);
 * every other mode leaves it out, so a release can never show invented data.
 */
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const room = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));

/** The same policy the window has: what works in preview works in the program. */
const csp =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ipc: http://ipc.localhost";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  define: { __FAKE_HOST__: JSON.stringify(mode === 'fake' || mode === 'test') },
  resolve: {
    alias: {
      $app: room('app'),
      $host: room('host'),
      $kit: room('kit'),
      $lib: room('lib'),
      $live: room('live'),
      $parts: room('parts'),
      $views: room('views'),
    },
    conditions: mode === 'test' ? ['browser'] : undefined,
  },
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  preview: { port: 4173, headers: { 'Content-Security-Policy': csp } },
  build: {
    target: 'safari16.4',
    outDir: mode === 'fake' ? 'dist-fake' : 'dist',
    modulePreload: { polyfill: false },
    // An inlined font is a data: URL, which the policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    // Not one of them takes a second; loading what it needs may, on a slow machine.
    testTimeout: 30_000,
    // Loaded by vitest itself, so that a test can load it anew under another locale.
    server: { deps: { inline: ['uplot'] } },
  },
}));
