import { test as base } from '@playwright/test';
import { Api, Sandbox } from './http-clients.ts';

interface Fixtures {
  api: Api;
  sandbox: Sandbox;
}

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run the specs with Playwright, whose global setup sets it.`);
  return value;
};

/** A test with a page of the signed-in owner, the REST API and the sandbox. */
export const test = base.extend<Fixtures>({
  baseURL: async ({}, use) => use(setting('E2E_BASE_URL')),
  storageState: async ({}, use) => use(setting('E2E_STATE_PATH')),
  api: async ({ baseURL }, use) => use(new Api(baseURL ?? '', setting('E2E_API_KEY'))),
  sandbox: async ({}, use) => use(new Sandbox(setting('E2E_SANDBOX_URL'))),
});

export { expect } from '@playwright/test';
