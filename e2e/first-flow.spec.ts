// The first steps of a new user: a workflow from the gallery, an account, a webhook, a message that is read.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage, untilHydrated } from './open-page.ts';
import { waitFor } from './seed.ts';

interface Messages {
  data: { status: string }[];
}

const CUSTOMER = '15550101234';

test('from an empty workspace to a message that the customer has read', async ({
  page,
  sandbox,
  context,
}) => {
  const canvas = new CanvasDriver(page);

  await test.step('a workflow from the gallery', async () => {
    await openPage(page, '/gallery');
    await page.getByRole('button', { name: 'Use “Order confirmation”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Set up later' }).click();
    await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  });
  const workflowId = page.url().split('/').at(-1) ?? '';

  await test.step('the task that sends: connect a business account by logging in at the platform', async () => {
    await canvas.isReady();
    await canvas.openTask('Confirm the order');
    await canvas.panel.getByRole('button', { name: /^Connect (an|another) account$/ }).click();
    await page.getByRole('button', { name: /^A?\s*Admin/ }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL('**/connections/new?login=*');
    await untilHydrated(page);
    await page.getByRole('radio', { name: /200000000000001/ }).check();
    await page.getByLabel('Name').fill('Our shop');
    await page.getByRole('button', { name: 'Save connection' }).click();
  });

  await test.step('back in the task, with the connection and its account chosen', async () => {
    await page.waitForURL(`**/workflows/${workflowId}`);
    await expect(canvas.chosen('App connection')).toContainText('Our shop');
    await expect(canvas.chosen('Business account')).toContainText('Harbour Street Books');
    await expect(canvas.panel.getByText('Connected', { exact: true })).toBeVisible();
  });

  await test.step('the sender, the template and its parameters', async () => {
    await canvas.choose('Sender', 'Harbour Street Books');
    await canvas.choose('Template name', 'order_confirmation');
    await canvas.setField('{{1}}', '{{task_1_customer_name}}');
    await canvas.setField('{{2}}', '{{task_1_order_number}}');
    await expect(canvas.panel.getByRole('figure', { name: 'Preview on a phone' })).toContainText(
      'Harbour Street Books',
    );
    await canvas.save();
    await canvas.closeTask();
  });
  const order = { customer: { name: 'Kim', phone: CUSTOMER }, order: { number: 'A-1001', total: 184.35 } };

  const urls = await test.step('the trigger shows where to send', async () => {
    await canvas.fit();
    await canvas.openTask('New order');
    await canvas.panel.getByText('Send a request from a terminal').click();
    await expect(canvas.panel.getByText(/"phone": ?"15550101001"/)).toBeVisible();
    return canvas.urls();
  });

  await test.step('before it is published the production URL says so, and keeps the event', async () => {
    expect((await postWebhook(urls.production, order)).status).toBe(409);
  });

  await test.step('publish', async () => {
    await canvas.publish();
    await expect(page.getByText('Version 1 is published').first()).toBeVisible();
  });

  await test.step('an order arrives', async () => {
    const answer = await postWebhook(urls.production, order);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'received', order: 'A-1001' });
  });

  await test.step('the message is on the customer’s phone', async () => {
    const phone = await context.newPage();
    await waitFor('the message at the platform', async () => {
      const { data } = await sandbox.get<Messages>(`messages?to=${CUSTOMER}`);
      return data.length > 0 ? true : undefined;
    });
    await phone.goto(`${sandbox.url}/phone/${CUSTOMER}`);
    await phone.bringToFront();
    await expect(phone.getByText(/Hi Kim, thank you for your order A-1001/).first()).toBeVisible();
    await waitFor('the customer to read it', async () => {
      const { data } = await sandbox.get<Messages>(`messages?to=${CUSTOMER}`);
      return data[0]?.status === 'read' ? true : undefined;
    });
    await phone.close();
  });

  await test.step('the run shows that it was read', async () => {
    await openPage(page, `/runs?workflow=${workflowId}`);
    await page.getByRole('link', { name: 'Order confirmation' }).first().click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
    await expect(page.getByRole('button', { name: /Confirm the order.*Read/ })).toBeVisible();
    await expect(page.getByText('Succeeded').first()).toBeVisible();
    for (const step of ['Accepted', 'Sent', 'Delivered', 'Read'])
      await expect(page.getByRole('listitem').filter({ hasText: new RegExp(`^${step}`) })).toBeVisible();
  });

  await test.step('the event that came too early is replayed', async () => {
    await openPage(page, `/events?workflow=${workflowId}&outcome=not_active`);
    await page.getByRole('button', { name: 'Replay all matching' }).click();
    await page.getByRole('button', { name: 'Replay one event' }).click();
    await expect(page.getByText('1 replayed')).toBeVisible();
    await waitFor('the second message', async () => {
      const { data } = await sandbox.get<Messages>(`messages?to=${CUSTOMER}`);
      return data.length === 2 ? true : undefined;
    });
    await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  });

  await test.step('events that ran are replayed only after being told what is sent again', async () => {
    await openPage(page, `/events?workflow=${workflowId}`);
    await page.getByRole('button', { name: 'Replay all matching' }).click();
    const dialog = page.getByRole('dialog');
    const chooses = dialog.getByRole('checkbox', { name: /Also replay .* that already ran/ });
    await expect(chooses).not.toBeChecked();
    await chooses.check();
    await expect(dialog.getByText(/messages? .* sent again, so customers may get duplicates/)).toBeVisible();
    await chooses.uncheck();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const { data } = await sandbox.get<Messages>(`messages?to=${CUSTOMER}`);
    expect(data).toHaveLength(2);
  });
});
