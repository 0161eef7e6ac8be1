import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Set by `npm test` (.ci/browser.ts); run by hand, the system's Chromium or else Playwright's own is used.
const chromiumPath =
  process.env['PLAYWRIGHT_CHROMIUM_PATH'] ??
  (existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : undefined);

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  globalTimeout: 60 * 60_000,
  // Conditions come in milliseconds, and later on a machine that is busy.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // More would have products of their own (e2e/fixtures.ts), but another lane of `npm test` needs the other core.
  workers: 1,
  // A test that needs it is named in the summary. Only the second attempt is traced: tracing all takes much of a core.
  retries: 1,
  forbidOnly: Boolean(process.env['CI']),
  outputDir: 'test-results',
  use: {
    trace: 'on-first-retry',
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
