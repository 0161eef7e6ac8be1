import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor } from './seed.ts';

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
  await canvas.isSaved();
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
