import { test as base } from '@playwright/test';
import { createOwner } from './first-start.ts';
import { Api, Sandbox } from './http-clients.ts';
import { seed, type Seeded } from './seed.ts';
import { type Product, startProduct } from './start-product.ts';
import { type Visit, visitScreens } from './visits.ts';

interface Fixtures {
  api: Api;
  sandbox: Sandbox;
}

interface WorkerFixtures {
  /** The product that all specs of one Playwright worker share, with its owner signed in. */
  product: Product & { ownerStatePath: string };
  /** The content of every screen. */
  seeded: Seeded;
  /** The findings of every screen; only tests that use it wait for it. */
  visits: Visit[];
}

const START_TIMEOUT_MS = 3 * 60_000;
const VISITS_TIMEOUT_MS = 8 * 60_000;

/** A test with a page of the signed-in owner, the REST API and the sandbox. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    async ({ browser }, use, { project, parallelIndex }) => {
      const product = await startProduct();
      try {
        const ownerStatePath = `${project.outputDir}/owner-${parallelIndex}.json`;
        const page = await browser.newPage();
        await createOwner(page, product.baseUrl);
        await page.context().storageState({ path: ownerStatePath });
        await page.close();
        await use({ ...product, ownerStatePath });
      } finally {
        await product.stop();
      }
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],
  seeded: [
    async ({ product }, use) => {
      const api = new Api(product.baseUrl, product.apiKey);
      await use(await seed(api, new Sandbox(product.sandboxUrl)));
    },
    { scope: 'worker' },
  ],
  visits: [
    async ({ browser, product, seeded }, use) =>
      use(
        await visitScreens(browser, seeded, {
          baseURL: product.baseUrl,
          storageState: product.ownerStatePath,
        }),
      ),
    { scope: 'worker', timeout: VISITS_TIMEOUT_MS },
  ],
  baseURL: async ({ product }, use) => use(product.baseUrl),
  storageState: async ({ product }, use) => use(product.ownerStatePath),
  api: async ({ product }, use) => use(new Api(product.baseUrl, product.apiKey)),
  sandbox: async ({ product }, use) => use(new Sandbox(product.sandboxUrl)),
});

export { expect } from '@playwright/test';
