// A conversation built with the mouse and run on customers' phones: buttons, a reminder, a text, a handover.
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook, type Sandbox } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { connectAccount, waitFor } from './seed.ts';

const ACCOUNT = '200000000000003';
const PHONE = '300000000000004';
const COLLEAGUE = '15550104100';

const ASK = 'Does it suit?';
const ASK_DAY = 'Which day?';

/** What a customer's phone shows. */
class CustomersPhone {
  readonly page: Page;
  readonly customer: string;

  constructor(page: Page, customer: string) {
    this.page = page;
    this.customer = customer;
  }

  /** A customer who has just written, so that texts may be sent to them. */
  static async open(context: BrowserContext, sandbox: Sandbox, customer: string): Promise<CustomersPhone> {
    const phone = new CustomersPhone(await context.newPage(), customer);
    await phone.page.goto(`${sandbox.url}/phone/${customer}?with=${PHONE}`);
    await phone.write('Hello');
    return phone;
  }

  async write(text: string): Promise<void> {
    const composer = this.page.getByRole('textbox', { name: 'Answer as the customer' });
    await composer.fill(text);
    await composer.press('Enter');
    await expect(this.page.locator('.mine', { hasText: text })).toBeVisible();
  }

  received = (text: string): Locator => this.page.locator('.theirs', { hasText: text });

  /** Taps a button below a message. */
  async tap(question: string, button: string): Promise<void> {
    await this.received(question).getByRole('button', { name: button }).click();
    await expect(this.page.locator('.mine', { hasText: button })).toBeVisible();
  }
}

/** Adds a task after an exit, opens it and renames it. */
async function addBehind(
  canvas: CanvasDriver,
  exit: { of: string; name: string },
  type: string,
  name: string,
) {
  // Cards of a growing workflow may be outside the view.
  await canvas.fit();
  await canvas.addAfter(exit.of, type, exit.name);
  const input = canvas.panel.getByRole('textbox', { name: 'Task name' });
  await expect(input).toHaveValue(type);
  await input.fill(name);
  await input.press('Enter');
  await expect(canvas.task(name)).toBeAttached();
}

/** Fills a field and waits for its check: problems appear below fields, which moves the others. */
async function fill(canvas: CanvasDriver, label: string, text: string, nth = 0) {
  await canvas.setField(label, text, nth);
  await canvas.save();
}

async function fillSending(canvas: CanvasDriver, recipient: string, text: string) {
  await expect(canvas.chosen('Sender')).not.toContainText('Choose');
  await fill(canvas, 'Recipient', recipient);
  await fill(canvas, 'Text', text);
}

