// A draft is run from the editor: with a typed sample, live on the canvas, and only effects that were let through are sent.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';
const CUSTOMER = '15550107001';
const OWN_NUMBER = '15550107002';

interface Messages {
  data: { type: string }[];
}

test('a draft is run task by task, captured, sent to one’s own number, pinned, and run from a task on', async ({
  page,
  api,
  sandbox,
}) => {
  const connectionId = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Draft to run',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'set_variables',
        name: 'Greeting',
        settings: { variables: [{ name: 'text', value: 'Hello {{task_1_name}}' }] },
      },
      {
        id: 3,
        type: 'messaging_business',
        name: 'Confirm',
        settings: {
          action: 'send_template',
          app_connection_id: connectionId,
          business_account_id: ACCOUNT,
          phone_number_id: PHONE,
          recipient: '{{task_1_phone}}',
          template_name: 'order_confirmation',
          template_parameters: ['{{task_1_name}}', 'A-7'],
        },
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  const canvas = new CanvasDriver(page);
  const dock = page.getByRole('region', { name: 'Run of the draft' });
  const sentTo = async (number: string) => (await sandbox.get<Messages>(`messages?to=${number}`)).data.length;
  await canvas.open(`/workflows/${id}`);

  await test.step('with a sample that is typed; the message is captured and shown on the phone', async () => {
    await page.getByRole('button', { name: 'Run draft' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run the draft' });
    await dialog.getByLabel('Sample').fill('{"name": "Kim"');
    await dialog.getByRole('button', { name: 'Run draft' }).click();
    await expect(dialog.getByRole('alert')).toContainText('not valid JSON');
    await dialog.getByLabel('Sample').fill(JSON.stringify({ name: 'Kim', phone: CUSTOMER }));
    await dialog.getByRole('button', { name: 'Run draft' }).click();
    await expect(dock.getByRole('status')).toContainText('Succeeded');
    for (const name of ['In', 'Greeting', 'Confirm'])
      await expect(canvas.task(name)).toContainText('Succeeded');
    await expect(dock.getByText('Messages are not sent')).toBeVisible();
    await expect(dock.getByRole('figure', { name: 'Preview on a phone' })).toContainText('Kim');
    expect(await sentTo(CUSTOMER)).toBe(0);
  });

  await test.step('for real, to the number of one’s own', async () => {
    await dock.getByRole('button', { name: 'Change the event and what is sent' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run the draft' });
    await dialog.getByRole('checkbox', { name: /Send messages for real/ }).check();
    await dialog.getByLabel('Your number').fill(`+${OWN_NUMBER}`);
    await dialog.getByRole('button', { name: 'Run draft' }).click();
    await expect(dock.getByText(`Messages sent to +${OWN_NUMBER}`)).toBeVisible();
    await waitFor('the message', async () => ((await sentTo(OWN_NUMBER)) === 1 ? true : undefined));
    await expect(dock.getByRole('status')).toContainText('Succeeded');
    expect(await sentTo(CUSTOMER)).toBe(0);
  });

  await test.step('pinned, the task is not executed again', async () => {
    await dock.getByRole('button', { name: 'Pin the output of Confirm' }).click();
    await expect(canvas.task('Confirm').getByText('Pinned', { exact: true })).toBeAttached();
    await dock.getByRole('button', { name: 'Run again' }).click();
    await expect(dock.getByRole('status')).toContainText('Succeeded');
    expect(await sentTo(OWN_NUMBER)).toBe(1);
    await dock.getByRole('button', { name: 'Unpin the output of Confirm' }).click();
    await expect(canvas.task('Confirm').getByText('Pinned', { exact: true })).toHaveCount(0);
  });

  await test.step('from a task on', async () => {
    await dock.getByRole('button', { name: 'Run from Confirm on' }).click();
    await waitFor('the second message', async () => ((await sentTo(OWN_NUMBER)) === 2 ? true : undefined));
    await expect(dock.getByRole('status')).toContainText('Succeeded');
  });

  await test.step('runs of the draft are marked, and the workflow counts none', async () => {
    await openPage(page, `/runs?workflow=${id}`);
    await expect(page.getByText('draft', { exact: true })).toHaveCount(4);
    await openPage(page, '/workflows');
    await expect(page.getByRole('row').filter({ hasText: 'Draft to run' })).toContainText('Never');
  });
});

test('a run of the draft that waits is stopped', async ({ page, api }) => {
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Waits for a day',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'delay', name: 'Wait', settings: { mode: 'for', amount: 1, unit: 'days' } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  const dock = page.getByRole('region', { name: 'Run of the draft' });
  await canvas.open(`/workflows/${id}`);
  await page.getByRole('button', { name: 'Run draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run the draft' });
  await dialog.getByLabel('Sample').fill('{}');
  await dialog.getByRole('button', { name: 'Run draft' }).click();
  await expect(dock.getByRole('status')).toContainText('Waiting');
  await expect(canvas.task('Wait')).toContainText('Waiting');
  await dock.getByRole('button', { name: 'Stop' }).click();
  await expect(dock.getByRole('status')).toContainText('Cancelled');
  await expect(canvas.task('Wait')).toContainText('Cancelled');
  await expect(dock.getByRole('button', { name: 'Run again' })).toBeVisible();
});
