// `npm run screens`: writes a picture of every screen, light and dark, to docs/screens; `npm run screens -- alert` of those whose
// name has that word.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { expect } from './expect.ts';
import config from '../playwright.config.ts';
import { createOwner } from './first-start.ts';
import { Api, Sandbox } from './http-clients.ts';
import { startMailServer } from '../lib/testing/mail-server.ts';
import { listScreens, seed } from './seed.ts';
import { seedPictures } from './seed-pictures.ts';
import { waitUntilSettled } from './settled.ts';
import { type Product, startProduct } from './start-product.ts';

const FOLDER = join(dirname(import.meta.dirname), 'docs', 'screens');
const ONLY = process.argv[2] ?? '';
const CONVERSATION = { width: { canvas: 1100, phone: 440 }, height: 860 };
const SIZE = { width: 1280, height: 860 };

interface Screen {
  name: string;
  path: string;
  prepare?: (page: Page) => Promise<void>;
}

/** Pictures of the guide to alerts, each at the step of its text. */
const ALERT_SCREENS: Screen[] = [
  {
    name: 'settings-alerts',
    path: '/settings/alerts',
    async prepare(page) {
      await expect(async () => {
        await page.reload();
        await expect(page.getByRole('listitem').getByText('Sent').first()).toBeVisible({ timeout: 1000 });
      }).toPass({ timeout: 60_000 });
      await waitUntilSettled(page);
    },
  },
  {
    name: 'settings-alert-destination',
    path: '/settings/alerts',
    async prepare(page) {
      await page.getByRole('button', { name: 'Add destination' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: 'Webhook' }).click();
      await dialog.getByLabel('Name').fill('On call');
      await dialog.getByLabel('URL').fill('https://alerts.example.com/patchbay');
    },
  },
];

/** Picture of the front page: the workflow's run on the canvas, and the customer's phone beside it. */
async function takeConversation(page: Page, product: Product, path: string): Promise<void> {
  const { width, height } = CONVERSATION;
  await page.setViewportSize({ width: width.canvas, height });
  await page.goto(product.baseUrl + path);
  await waitUntilSettled(page);
  const canvas = await page.screenshot({ animations: 'disabled' });
  await page.setViewportSize({ width: width.phone, height });
  const href = await page.getByRole('link', { name: 'Open the phone' }).first().getAttribute('href');
  await page.goto(href ?? '');
  await expect(page.getByText('Which day suits you better?').last()).toBeVisible();
  const phone = await page.screenshot({ animations: 'disabled' });
  const toImage = (picture: Buffer): string =>
    `<img src="data:image/png;base64,${picture.toString('base64')}">`;
  await page.setViewportSize({ width: width.canvas + width.phone, height });
  await page.setContent(
    `<body style="margin:0;display:flex">${[canvas, phone].map(toImage).join('')}</body>`,
  );
  await page.screenshot({ path: join(FOLDER, 'conversation.png') });
  console.log('docs/screens/conversation.png');
}

async function takePictures(browser: Browser, product: Product): Promise<void> {
  const first = await browser.newContext({ viewport: SIZE });
  await createOwner(await first.newPage(), product.baseUrl);
  const storageState = await first.storageState();
  const [api, sandbox] = [new Api(product.baseUrl, product.apiKey), new Sandbox(product.sandboxUrl)];
  const seeded = await seed(api, sandbox);
  const screens: Screen[] = [
    ...listScreens(seeded),
    ...(await seedPictures(api, sandbox, seeded.connectionId)),
  ].filter(({ name }) => !ALERT_SCREENS.some((own) => own.name === name));
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: SIZE, colorScheme, storageState });
    const page = await context.newPage();
    for (const { name, path, prepare } of [...screens, ...ALERT_SCREENS]) {
      if (!name.includes(ONLY)) continue;
      await page.goto(product.baseUrl + path);
      await waitUntilSettled(page);
      await prepare?.(page);
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' });
      console.log(`docs/screens/${name}-${colorScheme}.png`);
    }
    const conversation = screens.find(({ name }) => name === 'run-conversation');
    if (colorScheme === 'light' && conversation && 'conversation'.includes(ONLY))
      await takeConversation(page, product, conversation.path);
    await context.close();
  }
}

mkdirSync(FOLDER, { recursive: true });
const mail = await startMailServer();
const product = await startProduct(mail.settings);
try {
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  try {
    await takePictures(browser, product);
  } finally {
    await browser.close();
  }
} finally {
  await product.stop();
  await mail.close();
}
