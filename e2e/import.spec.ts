import { expect, test } from './fixtures.ts';

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
  await page.goto('/workflows?import=1');
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
  await page.goto('/workflows?import=1');
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
  await page.goto('/workflows?import=1');
  const dialog = page.getByRole('dialog', { name: 'Import a workflow' });
  await dialog.getByLabel('Or paste the JSON').fill(JSON.stringify(exported));
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  expect(page.url()).not.toContain(id);
});
