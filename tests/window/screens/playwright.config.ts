/** Owns how the screens tests run: on `liftdeck serve` over the stage's worlds, in the system's Chromium. */
import { defineConfig } from '@playwright/test';

import { stagePort } from './world';

export default defineConfig({
  testDir: '.',
  // The hostile texts are a separate step of the harness, with its own size.
  testIgnore: process.env.LIFTDECK_HOSTILE ? [] : ['hostile.spec.ts'],
  outputDir: '../../../ui/test-results/screens',
  fullyParallel: true,
  workers: 2,
  reporter: [['list']],
  forbidOnly: true,
  // If so many fail, they fail for one reason, and each of the others would take its whole time to say the same.
  maxFailures: 10,
  // No screen needs this long, but a busy machine with two slow cores may.
  timeout: 600_000,
  expect: { timeout: 180_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
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
    command: `${process.env.CARGO_TARGET_DIR ?? '../target'}/debug/stage --port ${stagePort}`,
    cwd: '../../../ui',
    url: `http://127.0.0.1:${stagePort}/ready`,
    timeout: 60_000,
  },
});
