// A new user with only the documents: follows First flow and the first day of operations completely, in a new folder, with a
// browser, a terminal and a mailbox.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareBrowser } from '../.ci/browser.ts';
import {
  type Block,
  NEWCOMERS_WAY,
  placeOf,
  readBlocks,
  reasonNotToRun,
} from '../docs/testing/read-blocks.ts';
import { CanvasDriver } from '../e2e/canvas-driver.ts';
import { expect as see } from '../e2e/expect.ts';
import { type MailServer, startMailServer } from '#lib/testing/mail-server.ts';
import { waitUntilSettled } from '../e2e/settled.ts';
import config from '../playwright.config.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { buildIfNeeded } from './launcher/build.ts';
import { root } from './root.ts';
import { copyClone } from './testing/copy-clone.ts';
import { type Service, Terminal } from './testing/terminal.ts';

const [FIRST_FLOW, FIRST_DAY] = NEWCOMERS_WAY;
/** On a busy machine, too. */
const PAGE_TIMEOUT_MS = 120_000;
const READY = 'Patchbay is ready at http://localhost:';
const OWNER = { email: 'newcomer@example.com', password: 'correct horse battery staple' };

const place = mkdtempSync(join(tmpdir(), 'patchbay-newcomer-'));
const clone = join(place, 'patchbay');
let mail: MailServer;
let browser: Browser;
let page: Page;
let terminal: Terminal;
let url: string;
let sandboxUrl: string;
let service: Service | undefined;

beforeAll(async () => {
  chmodSync(place, 0o711);
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  await prepareBrowser(root);
  copyClone(root, clone);
  mail = await startMailServer();
  const [port, sandboxPort, metricsPort] = [
    await findFreePort(),
    await findFreePort(),
    await findTwoFreePorts(),
  ];
  url = `http://localhost:${port}`;
  sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  terminal = new Terminal({
    folder: clone,
    place,
    root: clone,
    // The documents have the default ports, which may be taken here.
    environment: {
      ...ownEnvironment(),
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      LOG_LEVEL: 'warn',
    },
    replacements: [
      ['http://localhost:3000', url],
      ['http://127.0.0.1:4010', sandboxUrl],
      ['smtp://127.0.0.1:2525', mail.settings.SMTP_URL],
      ['9464', String(metricsPort)],
    ],
  });
  const executablePath = process.env['PLAYWRIGHT_CHROMIUM_PATH'];
  browser = await chromium.launch({
    ...config.use?.launchOptions,
    ...(executablePath ? { executablePath } : {}),
  });
  page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await service?.interrupt();
  await mail?.close();
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
});

