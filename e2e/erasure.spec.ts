// An owner gives a customer their data, and erases it; the receipt is on the page of retention.
import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage, reloadPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';
const CUSTOMER = '15550109327';

test('a customer’s data is downloaded, erased after a typed word, and found no more', async ({
  page,
  api,
  sandbox,
}) => {
  const connection = await connectAccount(api, sandbox, 'Bakery that erases', ACCOUNT);
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name: 'Confirmation for one who is erased',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Order', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Confirm',
        settings: {
          app_connection_id: connection,
          business_account_id: ACCOUNT,
          phone_number_id: PHONE,
          action: 'send_template',
          recipient: '{{task_1_phone}}',
          template_name: 'order_confirmation',
          template_parameters: ['Kim', 'A-17'],
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await api.post('/workflows', {
    name: 'Names one who is erased',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Order', settings: {} },
      {
        id: 2,
        type: 'set_variables',
        name: 'Test customer',
        settings: { variables: [{ name: 'to', value: `+${CUSTOMER.slice(0, 1)} ${CUSTOMER.slice(1)}` }] },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await postWebhook(workflow.webhook.production_url, { phone: CUSTOMER });
  await waitForRun(api, workflow.id);
  const find = () => api.get<{ data: { id: string }[] }>(`/customers?search=${CUSTOMER}`);
  const id = await waitFor('the customer', async () => (await find()).data[0]?.id);

  await openPage(page, `/customers/${id}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export data' }).click(),
  ]);
  const exported = JSON.parse(readFileSync(await download.path(), 'utf8')) as Record<string, unknown[]>;
  expect(exported['names']).toContainEqual(expect.objectContaining({ name: CUSTOMER }));
  expect(exported['messages_sent']).toHaveLength(1);

  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this customer?' });
  await expect(dialog.getByRole('list', { name: 'What will be erased' })).toContainText('1 sent message');
  await expect(dialog.getByText('Change these yourself')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Names one who is erased' })).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Erase customer' });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('textbox').fill('yes');
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('textbox').fill('erase');
  await confirm.click();
  await page.waitForURL('**/customers');

  await waitFor('the end of the erasure', async () => ((await find()).data.length === 0 ? true : undefined));
  const { data } = await api.get<{ data: { id: string; finished_at: string | null }[] }>('/erasures');
  await openPage(page, '/settings/retention');
  await reloadPage(page);
  const receipt = page.getByRole('row').filter({ hasText: data[0]?.id ?? '' });
  await expect(receipt).toContainText('Done');
  await expect(receipt).toContainText('1 sent message');
  await expect(page.getByText(CUSTOMER)).toHaveCount(0);
});
