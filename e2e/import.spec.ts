import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { axeOn } from './settled.ts';

const BROKEN = {
  name: 'Broken',
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
    { id: 2, type: 'carrier_pigeon', name: 'Pigeon', settings: {} },
    { id: 3, type: 'delay', name: 'Wait', settings: {} },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 3, to: 2 },
  ],
};

test('a broken file is refused with a list of what is wrong and where', async ({ page }) => {
  await openPage(page, '/workflows?import=1');
  const dialog = page.getByRole('dialog', { name: 'Import a workflow' });
  await dialog.getByLabel('File', { exact: true }).setInputFiles({
    name: 'broken.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(BROKEN)),
  });
  const problems = dialog.getByRole('alert');
  await expect(problems).toContainText('1 problem');
  await expect(problems).toContainText('Task "Pigeon", Type');
  await expect(problems).toContainText('carrier_pigeon');
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0);
});

test('a text that is no JSON says where it stops being one', async ({ page }) => {
  await openPage(page, '/workflows?import=1');
  const dialog = page.getByRole('dialog', { name: 'Import a workflow' });
  await dialog.getByLabel('Or paste the JSON').fill('{"name": "Half"\n  "tasks": []}');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await expect(dialog.getByRole('alert')).toContainText('line 2');
});

test('what was exported can be imported', async ({ page, api }) => {
  const { id } = await api.post<{ id: string }>('/workflows', {
    name: 'There and back',
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'In', settings: {} }],
    edges: [],
  });
  const exported = await api.get<object>(`/workflows/${id}`);
  await openPage(page, '/workflows?import=1');
  const dialog = page.getByRole('dialog', { name: 'Import a workflow' });
  await dialog.getByLabel('Or paste the JSON').fill(JSON.stringify(exported));
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  expect(page.url()).not.toContain(id);
});

async function expectAccessible(page: Page): Promise<void> {
  // Elements have less contrast while they fade in.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  const { violations } = await (await axeOn(page)).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
}

const KEYS = {
  bearer: 'sk_live_0123456789abcdefghijklmn',
  token: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  /** Under a meaningless name. */
  unnamed: 'kT9vQ2xLr7Zp4WcY8sHd3NfB6mJg1AeU',
};
const WITH_KEYS = {
  name: 'With keys',
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
    {
      id: 2,
      type: 'http_request',
      name: 'Ask the shop',
      settings: {
        url: 'https://shop.example.com/orders',
        headers: [
          { name: 'Authorization', value: `Bearer ${KEYS.bearer}` },
          { name: 'X-Shop', value: 'berlin' },
          { name: 'X-Ref', value: KEYS.unnamed },
          { name: 'X-Api-Key', value: '{{secret.imported_key}}' },
        ],
        query: [{ name: 'token', value: KEYS.token }],
      },
    },
  ],
  edges: [{ from: 1, to: 2 }],
};

test('keys in plain text are warned about by task and field; after the import they are hidden, or can be moved', async ({
  page,
  api,
}) => {
  await openPage(page, '/workflows?import=1');
  const dialog = page.getByRole('dialog', { name: 'Import a workflow' });
  await dialog.getByLabel('File', { exact: true }).setInputFiles({
    name: 'with-keys.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(WITH_KEYS)),
  });
  const warnings = dialog.getByRole('alert').filter({ hasText: 'warning' });
  await expect(warnings.getByText('3 warnings', { exact: true })).toBeVisible();
  const items = warnings.getByRole('listitem');
  await expect(items).toHaveText([/value of token/, /value of Authorization/, /value of X-Ref/]);
  for (const item of await items.all()) {
    await expect(item).toContainText('Task "Ask the shop"');
    await expect(item).toContainText('looks like a key in plain text');
    await expect(item).toContainText('Settings → Secrets');
  }
  for (const key of Object.values(KEYS)) await expect(warnings).not.toContainText(key);
  await expect(dialog.getByText('“With keys” can be imported')).toBeVisible();
  await expectAccessible(page);

  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const imported = JSON.stringify(await api.get<object>(`/workflows/${id}`));
  expect(imported).not.toContain(KEYS.bearer);
  expect(imported).not.toContain(KEYS.token);
  // It is recognized by its look only: it stays, and the editor shows the fix.
  expect(imported).toContain(KEYS.unnamed);
});

test('a file whose keys are secrets of the workspace has no warnings', async ({ page }) => {
  const [trigger, task] = WITH_KEYS.tasks;
  const settings = {
    url: 'https://shop.example.com/orders',
    headers: [
      { name: 'Authorization', value: 'Bearer {{secret.imported_key}}' },
      { name: 'X-Stored', value: '••••••' },
    ],
  };
  await openPage(page, '/workflows?import=1');
  const dialog = page.getByRole('dialog', { name: 'Import a workflow' });
  await dialog
    .getByLabel('Or paste the JSON')
    .fill(JSON.stringify({ ...WITH_KEYS, tasks: [trigger, { ...task, settings }] }));
  await dialog.getByRole('button', { name: 'Check' }).click();
  await expect(dialog.getByText('“With keys” can be imported')).toBeVisible();
  await expect(dialog.getByText('looks like a key')).toHaveCount(0);
});
