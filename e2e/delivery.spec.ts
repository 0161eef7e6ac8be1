// A send that waits until its message is delivered, chosen in the panel; and messages that are not delivered.
import { CanvasDriver } from './canvas-driver.ts';
import { postWebhook } from './http-clients.ts';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';

test('a send gets an exit for each outcome, keeps what is behind it, and the run takes the exit', async ({
  page,
  api,
  sandbox,
}) => {
  const connection = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await api.post(`/connections/${connection}/notifications`);
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Delivery',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Confirm',
        settings: {
          action: 'send_template',
          app_connection_id: connection,
          business_account_id: ACCOUNT,
          phone_number_id: PHONE,
          recipient: '15550104001',
          template_name: 'order_confirmation',
          template_parameters: ['Kim', 'A-17'],
        },
      },
      {
        id: 3,
        type: 'set_variables',
        name: 'Note it',
        settings: { variables: [{ name: 'at', value: '{{task_2_status_at}}' }] },
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=2`);
  // What the template brings into the panel moves what is below it.
  await expect(canvas.panel.getByText('For example: Guest')).toBeVisible();
  await expect(canvas.panel.getByLabel('Wait at most')).toBeHidden();
  await canvas.panel.getByRole('radio', { name: 'Delivered' }).click();
  await expect(canvas.panel.getByLabel('Wait at most')).toBeVisible();
  await canvas.save();
  const card = page.locator('[data-task-id="2"]');
  for (const exit of ['Delivered', 'Delivery failed', 'Not in time']) await expect(card).toContainText(exit);
  const { edges } = await api.get<{ edges: object[] }>(`/workflows/${id}`);
  expect(edges).toContainEqual({ from: 2, to: 3, branch: 'delivered' });

  await api.post(`/workflows/${id}/publish`);
  expect((await postWebhook(webhook.production_url, {})).status).toBe(200);
  const run = await waitForRun(api, id);
  expect(run.status).toBe('succeeded');
  await openPage(page, `/runs/${run.id}`);
  await page.locator('[data-task-id="2"]').click();
  await expect(page.getByText('Template sent successfully. Delivered.').first()).toBeVisible();
});

test('a run whose message was not delivered does not look like success: in the list, on its page and over the API', async ({
  page,
  api,
  sandbox,
}) => {
  const connection = await connectAccount(api, sandbox, 'Harbour Street Events', '200000000000002');
  await api.post(`/connections/${connection}/notifications`);
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Reminders',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Remind',
        settings: {
          action: 'send_template',
          app_connection_id: connection,
          business_account_id: '200000000000002',
          phone_number_id: '300000000000003',
          recipient: '{{task_1_phone}}',
          template_name: 'hello_world',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await openPage(page, `/runs?workflow=${id}&status=undelivered`);
  await expect(page.getByText('No run matches')).toBeVisible();
  for (const phone of ['15550104001', '15550110000'])
    expect((await postWebhook(webhook.production_url, { phone })).status).toBe(200);

  await test.step('the list finds it automatically', async () => {
    await expect(page.getByText('One run', { exact: true })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Status' })).toContainText('Not delivered');
    await expect(page.getByRole('table')).toContainText(/Succeeded\s*Not delivered/);
  });
  const { data: runs } = await api.get<{ data: { id: string; status: string; delivery: string | null }[] }>(
    `/runs?workflow_id=${id}&delivery=undelivered`,
  );
  expect(runs).toMatchObject([{ status: 'succeeded', delivery: 'undelivered' }]);
  const { data: all } = await api.get<{ data: { delivery: string | null }[] }>(`/runs?workflow_id=${id}`);
  expect(all.map(({ delivery }) => delivery)).toEqual(['undelivered', null]);

  await openPage(page, `/runs/${runs[0]?.id}`);
  await expect(page.getByText('The message was not delivered')).toBeVisible();
  await expect(page.getByText(/\(131026\)\. The recipient is not on the platform/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Remind.*Failed.*Succeeded/ })).toBeVisible();
});
