import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor } from './seed.ts';

const PHONE = '300000000000005';

test('the event of a forwarded message names the connection that it came by, not a URL', async ({
  page,
  api,
  sandbox,
}) => {
  await connectAccount(api, sandbox, 'Corner Bakery', '200000000000004');
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Starts with a message',
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'In', settings: {} }],
    edges: [],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=1`);
  await canvas.startOnMessages('Corner Bakery');
  await canvas.save();
  await canvas.publish();
  await sandbox.post('customer-messages', {
    customer: '15550102801',
    phone_number_id: '300000000000005',
    text: 'Hello',
  });
  const event = await waitFor('the forwarded message', async () => {
    const { data } = await api.get<{ data: { id: string }[] }>(`/events?workflow_id=${id}`);
    return data[0];
  });
  await openPage(page, `/events/${event.id}`);
  const destination = page.getByRole('definition').filter({ hasText: 'Corner Bakery' });
  await expect(destination).toBeVisible();
  await expect(page.locator('main')).not.toContainText('Production URL');
});

test('the receipts of a message are one row of the events list, which opens', async ({
  page,
  api,
  sandbox,
}) => {
  const connection = await connectAccount(api, sandbox, 'Corner Bakery', '200000000000004');
  await api.post(`/connections/${connection}/notifications`);
  const { access_token: token } = await sandbox.post<{ access_token: string }>('tokens');
  const response = await fetch(`${sandbox.url}/v18.0/${PHONE}/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      messaging_product: 'whatsapp',
      // This number reads at once.
      to: '15550109902',
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    }),
  });
  const { messages } = (await response.json()) as { messages: { id: string }[] };
  const id = messages[0]?.id ?? '';
  await waitFor('all receipts', async () => {
    const { statuses } = await api
      .get<{ statuses: object[] }>(`/messages/${encodeURIComponent(id)}`)
      .catch(() => ({ statuses: [] }));
    return statuses.length >= 3 ? statuses : undefined;
  });
  await openPage(page, `/events?text=${encodeURIComponent(id)}`);
  const table = page.getByRole('table');
  const receipts = table.getByRole('button', { name: 'Delivery receipts' });
  await expect(receipts).toHaveAttribute('aria-expanded', 'false');
  await expect(table.getByRole('row')).toHaveCount(2);
  await receipts.click();
  await expect(table.getByRole('link', { name: 'Delivery receipt', exact: true })).toHaveCount(3);
  await receipts.click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await table.getByRole('link', { name: 'Message', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sent without Patchbay' })).toBeVisible();
});
