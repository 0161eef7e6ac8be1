// A list of recipients: uploaded, checked, looked at, started and followed to its end; the same file again doubles nothing.
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow } from './seed.ts';

const ACCOUNT = '200000000000001';
const PHONE = '300000000000001';

const file = (...lines: string[]) => ({
  name: 'readers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
});

const READERS = file(
  'Mobile,Name,City',
  '+1 555 010 5001,Ana,Rome',
  '+1 555 010 5002,Ben,Oslo',
  '15550105001,Ana again,Rome',
  'not a number,Cleo,Paris',
  '+1 555 010 5003,Dora,Turin',
);

interface Messages {
  data: unknown[];
}

test('a list is uploaded, checked and sent once to each valid number; the same file again doubles nothing', async ({
  page,
  api,
  sandbox,
}) => {
  test.slow();
  const connection = await connectAccount(api, sandbox, 'Harbour Street Books', ACCOUNT);
  await api.put('/customers/15550105003/consent', { purpose: 'all', state: 'stopped' });
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Invite to the reading',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Invite',
        settings: {
          action: 'send_template',
          app_connection_id: connection,
          business_account_id: ACCOUNT,
          phone_number_id: PHONE,
          recipient: '{{task_1_phone}}',
          template_name: 'order_confirmation',
          template_parameters: ['{{task_1_name}}', '{{task_1_city}}'],
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });

  await openPage(page, '/workflows');
  await page.getByRole('button', { name: 'Actions for Invite to the reading' }).click();
  await page.getByRole('menuitem', { name: 'Send to a list' }).click();
  await expect(page.getByRole('heading', { name: 'No lists yet' })).toBeVisible();

  await test.step('a file that is not valid says where', async () => {
    await page.getByLabel('CSV file').setInputFiles(file('Mobile,Name', '+15550105001,"Ana" x'));
    const problem = page.getByRole('region', { name: 'Upload a list' }).getByRole('alert');
    await expect(problem).toContainText('readers.csv could not be uploaded');
    await expect(problem).toContainText(/line 2/i);
  });

  await test.step('columns, phones, skipped rows and forecast', async () => {
    await page.getByLabel('CSV file').setInputFiles(READERS);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('readers.csv');
    await expect(page.getByText('Variables without a column')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Recipient column' })).toContainText('Mobile');
    const variable = page.getByLabel('Variable for Mobile');
    await variable.fill('phone');
    await variable.press('Enter');
    await expect(page.getByText('Variables without a column')).toBeHidden();
    const phones = page.getByRole('list', { name: 'Messages of the first rows' });
    await expect(phones).toContainText('Hi Ana, thank you for your order Rome.');
    await expect(phones).toContainText('Hi Ben, thank you for your order Oslo.');
    await expect(phones.getByRole('figure')).toHaveCount(2);
    await expect(page.getByText('3 rows get no run and no message.')).toBeVisible();
    await expect(page.getByText('Line 5: not a number')).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    const rows = page.getByRole('region', { name: 'Rows' }).getByRole('row');
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(1)).toContainText('The number is in an earlier row');
    await expect(rows.nth(2)).toContainText('No valid phone number');
    await expect(rows.nth(3)).toContainText('The customer stopped messages');
    await expect(page.getByText('Utility messages')).toBeVisible();
  });

  const sentTo = async (number: string) => (await sandbox.get<Messages>(`messages?to=${number}`)).data.length;
  const numbers = ['15550105001', '15550105002', '15550105003'];
  const countSent = () => Promise.all(numbers.map(sentTo));

  await test.step('it is started, and each number gets one message', async () => {
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('2 people will get messages');
    expect(await countSent()).toEqual([0, 0, 0]);
    await page.getByRole('button', { name: 'Send to 2 people' }).click();
    await expect(page.getByText('All 2 rows have ended.')).toBeVisible({ timeout: 60_000 });
    expect(await countSent()).toEqual([1, 1, 0]);
    await page.getByRole('button', { name: '2 Succeeded: show these rows' }).click();
    await page.getByRole('link', { name: 'Open run' }).first().click();
    await expect(page).toHaveURL(/\/runs\//);
  });

  await test.step('the same file again shows the list that is there', async () => {
    await openPage(page, `/workflows/${id}/lists`);
    await expect(page.getByRole('link', { name: 'readers.csv' })).toBeVisible();
    await page.getByLabel('CSV file').setInputFiles(READERS);
    await expect(page.getByText('This file was uploaded before')).toBeVisible();
    await expect(page.getByText('All 2 rows have ended.')).toBeVisible();
    await openPage(page, `/workflows/${id}/lists`);
    await expect(page.getByRole('link', { name: 'readers.csv' })).toHaveCount(1);
    expect(await countSent()).toEqual([1, 1, 0]);
  });
});
