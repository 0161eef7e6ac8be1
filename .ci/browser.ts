// Finds a Chromium for Playwright, or gets one. Prefers one without a window: it takes 40% of the processor time.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { runTool } from './run-tool.ts';

const SHELL = 'chromium-headless-shell';
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
/** Value of `PLAYWRIGHT_CHROMIUM_PATH`: the one that Playwright downloaded, which it finds without a path. */
const PLAYWRIGHTS_OWN = '';
const APT_TIMEOUT_MS = 300_000;

/**
 * Sets PLAYWRIGHT_CHROMIUM_PATH, which playwright.config.ts reads, to a Chromium that runs here.
 * @throws Error that says what to install when there is none and none could be downloaded.
 */
export async function prepareBrowser(root: string): Promise<void> {
  const path =
    findRunning([process.env['PLAYWRIGHT_CHROMIUM_PATH'] ?? '', ...listPaths([SHELL])]) ??
    (await findPlaywrights()) ??
    installFromDebian(SHELL) ??
    findRunning([...listPaths(WHOLE), MAC_CHROME]) ??
    (await downloadPlaywrights(root)) ??
    installFromDebian('chromium');
  if (path === null) {
    throw new Error(
      'There is no Chromium for the browser tests, and none could be downloaded or installed. Install one ' +
        `(Debian: apt-get install ${SHELL}) or set PLAYWRIGHT_CHROMIUM_PATH to an executable.`,
    );
  }
  process.env['PLAYWRIGHT_CHROMIUM_PATH'] = path;
  console.log(`Browser: ${path === PLAYWRIGHTS_OWN ? "Playwright's own" : path}`);
}

function listPaths(names: readonly string[]): string[] {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

const findRunning = (paths: readonly string[]): string | null =>
  paths.find((path) => path !== '' && existsSync(path) && runs(path)) ?? null;

function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { timeout: 30_000, stdio: 'ignore' }).status === 0;
}

/** Playwright does not report the path of its headless shell, which it starts when headless. */
async function findPlaywrights(): Promise<string | null> {
  try {
    await (await chromium.launch({ args: ['--no-sandbox'] })).close();
    return PLAYWRIGHTS_OWN;
  } catch {
    return null;
  }
}

async function downloadPlaywrights(root: string): Promise<string | null> {
  console.log("Downloading Playwright's Chromium");
  try {
    const parameters = ['install', '--only-shell', 'chromium'];
    await runTool(root, 'playwright', parameters, { quiet: true, timeoutSeconds: 300 });
  } catch (error) {
    console.log(
      `It cannot be downloaded: ${(error as Error).message.trim().split('\n').slice(-3).join(' ')}`,
    );
  }
  return findPlaywrights();
}

function installFromDebian(name: string): string | null {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return null;
  console.log(`Installing Debian's ${name}`);
  const options = {
    stdio: 'ignore' as const,
    timeout: APT_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
  return findRunning(listPaths([name]));
}
