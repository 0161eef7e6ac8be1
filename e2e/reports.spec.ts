// What happened to messages: sent by a workflow, reported by the platform, answered by a customer, counted by a worker, and shown by
// workflow, template and day.
import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';

interface Report {
  data: { key: string; accepted: number; delivered: number; failed: number; answered: number }[];
}

test('messages that were delivered and one that failed are in the report of their workflow, with the reason', async ({
  page,
  api,
  seeded: { remindersId: id },
}) => {
  test.slow();
  const counted = async () => {
    const { data } = await api.get<Report>('/reports/delivery?by=workflow');
    const row = data.find(({ key }) => key === id);
    return row && [row.accepted, row.delivered, row.failed, row.answered];
  };
  // Messages are counted once a minute: what needs no numbers comes first, where this test runs alone.
  await openPage(page, '/workflows');
  await page.getByRole('link', { name: 'Reports' }).click();
  await test.step('an owner enters prices', async () => {
    await page.getByRole('link', { name: 'Enter prices' }).click();
    await page.getByRole('textbox', { name: 'Currency' }).fill('eur');
    await page.getByRole('textbox', { name: 'Utility' }).fill('0,5');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Enter a price such as 0.0625')).toBeVisible();
    for (const category of ['Marketing', 'Utility', 'Authentication', 'Service'])
      await page.getByRole('textbox', { name: category, exact: true }).fill('0.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Prices saved')).toBeVisible();
  });

  await test.step('another time, which stays in the URL', async () => {
    await openPage(page, '/reports?by=template');
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Between …' }).click();
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByLabel('Last day').fill('2020-01-31');
    await expect(page.getByText('No messages in this time')).toBeVisible();
    await page.getByLabel('First day').fill('2020-02-01');
    await expect(page.getByText('The first day must not be after the last one.')).toBeVisible();
    expect(page.url()).toContain('by=template');
  });

  await expect.poll(counted, { timeout: 150_000 }).toEqual([3, 2, 1, 1]);

  await openPage(page, '/reports');
  await page.getByRole('radio', { name: 'Workflow' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Counted reminders' });
  await expect(row).toContainText('66.7%');
  await expect(row).toContainText('33.3%');
  const failures = page.getByRole('listitem').filter({ hasText: '(131026)' });
  await expect(failures).toContainText('The recipient is not on the platform');
  await expect(page.getByText('Today’s messages were counted')).toBeVisible();
  await expect(row).toContainText('EUR');
  await api.put('/workspace/prices', { currency: 'USD', prices: {} });

  await test.step('days have a picture, which is described in words', async () => {
    await openPage(page, '/reports');
    await expect(
      page.getByRole('img', { name: /^Messages by day from .* failed\. The table/ }),
    ).toBeVisible();
    await expect(page.locator('.uplot canvas')).toBeVisible();
  });

  await test.step('other rows', async () => {
    await page.getByRole('radio', { name: 'Template' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'hello_world' })).toBeVisible();
    expect(page.url()).toContain('by=template');
  });

  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'Last 30 days' }).click();
  const downloads = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const download = await downloads;
  expect(download.suggestedFilename()).toMatch(/^delivery-by-template-.*\.csv$/);
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/\r\nhello_world,hello_world,\d+/);
});
