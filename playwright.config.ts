import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The shell without a window takes 40% of the processor time of a whole Chromium, which renders an invisible one.
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
// Set by `npm test` (.ci/browser.ts); without it, Playwright's own.
const chromiumPath = process.env['PLAYWRIGHT_CHROMIUM_PATH'] ?? INSTALLED.find((path) => existsSync(path));

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  globalTimeout: 60 * 60_000,
  // Conditions are met within milliseconds, or later on a busy machine.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Each has its own product (e2e/fixtures.ts), and another step of `npm test` needs the other core.
  workers: 1,
  // A test that only passes on a retry is broken.
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  outputDir: 'test-results',
  use: {
    // Takes much of a core; enable it with `--trace on`.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Nothing moves under a click.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromiumPath ? { executablePath: chromiumPath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages are short-lived: to optimize their code takes more processor time than it saves.
        '--js-flags=--no-opt,--no-maglev',
      ],
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
});
