// A file of a span of time, downloaded from the lists of events and runs.
import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { type SavedWorkflow, waitForRun } from './seed.ts';

test('events of the last days are downloaded as a file that has them', async ({ page, api }) => {
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name: 'Exported orders',
    publish: true,
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'Order', settings: {} }],
    edges: [],
  });
  await postWebhook(workflow.webhook.production_url, { note: 'Größe, "XL"', formula: '=1+1' });
  const { id } = await waitForRun(api, workflow.id);

  await openPage(page, '/events');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });

  await test.step('a time that ends before it begins is refused at its field', async () => {
    const from = dialog.getByLabel('From');
    const chosen = await from.inputValue();
    await from.fill('2099-01-01T00:00');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog.getByText('Enter a time before “To”.')).toBeVisible();
    await from.fill(chosen);
  });

  const downloads = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const download = await downloads;
  expect(download.suggestedFilename()).toMatch(/^events-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toMatch(/^\uFEFFid,received_at,/);
  expect(text.split('\r\n').find((line) => line.includes(workflow.id))).toContain('Größe');
  await expect(dialog.getByText('Export downloaded')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await test.step('runs as JSON Lines, with the keyboard alone', async () => {
    await openPage(page, '/runs');
    await page.getByRole('button', { name: 'Export' }).press('Enter');
    await dialog.getByLabel('Format').press('Enter');
    await page.getByRole('option', { name: /JSON Lines/ }).press('Enter');
    const next = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    const lines = readFileSync(await (await next).path(), 'utf8')
      .trimEnd()
      .split('\n');
    const rows = lines.map((line) => JSON.parse(line) as { id: string; workflow_name: string });
    expect(rows.find((row) => row.id === id)).toMatchObject({ workflow_name: 'Exported orders' });
  });

  await openPage(page, '/settings/audit-log');
  await expect(page.getByText('Exported runs').first()).toBeVisible();
});

test('an export that breaks off says so, and saves nothing', async ({ page }) => {
  await openPage(page, '/events');
  await page.route('**/exports/messages?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByLabel('Data').click();
  await page.getByRole('option', { name: 'Messages' }).click();
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(dialog.getByText('The server cannot be reached. Try again.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
});
