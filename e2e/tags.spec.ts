// Finding a workflow again: by tag, by its tasks, by a webhook URL, by scrolling.
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';

test('workflows are tagged, filtered by tag, and found by a task and by their URL', async ({ page, api }) => {
  const make = (name: string, task: string) =>
    api.post<SavedWorkflow>('/workflows', {
      name,
      tasks: [
        { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
        { id: 2, type: 'delay', name: task, settings: {} },
      ],
      edges: [{ from: 1, to: 2 }],
    });
  const first = await make('Refunds', 'Wait for the warehouse');
  await make('Parcels', 'Wait for the courier');
  await openPage(page, '/workflows');
  const rows = page.getByRole('table', { name: 'Workflows' }).locator('tbody tr');
  const refunds = rows.filter({ has: page.getByRole('link', { name: 'Refunds', exact: true }) });
  const parcels = rows.filter({ has: page.getByRole('link', { name: 'Parcels', exact: true }) });
  await refunds.getByRole('button', { name: 'Actions for Refunds' }).click();
  await page.getByRole('menuitem', { name: 'Edit tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit tags' });
  await dialog.getByLabel('Add a tag').fill('Returns, EU');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Remove tag EU' }).click();
  await dialog.getByRole('button', { name: 'Save tags' }).click();
  await expect(dialog).toBeHidden();

  await refunds.getByRole('button', { name: 'Returns' }).click();
  await expect(parcels).toBeHidden();
  await page.getByRole('combobox', { name: 'Tag' }).click();
  await page.getByRole('option', { name: 'All tags' }).click();
  await expect(parcels).toBeVisible();

  const search = page.getByRole('searchbox', { name: 'Search workflows' });
  await search.fill('warehouse');
  await expect(refunds).toContainText('Tasks: Wait for the warehouse');
  await expect(parcels).toBeHidden();
  await search.fill(first.webhook.test_url);
  await expect(refunds).toContainText('This is its webhook URL');
  await expect(rows).toHaveCount(1);
});

test('a long list is loaded as one scrolls, and searched as a whole', async ({ page, api }) => {
  const name = (number: number) => `Long list ${String(number).padStart(2, '0')}`;
  const tasks = [{ id: 1, type: 'inbound_webhook', name: 'In', settings: {} }];
  for (let number = 1; number <= 55; number += 1)
    await api.post<SavedWorkflow>('/workflows', { name: name(number), tasks, edges: [] });
  const html = await (await page.request.get('/workflows')).text();
  expect(html.length).toBeLessThan(300 * 1024);
  expect(html).not.toContain(name(5));

  await openPage(page, '/workflows');
  const rows = page.getByRole('table', { name: 'Workflows' }).locator('tbody tr');
  await expect(rows.first()).toContainText(name(55));
  await expect(rows).toHaveCount(50);
  const oldest = page.getByRole('link', { name: name(1), exact: true });
  await page.getByRole('searchbox', { name: 'Search workflows' }).fill(name(1));
  await expect(oldest).toBeVisible();
  await expect(rows).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search workflows' }).fill('Long list');
  await expect(rows).toHaveCount(50);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(55);
  await expect(oldest).toBeAttached();
  await expect(page.getByText('55 workflows', { exact: true })).toBeVisible();
});