/** A port and the one after it, for the metrics of web process and worker. @returns the first one */
async function findTwoFreePorts(): Promise<number> {
  for (let port = await findFreePort(); ; port = await findFreePort()) {
    const next = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      next.once('error', () => resolve(false));
      next.listen(port + 1, '127.0.0.1', () => next.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Without the settings of other tests. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, npm_config_cache } = process.env;
  return { PATH, HOME, LANG, ...(npm_config_cache ? { npm_config_cache } : {}), NODE_ENV: 'production' };
}

/** Follows a document: its blocks in order, and the instructions between them. */
class Reader {
  readonly #text: string;
  readonly #blocks: Block[];

  constructor(file: string) {
    this.#text = readFileSync(join(root, file), 'utf8');
    this.#blocks = readBlocks(root, file).filter((block) => reasonNotToRun(block) === null);
  }

  /** @throws Error where the document does not name it in bold */
  reads(label: string): string {
    expect(this.#text).toMatch(
      new RegExp(`\\*\\*[^*]*${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[^*]*\\*\\*`),
    );
    return label;
  }

  /** Presses the button that the document names. */
  async presses(label: string, among: Pick<Page, 'getByRole'> = page): Promise<void> {
    await among.getByRole('button', { name: this.reads(label), exact: true }).click();
  }

  /** Runs the next block; a service is left running. */
  async runsNext(): Promise<void> {
    const block = this.#blocks.shift();
    if (block?.language !== 'sh')
      throw new Error(`No command is left: ${block ? placeOf(block) : 'the end'}`);
    try {
      if (block.info === 'service') service = await terminal.serve(block.text, READY);
      else {
        const expected = this.#blocks[0]?.language === 'output' ? this.#blocks.shift()?.text : undefined;
        await terminal.run(block.text, expected);
      }
    } catch (cause) {
      throw new Error(`${placeOf(block)}: ${(cause as Error).message}`, { cause });
    }
  }

  get commandsLeft(): string[] {
    return this.#blocks.map(placeOf);
  }
}

async function interrupt(): Promise<void> {
  await service?.interrupt();
  service = undefined;
}

test('First flow: from nothing to a message, and the API', async () => {
  const reader = new Reader(FIRST_FLOW);
  await reader.runsNext();

  await page.goto(url);
  await waitUntilSettled(page);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await reader.presses('Create the owner account');
  await page.waitForURL('**/workflows');
  await waitUntilSettled(page);

  expect(reader.reads('Use this')).toBe('Use this');
  await page.getByRole('button', { name: 'Use “Order confirmation”' }).click();
  await reader.presses('Connect an account', page.getByRole('dialog'));
  await page.getByRole('button', { name: /^A?\s*Admin/ }).click();
  await reader.presses('Allow');
  await page.waitForURL('**/connections/new?login=*');
  await waitUntilSettled(page);
  await reader.presses('Save connection');
  await reader.presses('Create workflow', page.getByRole('dialog'));
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}$/);

  await page.getByRole('button', { name: /^Publish/ }).click();
  await reader.presses('Publish workflow', page.getByRole('dialog'));
  await reader.presses('Send the sample now');
  await see(page.getByRole('complementary', { name: 'After publishing' }).getByRole('status')).toContainText(
    'The caller got status 200',
  );
  await expect.poll(listSent).toContainEqual(expect.stringContaining('A-1001'));

  const phone = page.getByRole('link', { name: reader.reads('Open the phone') });
  await see(phone).toHaveAttribute('href', `${sandboxUrl}/`);

  reader.reads('Production URL');
  const canvas = new CanvasDriver(page);
  await canvas.fit();
  await canvas.openTask('New order');
  terminal.copy('production_url', (await canvas.urls()).production);
  await reader.runsNext();
  await expect.poll(async () => (await listSent()).length).toBe(2);

  await page.goto(`${url}/settings/api-keys`);
  await waitUntilSettled(page);
  await reader.presses('Create key');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('My terminal');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog
    .locator('code, pre')
    .filter({ hasText: /^pb_\S+$/ })
    .first()
    .textContent();
  terminal.copy('api_key', key?.trim() ?? '');
  await reader.runsNext();
  expect(reader.commandsLeft).toEqual([]);
});

test('the first day of operations: metrics, an alert, a backup, everything lost, restored, continued', async () => {
  const reader = new Reader(FIRST_DAY);
  await interrupt();
  await reader.runsNext();
  await reader.runsNext();
  await reader.runsNext();
  const alert = await mail.waitForMail('Order confirmation');
  expect(alert).toContain(`To: ${OWNER.email}`);
  await reader.runsNext();
  await interrupt();
  await reader.runsNext();
  await reader.runsNext();
  await reader.runsNext();
  await page.goto(`${url}/workflows`);
  await see(page.getByRole('link', { name: 'Order confirmation' }).first()).toBeVisible();
  await reader.runsNext();
  await expect.poll(listSent).toContainEqual(expect.stringContaining('A-1004'));
  await reader.runsNext();
  expect(reader.commandsLeft).toEqual([]);
});

/** The texts on the sandbox's phones. */
async function listSent(): Promise<string[]> {
  const response = await fetch(`${sandboxUrl}/__sandbox/messages?direction=out`);
  const { data } = (await response.json()) as { data: { text: string }[] };
  return data.map(({ text }) => text);
}
