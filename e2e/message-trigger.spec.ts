// A workflow that a customer's message starts, built by mouse: choose, listen, answer.
import type { Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor } from './seed.ts';

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
  const connection = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await sandbox.post('customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    text: 'Anyone there?',
  });
  const canvas = new CanvasDriver(page);
  const messages = canvas.panel.getByRole('list', { name: 'Messages' });
  const words = canvas.panel.getByRole('textbox', { name: 'Words' });
  const phone = await context.newPage();
  await phone.goto(`${sandbox.url}/phone/${CUSTOMER}?with=${PHONE}`);

  await test.step('the trigger asks for connection, number, kinds and words, and its card says so', async () => {
    await canvas.createWorkflow(api, 'Opening hours');
    await page.locator('[data-task-id]').first().click();
    await canvas.startOnMessages('Corner Bakery');
    await canvas.panel.getByRole('checkbox', { name: 'Text', exact: true }).click();
    await words.fill('hours, open');
    // A trigger has no variables: no task runs before it.
    await expect(canvas.panel.getByRole('button', { name: 'Use a variable instead' })).toHaveCount(0);
    await canvas.panel.getByRole('button', { name: 'Close', exact: true }).click();
    const steps = page.getByRole('complementary', { name: 'First steps' });
    await expect(steps).toContainText('Write to that number from a phone.');
    await expect(steps).not.toContainText('URL');
    await page.locator('[data-task-id]').first().click();
    await expect(page.locator('[data-task-id]').first()).toContainText('Message with “hours”, “open”');
  });

  await test.step('it is undone and redone with the rest of the draft', async () => {
    await canvas.save();
    await canvas.undo();
    await expect(words).toHaveValue('');
    await page.getByRole('button', { name: /^Redo/ }).click();
    await expect(words).toHaveValue('hours, open');
  });

  await test.step('a text goes back to whoever wrote', async () => {
    await canvas.addAfter('When a message arrives', 'Send text');
    await canvas.chooseSender('Corner Bakery');
    await canvas.setField('Recipient', '{{task_1_from}}');
    await canvas.setField('Text', 'Hello {{task_1_from_name}}, from 8 to 6.');
    await canvas.save();
  });

  await test.step('publishing says what customers do, and applies it', async () => {
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await expect(dialog).toContainText(/Write “hours” to .+ to start it\./);
    await dialog.getByRole('button', { name: 'Publish workflow' }).click();
    const after = page.getByRole('complementary', { name: 'After publishing' });
    await expect(after).toContainText(/Write “hours” to .+ to start it\./);
    await expect(after).not.toContainText('Production URL');
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

  await test.step('what starts it changes when the change is published, not when it is saved', async () => {
    const countIgnored = async (): Promise<number> =>
      (await api.get<{ data: object[] }>('/events?outcome=not_forwarded')).data.length;
    await page.locator('[data-task-id]').first().click();
    await words.fill('parking');
    await canvas.save();
    await writeOnPhone(phone, 'Is there parking?');
    await waitFor('a message that starts nothing yet', async () =>
      (await countIgnored()) > 1 ? true : undefined,
    );
    await expect(phone.locator('.theirs')).toHaveCount(1);
    await canvas.publish();
    await writeOnPhone(phone, 'And parking in the evening?');
    await expect(phone.locator('.theirs')).toHaveCount(2);
    await writeOnPhone(phone, 'Thanks for your hours');
    await waitFor('a message with a word of the version before', async () =>
      (await countIgnored()) > 2 ? true : undefined,
    );
    await expect(phone.locator('.theirs')).toHaveCount(2);
  });

  await test.step('after a reload it is as it was chosen, and the message gives the variables', async () => {
    await canvas.open(`${new URL(page.url()).pathname}?task=1`);
    await expect(canvas.panel.getByRole('radio', { name: 'When a message arrives' })).toBeChecked();
    await expect(words).toHaveValue('parking');
    await expect(messages.getByText('Notification')).toHaveCount(2);
  });

  await test.step('a copy and a file have it, too', async () => {
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const exported = await api.get<{ tasks: { settings: object }[] }>(`/workflows/${id}`);
    await openPage(page, '/workflows?import=1');
    const dialog = page.getByRole('dialog', { name: 'Import a workflow' });
    await dialog.getByLabel('Or paste the JSON').fill(JSON.stringify(exported));
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
    await page.locator('[data-task-id]').first().click();
    await expect(words).toHaveValue('parking');
    await canvas.chooseFromMenu('Duplicate');
    await expect(
      page
        .getByRole('button', { name: /\(copy\)/ })
        .or(page.getByText(/\(copy\)/))
        .first(),
    ).toBeVisible();
    await page.locator('[data-task-id]').first().click();
    await expect(words).toHaveValue('parking');
  });

  await test.step('the connection says which messages start it', async () => {
    await openPage(page, `/connections/${connection}`);
    await expect(page.getByText('Starts on messages with “parking”.').first()).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Incoming messages' }).first()).toBeDisabled();
  });
});

