// `npm run screens`: writes a picture of every screen, light and dark, to docs/screens.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import config from '../playwright.config.ts';
import { createOwner } from './first-start.ts';
import { Api, Sandbox } from './http-clients.ts';
import { listScreens, seed } from './seed.ts';
import { waitUntilSettled } from './settled.ts';
import { type Product, startProduct } from './start-product.ts';

const FOLDER = join(dirname(import.meta.dirname), 'docs', 'screens');
const SIZE = { width: 1280, height: 860 };

async function takePictures(browser: Browser, product: Product): Promise<void> {
  const first = await browser.newContext({ viewport: SIZE });
  await createOwner(await first.newPage(), product.baseUrl);
  const storageState = await first.storageState();
  const screens = listScreens(
    await seed(new Api(product.baseUrl, product.apiKey), new Sandbox(product.sandboxUrl)),
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: SIZE, colorScheme, storageState });
    const page = await context.newPage();
    for (const { name, path } of screens) {
      await page.goto(product.baseUrl + path);
      await waitUntilSettled(page);
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' });
      console.log(`docs/screens/${name}-${colorScheme}.png`);
    }
    await context.close();
  }
}

mkdirSync(FOLDER, { recursive: true });
const product = await startProduct();
try {
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  try {
    await takePictures(browser, product);
  } finally {
    await browser.close();
  }
} finally {
  await product.stop();
}
