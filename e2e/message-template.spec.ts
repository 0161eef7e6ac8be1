import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { connectAccount } from './seed.ts';

test('a message template is written, seen on the phone, handed in and approved', async ({
  page,
  api,
  sandbox,
}) => {
  const connectionId = await connectAccount(api, sandbox, 'Old Mill', '200000000000005');
  await openPage(page, `/message-templates?connection=${connectionId}`);
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
  await expect(row).toContainText('Approved');
});

test('a picture for the header is uploaded in the form, and the template is approved with it', async ({
  page,
  api,
  sandbox,
}) => {
  const connectionId = await connectAccount(api, sandbox, 'Old Mill', '200000000000005');
  await openPage(page, `/message-templates/new?connection=${connectionId}`);
  await page.getByLabel('Name').fill('with_picture');
  await page.getByLabel('Body').fill('This is our new front door.');
  await page.getByRole('combobox', { name: 'Header' }).click();
  await page.getByRole('option', { name: 'Picture' }).click();
  await expect(page.getByRole('button', { name: 'Upload a sample file' })).toBeVisible();
  await expect(page.getByText('Upload a sample file.')).toBeHidden();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText('Upload a sample file.')).toBeVisible();

  const input = page.getByLabel('Sample file to upload');
  await input.setInputFiles({ name: 'door.txt', mimeType: 'text/plain', buffer: Buffer.from('A door') });
  await expect(page.getByText('Choose a file that ends in')).toBeVisible();
  const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100_000, 1)]);
  await input.setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: picture });
  await expect(page.getByRole('textbox', { name: 'Sample file', exact: true })).toHaveValue('door.png');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.waitForURL(`**/message-templates?connection=${connectionId}`);
  const row = page.getByRole('row').filter({ hasText: 'with_picture' });
  await expect(row).toContainText('Approved');
});

test('a message template that the platform rejects is shown as rejected', async ({ page, api, sandbox }) => {
  const connectionId = await connectAccount(api, sandbox, 'Lakeside', '200000000000003');
  await openPage(page, `/message-templates/new?connection=${connectionId}`);
  await page.getByLabel('Name').fill('please_reject_this');
  await page.getByLabel('Body').fill('Nobody will like this.');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.waitForURL(`**/message-templates?connection=${connectionId}`);
  const row = page.getByRole('row').filter({ hasText: 'please_reject_this' });
  await expect(row).toContainText('Rejected');
});
