import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The shell without a window takes 40% of the processor time of a whole Chromium, which draws one that nobody sees.
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
// Set by `npm test` (.ci/browser.ts); without any of them it is Playwright's own.
const chromiumPath = process.env['PLAYWRIGHT_CHROMIUM_PATH'] ?? INSTALLED.find((path) => existsSync(path));

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  globalTimeout: 60 * 60_000,
  // Conditions come in milliseconds, and later on a machine that is busy.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  // More would have products of their own (e2e/fixtures.ts), but another lane of `npm test` needs the other core.
  workers: 1,
  // What passes only at a second attempt is broken.
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  outputDir: 'test-results',
  use: {
    // Takes much of a core; with `--trace on` it shows what happened.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Nothing slides from under a click.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(chromiumPath ? { executablePath: chromiumPath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
});
