// Once before all specs: the product, and its owner. What the specs need of it is passed on in the environment.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type FullConfig } from '@playwright/test';
import { createOwner } from './first-start.ts';
import { startProduct } from './start-product.ts';

export default async function globalSetup(config: FullConfig): Promise<() => Promise<void>> {
  const product = await startProduct();
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-e2e-session-'));
  const statePath = join(folder, 'state.json');
  const browser = await chromium.launch(config.projects[0]?.use.launchOptions ?? {});
  try {
    const page = await browser.newPage();
    await createOwner(page, product.baseUrl);
    await page.context().storageState({ path: statePath });
  } catch (error) {
    await product.stop();
    throw error;
  } finally {
    await browser.close();
  }
  process.env['E2E_BASE_URL'] = product.baseUrl;
  process.env['E2E_SANDBOX_URL'] = product.sandboxUrl;
  process.env['E2E_API_KEY'] = product.apiKey;
  process.env['E2E_STATE_PATH'] = statePath;
  return async () => {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
