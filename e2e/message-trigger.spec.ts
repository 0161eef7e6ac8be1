// A workflow that a customer's message starts, built by mouse: choose, listen, answer.
import type { Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { connectAccount, waitFor } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';
const CUSTOMER = '15550102801';

const writeOnPhone = async (phone: Page, text: string) => {
  const composer = phone.getByRole('textbox', { name: 'Answer as the customer' });
  await composer.fill(text);
  await composer.press('Enter');
  await expect(phone.locator('.mine', { hasText: text })).toBeVisible();
};

test('a workflow that starts when a message arrives, from nothing to the answer', async ({
  page,
  context,
  api,
  sandbox,
}) => {
  await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await sandbox.post('customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    text: 'Anyone there?',
  });
  const canvas = new CanvasDriver(page);
  const messages = canvas.panel.getByRole('list', { name: 'Messages' });
  const phone = await context.newPage();
  await phone.goto(`${sandbox.url}/phone/${CUSTOMER}?with=${PHONE}`);

  await test.step('the trigger asks for connection, number, kinds and words', async () => {
    await canvas.createWorkflow('Opening hours');
    await page.locator('[data-task-id]').first().click();
    await canvas.panel.getByRole('radio', { name: 'When a message arrives' }).click();
    await canvas.choose('Connection', 'Corner Bakery');
    await canvas.panel.getByRole('checkbox', { name: 'Text', exact: true }).click();
    await canvas.panel.getByRole('textbox', { name: 'Words' }).fill('hours, open');
    await canvas.panel.getByRole('button', { name: 'Start on messages' }).click();
    await expect(canvas.panel.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  });

  await test.step('a test message arrives and gives the variables; another one does not', async () => {
    await writeOnPhone(phone, 'Good morning');
    await writeOnPhone(phone, 'When do you OPEN?');
    await expect(messages.getByText('Notification')).toHaveCount(1);
    await expect(canvas.panel.getByText('task_1_text', { exact: true })).toBeVisible();
    await expect(canvas.panel.getByText('When do you OPEN?', { exact: true }).first()).toBeVisible();
  });

  await test.step('a text goes back to whoever wrote', async () => {
    await canvas.addAfter('Inbound webhook', 'Send text');
    await canvas.chooseSender('Corner Bakery');
    await canvas.setField('Recipient', '{{task_1_from}}');
    await canvas.setField('Text', 'Hello {{task_1_from_name}}, from 8 to 6.');
    await canvas.isSaved();
    await canvas.publish();
  });

  await test.step('the customer writes, the workflow answers', async () => {
    await writeOnPhone(phone, 'What are your hours?');
    await expect(phone.locator('.theirs', { hasText: 'Hello Customer 2801, from 8 to 6.' })).toBeVisible();
    await writeOnPhone(phone, 'Thanks');
    await waitFor('the last message as an event', async () => {
      const { data } = await api.get<{ data: { outcome: string }[] }>('/events?outcome=not_forwarded');
      return data.length > 0 ? true : undefined;
    });
    await expect(phone.locator('.theirs')).toHaveCount(1);
  });

  await test.step('what was chosen is there after a reload, and can be stopped', async () => {
    await canvas.open(`${new URL(page.url()).pathname}?task=1`);
    await expect(canvas.panel.getByRole('radio', { name: 'When a message arrives' })).toBeChecked();
    await expect(canvas.panel.getByRole('textbox', { name: 'Words' })).toHaveValue('hours, open');
    await canvas.panel.getByRole('button', { name: 'Stop' }).click();
    await expect(canvas.panel.getByRole('button', { name: 'Start on messages' })).toBeVisible();
  });
});
