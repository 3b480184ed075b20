/** Owns how the screens tests run: the fake host's build, served, in the machine's own Chromium. */
import { defineConfig } from '@playwright/test';

const port = 4311;

export default defineConfig({
  testDir: '.',
  // A step of the harness, with its own size.
  testIgnore: process.env.LIFTDECK_HOSTILE ? [] : ['hostile.spec.ts'],
  outputDir: '../../../ui/test-results',
  fullyParallel: true,
  workers: 2,
  reporter: [['list']],
  forbidOnly: true,
  // No screen needs as long; a machine of two slow cores that does other things besides may.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `npm run build:fake && npm run preview:fake -- --port ${port} --strictPort`,
    cwd: '../../../ui',
    url: `http://localhost:${port}`,
    timeout: 300_000,
  },
});
