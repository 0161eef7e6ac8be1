import { expect, test } from './fixtures.ts';
import { connectAccount } from './seed.ts';

test('a message template is written, seen on the phone, handed in and approved', async ({
  page,
  api,
  sandbox,
}) => {
  const connectionId = await connectAccount(api, sandbox, 'Old Mill', '200000000000005');
  await page.goto(`/message-templates?connection=${connectionId}`);
  await page.getByRole('link', { name: 'New message template' }).click();
  await page.waitForURL('**/message-templates/new?connection=*');
  await expect(page.getByRole('heading', { level: 1, name: 'New message template' })).toBeVisible();

  const phone = page.getByRole('figure', { name: 'Preview on a phone' });
  await page.getByLabel('Name').fill('Parcel-Sent');
  await expect(page.getByText('lowercase letters and underscores only')).toBeVisible();
  await page.getByLabel('Name').fill('parcel_sent');
  await page.getByLabel('Body').fill('Good news, {{1}}: your parcel *{{2}}* is on its way.');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText('Enter a sample value for each placeholder')).toBeVisible();
  await page.getByLabel('{{1}}').fill('Kim');
  await page.getByLabel('{{2}}').fill('A-1001');
  await expect(phone).toContainText('Good news, Kim: your parcel A-1001 is on its way.');
  await page.getByLabel('Footer').fill('Old Mill Café');
  await page.getByRole('button', { name: 'Add button' }).click();
  await page.getByLabel('Button text').fill('Thank you');
  await expect(phone).toContainText('Thank you');

  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.waitForURL(`**/message-templates?connection=${connectionId}`);
  const row = page.getByRole('row').filter({ hasText: 'parcel_sent' });
  await expect(row).toBeVisible();
  // The platform's review ends automatically; the list shows it without a reload.
  await expect(row).toContainText('Approved', { timeout: 20_000 });
});

test('a message template that the platform rejects is shown as rejected', async ({ page, api, sandbox }) => {
  const connectionId = await connectAccount(api, sandbox, 'Lakeside', '200000000000003');
  await page.goto(`/message-templates/new?connection=${connectionId}`);
  await page.getByLabel('Name').fill('please_reject_this');
  await page.getByLabel('Body').fill('Nobody will like this.');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.waitForURL(`**/message-templates?connection=${connectionId}`);
  const row = page.getByRole('row').filter({ hasText: 'please_reject_this' });
  await expect(row).toContainText('Rejected', { timeout: 20_000 });
});