test('an appointment conversation from nothing: every branch, a reminder, a text and a hand-over', async ({
  page,
  context,
  api,
  sandbox,
}) => {
  test.setTimeout(240_000);
  await connectAccount(api, sandbox, 'Lakeside Clinic', ACCOUNT);
  const canvas = new CanvasDriver(page);
  const { panel } = canvas;

  await test.step('a question with three buttons and a reminder', async () => {
    await canvas.createWorkflow(api, 'Appointment');
    await canvas.addAfter('Inbound webhook', 'Ask and wait');
    await canvas.chosen('App connection').click();
    await page.getByRole('option', { name: /^Lakeside/ }).click();
    await expect(canvas.chosen('Sender')).not.toContainText('Choose');
    await panel.getByRole('button', { name: 'Receive answers' }).click();
    await expect(panel.getByText('Answers do not arrive yet')).toBeHidden();
    await fill(canvas, 'Recipient', '{{task_1_phone}}');
    await fill(canvas, 'Question', 'Hi {{task_1_name}}, does Monday at 10:30 suit you?');
    await panel.getByRole('button', { name: 'Add button' }).click();
    for (const [index, label] of ['Yes', 'Another day', 'Cancel it'].entries())
      await fill(canvas, 'Label', label, index);
    await expect(panel.getByRole('button', { name: 'Add button' })).toBeHidden();
    await fill(canvas, 'Wait for the answer', '{{task_1_minutes}}');
    await panel.getByRole('radio', { name: 'Minutes' }).click();
    await panel.getByRole('button', { name: 'Add reminder' }).click();
    await fill(canvas, 'Time after the question', '{{task_1_reminder_minutes}}');
    await canvas.chooseIn('settings.reminders[0].unit', 'Minutes');
    await fill(canvas, 'Reminder text', 'Please tell us whether Monday suits you.');
    await panel.getByRole('textbox', { name: 'Task name' }).fill(ASK);
    await panel.getByRole('textbox', { name: 'Task name' }).press('Enter');
    for (const exit of ['Yes', 'Another day', 'Cancel it', 'Other answer', 'No answer in time'])
      await expect(canvas.task(ASK)).toContainText(exit);
  });

  await test.step('what follows each answer', async () => {
    await addBehind(canvas, { of: ASK, name: 'Yes' }, 'Send text', 'Confirm');
    await fillSending(canvas, '{{task_1_phone}}', 'See you on Monday, {{task_1_name}}!');
    await addBehind(canvas, { of: ASK, name: 'Cancel it' }, 'Send text', 'Say goodbye');
    await fillSending(canvas, '{{task_1_phone}}', 'Your appointment is cancelled.');
    await addBehind(canvas, { of: ASK, name: 'No answer in time' }, 'Send text', 'Report silence');
    await fillSending(canvas, COLLEAGUE, '{{task_1_name}} did not answer.');
    await addBehind(canvas, { of: ASK, name: 'Another day' }, 'Ask and wait', ASK_DAY);
    await expect(canvas.chosen('Sender')).not.toContainText('Choose');
    await fill(canvas, 'Recipient', '{{task_1_phone}}');
    await canvas.choose('Customers answer by', 'Writing a text');
    await fill(canvas, 'Question', 'Which day suits you better?');
    await addBehind(canvas, { of: ASK_DAY, name: 'Answer' }, 'Send text', 'Hand over');
    await fillSending(canvas, COLLEAGUE, '{{task_1_name}} asks for another day: {{task_6_answer}}');
    expect(await canvas.idOf(ASK_DAY)).toBe('6');
    await canvas.publish();
    // It covers the lower tasks.
    const card = page.getByRole('complementary', { name: 'After publishing' });
    await card.getByRole('button', { name: 'Close' }).click();
  });

  await canvas.fit();
  await canvas.openTask('Inbound webhook');
  const { production: url } = await canvas.urls();
  const colleague = await CustomersPhone.open(context, sandbox, COLLEAGUE);
  const start = async (customer: string, name: string, more: object = {}) => {
    const phone = await CustomersPhone.open(context, sandbox, customer);
    const body = { phone: customer, name, minutes: 60, reminder_minutes: 30, ...more };
    expect((await postWebhook(url, body)).status).toBe(200);
    await expect(phone.received(`Hi ${name}, does Monday`)).toBeVisible();
    return phone;
  };

  await test.step('the first button', async () => {
    const ann = await start('15550104101', 'Ann');
    await ann.tap('Hi Ann', 'Yes');
    await expect(ann.received('See you on Monday, Ann!')).toBeVisible();
  });

  await test.step('the third button', async () => {
    const cem = await start('15550104103', 'Cem');
    await cem.tap('Hi Cem', 'Cancel it');
    await expect(cem.received('Your appointment is cancelled.')).toBeVisible();
  });

  await test.step('no answer: a reminder comes, then a colleague is told', async () => {
    const dan = await start('15550104104', 'Dan', { minutes: 0.1, reminder_minutes: 0.03 });
    await expect(dan.received('Please tell us whether Monday suits you.')).toBeVisible();
    await expect(colleague.received('Dan did not answer.')).toBeVisible();
  });

  await test.step('the second button, a text, and the hand-over; the run shows the conversation', async () => {
    const bea = await start('15550104102', 'Bea');
    await bea.tap('Hi Bea', 'Another day');
    await expect(bea.received('Which day suits you better?')).toBeVisible();
    const workflowId = /workflows\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
    const run = await waitFor('the run that waits', async () => {
      const { data } = await api.get<{ data: { id: string; status: string }[] }>(
        `/runs?workflow_id=${workflowId}&limit=1`,
      );
      return data[0]?.status === 'waiting' ? data[0] : undefined;
    });
    await openPage(page, `/runs/${run.id}`);
    const conversation = page.getByRole('list', { name: /^Conversation with/ });
    await expect(conversation).toContainText('Hi Bea, does Monday at 10:30 suit you?');
    await expect(conversation.getByRole('listitem').filter({ hasText: 'Another day' }).first()).toBeVisible();
    await expect(conversation).toContainText('Waiting for the customer’s answer until');
    await expect(page.getByRole('link', { name: 'Open the phone' }).first()).toHaveAttribute(
      'href',
      `${sandbox.url}/phone/15550104102`,
    );
    await bea.write('Thursday afternoon');
    await expect(colleague.received('Bea asks for another day: Thursday afternoon')).toBeVisible();
    await expect(conversation).toContainText('Thursday afternoon');
    await expect(conversation).not.toContainText('Waiting for the customer’s answer');
  });
});
