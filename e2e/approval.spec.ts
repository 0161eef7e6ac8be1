// A person approves: a link goes out by a message, is opened on a phone without a session, and the run continues.
import type { Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { axeOn } from './settled.ts';
import { connectAccount, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';
const COLLEAGUE = '15550102811';

/** Adds a text to the colleague after a task. */
async function addText(
  canvas: CanvasDriver,
  page: Page,
  after: string,
  text: string,
  exit = '',
): Promise<void> {
  await canvas.addAfter(after, 'Send text', exit);
  const connection = canvas.chosen('App connection');
  await expect(connection).not.toContainText('Loading');
  if ((await connection.textContent())?.includes('Choose')) {
    await connection.click();
    await page.getByRole('option', { name: /^Corner Bakery/ }).click();
  }
  await expect(canvas.chosen('Sender')).not.toContainText('Choose');
  await canvas.setField('Recipient', COLLEAGUE);
  await canvas.setField('Text', text);
}

test('a workflow that waits until someone approves by a link, from nothing to the approval', async ({
  page,
  context,
  browser,
  api,
  sandbox,
}) => {
  await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await sandbox.post('customer-messages', { customer: COLLEAGUE, phone_number_id: PHONE, text: 'On duty' });
  const canvas = new CanvasDriver(page);
  const colleague = await context.newPage();
  await colleague.goto(`${sandbox.url}/phone/${COLLEAGUE}?with=${PHONE}`);
  let production = '';

  await test.step('link, message and wait are added by mouse', async () => {
    await canvas.createWorkflow(api, 'Refunds to approve');
    await canvas.openTask('Inbound webhook');
    ({ production } = await canvas.urls());
    await canvas.addAfter('Inbound webhook', 'Approval link');
    await canvas.setField('Question', 'Refund {{task_1_total}}?');
    await canvas.setField('Details', 'Order {{task_1_order}}');
    await addText(canvas, page, 'Approval link', 'Please decide: {{task_2_url}}');
    await canvas.rename('Send text', 'Send the link');
    await canvas.addAfter('Send the link', 'Wait for approval');
    await canvas.setField('Link ID', '{{task_2_link_id}}');
    await addText(canvas, page, 'Wait for approval', 'Refunded: {{task_4_comment}}', 'Approved');
    await canvas.save();
    await canvas.publish();
  });

  const link = await test.step('a webhook comes, the link goes out', async () => {
    await postWebhook(production, { order: 'A-17', total: '20 EUR' });
    const message = colleague.locator('.theirs', { hasText: 'Please decide: ' });
    await expect(message).toBeVisible();
    return /http\S+\/resume\/[\w-]{32}/.exec((await message.textContent()) ?? '')?.[0] ?? '';
  });

  await test.step('its page is accessible, light and dark', async () => {
    const reader = await context.newPage();
    // The checks are a script, and the page allows none.
    await reader.route(link, async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': policy = '', ...headers } = response.headers();
      const withScripts = policy.replace('sandbox allow-forms', 'sandbox allow-forms allow-scripts');
      await route.fulfill({ response, headers: { ...headers, 'content-security-policy': withScripts } });
    });
    await reader.goto(link);
    for (const colorScheme of ['light', 'dark'] as const) {
      await reader.emulateMedia({ colorScheme });
      expect((await (await axeOn(reader)).analyze()).violations).toEqual([]);
    }
    await reader.close();
  });

  await test.step('it is opened on a phone, without a session and without scripts', async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 780 },
      javaScriptEnabled: false,
      storageState: { cookies: [], origins: [] },
    });
    const decision = await phone.newPage();
    await decision.goto(link);
    await expect(decision.getByRole('heading', { name: 'Refund 20 EUR?' })).toBeVisible();
    await expect(decision.getByText('Order A-17')).toBeVisible();
    await decision.getByRole('textbox', { name: 'Comment (optional)' }).fill('Fine with me');
    await decision.getByRole('button', { name: 'Approve' }).click();
    await expect(decision.getByRole('status')).toContainText('Approve was chosen on');
    await decision.reload();
    await expect(decision.getByRole('status')).toContainText('Approve was chosen on');
    await expect(decision.getByText('Fine with me')).toBeVisible();
    await expect(decision.getByRole('button')).toHaveCount(0);
    await phone.close();
  });

  await test.step('the run continues, and its page says what was decided', async () => {
    await expect(colleague.locator('.theirs', { hasText: 'Refunded: Fine with me' })).toBeVisible();
    const workflowId = /workflows\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
    const run = await waitForRun(api, workflowId);
    await openPage(page, `/runs/${run.id}`);
    await page.getByRole('button', { name: /^Wait for approval/ }).click();
    await expect(page.getByText('Approved: Fine with me').first()).toBeVisible();
  });
});
