// Finds a Chromium for Playwright, or gets one: the system's, Playwright's own, or Debian's package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { runTool } from './run-tool.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * Sets PLAYWRIGHT_CHROMIUM_PATH, which playwright.config.ts reads, to a Chromium that runs here.
 * @throws Error that says what to install when there is none and none could be got.
 */
export async function prepareBrowser(root: string): Promise<void> {
  const path = findChromium() ?? (await downloadChromium(root)) ?? installDebianChromium();
  if (!path) {
    throw new Error(
      'There is no Chromium for the browser tests, and none could be downloaded or installed. Install one ' +
        '(Debian: apt-get install chromium) or set PLAYWRIGHT_CHROMIUM_PATH to an executable.',
    );
  }
  process.env['PLAYWRIGHT_CHROMIUM_PATH'] = path;
  console.log(`Browser: ${path}`);
}

function findChromium(): string | null {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  const candidates = [
    process.env['PLAYWRIGHT_CHROMIUM_PATH'] ?? '',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    MAC_CHROME,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== '' && existsSync(path) && runs(path)) ?? null;
}

async function downloadChromium(root: string): Promise<string | null> {
  console.log("Downloading Playwright's Chromium");
  try {
    await runTool(root, 'playwright', ['install', 'chromium'], { quiet: true, timeoutSeconds: 300 });
  } catch (error) {
    console.log(
      `It cannot be downloaded: ${(error as Error).message.trim().split('\n').slice(-3).join(' ')}`,
    );
  }
  return findChromium();
}

function installDebianChromium(): string | null {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return null;
  console.log("Installing Debian's chromium");
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  return findChromium();
}

function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { timeout: 30_000, stdio: 'ignore' }).status === 0;
}
