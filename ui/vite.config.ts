/**
 * Owns how the web UI is built. `npm run dev` serves the pages from the sources, with answers from
 * `liftdeck serve --listen 127.0.0.1:4310`. Open the link that it prints, with this server's port instead of its own.
 */
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const room = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));

/** Where the pages of a development server send their requests. */
const served = Object.fromEntries(
  ['/ask', '/hints', '/session', '/upload'].map((path) => [path, 'http://127.0.0.1:4310']),
);

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
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
  server: { port: 5173, strictPort: true, proxy: served },
  build: {
    target: 'safari16.4',
    outDir: 'dist',
    modulePreload: { polyfill: false },
    // An inlined font is a data: URL, which the policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  test: {
    environment: 'jsdom',
    // Making a page for each file takes three times as long as the tests; no test leaves anything behind in it.
    isolate: false,
    include: ['src/**/*.test.ts'],
    // No test takes a second, but loading its modules may on a slow machine.
    testTimeout: 30_000,
    // Loaded by vitest itself, so that a test can load it again under another locale.
    server: { deps: { inline: ['uplot'] } },
  },
}));