test('two workflows on the same messages: the canvas warns, and a waiting run says who gets the answer', async ({
  page,
  api,
  sandbox,
}) => {
  const connection = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const sender = { app_connection_id: connection, phone_number_id: PHONE, recipient: '{{task_1_from}}' };
  const make = (name: string) =>
    api.post<SavedWorkflow>('/workflows', {
      name,
      publish: true,
      tasks: [
        {
          id: 1,
          type: 'inbound_webhook',
          settings: { starts_on: 'messages', app_connection_id: connection, words: ['cake'] },
        },
        {
          id: 2,
          type: 'ask_and_wait',
          settings: { ...sender, question: `${name}: which one?`, answer_by: 'text' },
        },
      ],
      edges: [{ from: 1, to: 2 }],
    });
  const [first, second] = [await make('Cakes'), await make('Cakes of the day')];

  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${first.id}?task=1`);
  await expect(canvas.panel).toContainText(
    '“Cakes of the day” also starts on messages with “cake”: a customer who writes one gets the messages of both workflows. Select other words, or let one of them start only on messages that start no other one.',
  );
  await canvas.panel.getByRole('combobox', { name: 'While a conversation is open' }).click();
  await page.getByRole('option', { name: 'Start, too' }).click();
  await canvas.save();
  const { tasks } = await api.get<{ tasks: { settings: object }[] }>(`/workflows/${first.id}`);
  expect(tasks[0]?.settings).toMatchObject({ in_conversations: 'also' });

  await sandbox.post('customer-messages', { customer: '15550102802', phone_number_id: PHONE, text: 'Cake?' });
  const runs = await waitFor('both questions', async () => {
    const { data } = await api.get<{ data: { id: string; workflow_id: string; resume_at: string | null }[] }>(
      '/runs?status=waiting',
    );
    const waiting = data.filter((run) => [first.id, second.id].includes(run.workflow_id));
    return waiting.length === 2 ? waiting : undefined;
  });
  const found = (id: string) => runs.find((run) => run.workflow_id === id)?.id ?? '';
  await openPage(page, `/runs/${found(first.id)}`);
  const callout = page.getByText('Another run waits for an answer of the same customer').locator('..');
  await expect(callout.getByRole('link', { name: 'Cakes of the day' })).toHaveAttribute(
    'href',
    `/runs/${found(second.id)}`,
  );
  await expect(callout).toContainText(/The next answer (continues|does not continue) this run/);
});

test('another trigger keeps what follows it and its variables, with the keyboard, too; undo brings the old one back', async ({
  page,
  api,
  sandbox,
}) => {
  await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const variables = [{ name: 'who', value: '{{task_1_from}}' }];
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Cakes',
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: { response_body: '{"ok":true}' } },
      { id: 2, type: 'set_variables', name: 'Who', settings: { variables } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=1`);
  const read = () =>
    api.get<{ tasks: { id: number; type: string; name: string; settings: object }[]; edges: object[] }>(
      `/workflows/${id}`,
    );
  await canvas.rests();
  await canvas.panel
    .getByRole('radio', { name: 'Webhook', exact: true })
    // An option is selected while the key is held down.
    .press('ArrowRight', { delay: 100 });
  await expect(canvas.task('When a message arrives')).toBeVisible();
  await canvas.choose('Connection', 'Corner Bakery');
  await canvas.panel.getByRole('textbox', { name: 'Words' }).fill('cake');
  await expect(canvas.task('When a message arrives')).toContainText('Message with “cake”');
  await canvas.save();
  const changed = await read();
  expect(changed.tasks).toMatchObject([
    { id: 1, type: 'message_trigger', settings: { words: ['cake'], response_body: '{"ok":true}' } },
    { id: 2, settings: { variables } },
  ]);
  expect(changed.edges).toEqual([{ from: 1, to: 2 }]);

  await canvas.closeTask();
  const palette = page
    .getByRole('complementary', { name: 'Tasks' })
    .getByRole('region', { name: 'Start with' });
  await palette.getByRole('button', { name: 'Webhook' }).press('Enter');
  await expect(canvas.task('Inbound webhook')).toBeVisible();
  await canvas.undo();
  await expect(canvas.task('When a message arrives')).toContainText('Message with “cake”');
  await canvas.save();
  expect((await read()).tasks[0]).toMatchObject({ type: 'message_trigger', settings: { words: ['cake'] } });
});

test('a new workflow starts with the trigger that was selected for it', async ({ page }) => {
  await openPage(page, '/workflows?create=1');
  const dialog = page.getByRole('dialog', { name: 'Create a workflow' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Bookings');
  await dialog.getByRole('radio', { name: 'When a message arrives' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  const canvas = new CanvasDriver(page);
  await expect(canvas.task('When a message arrives')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'First steps' })).toContainText(
    'Select in the trigger whose messages start the workflow.',
  );
});
