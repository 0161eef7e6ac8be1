// What an edge back is drawn for: a loop until a condition is met, and a question that asks again.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000003';
const PHONE = '300000000000004';
const CUSTOMER = '15550177001';

interface Draft {
  tasks: { id: number; type: string; settings: Record<string, unknown> }[];
  edges: { from: number; to: number; branch?: string }[];
}

test('an edge back is offered as a loop, by mouse and by keyboard: cancelled, nothing changes; accepted, it is one step and runs', async ({
  page,
  api,
}) => {
  const at = (x: number) => ({ position: { x: x * 344, y: 0 } });
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name: 'Until there is a place',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Start', settings: {}, ...at(0) },
      {
        id: 2,
        type: 'set_variables',
        name: 'Look',
        settings: { variables: [{ name: 'at', value: '{{$now}}' }] },
        ...at(1),
      },
      {
        id: 3,
        type: 'if_condition',
        name: 'Free?',
        settings: { conditions: [{ left: '{{task_4_round}}', operator: 'at_least', right: '3' }] },
        ...at(2),
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  const read = () => api.get<Draft>(`/workflows/${workflow.id}`);
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${workflow.id}`);
  const dialog = page.getByRole('alertdialog', { name: 'Repeat until a condition is met?' });

  await canvas.connect('Free?', 'Look', 'false');
  await expect(dialog).toContainText('Look, Free?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled();
  await expect(canvas.edges()).toHaveCount(2);

  await canvas.openTask('Free?');
  await page.keyboard.press('Escape');
  await expect(canvas.task('Free?')).toBeFocused();
  await page.keyboard.press('c');
  await canvas.pick('False → back to Look');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Add the loop' }).press('Enter');
  await expect(canvas.panel.getByRole('textbox', { name: 'Task name' })).toHaveValue('Loop');
  await expect(canvas.panel.getByText('Until a condition is met')).toBeVisible();
  await expect(canvas.edges()).toHaveCount(3);
  await canvas.isSaved();
  expect((await read()).edges).toEqual([
    { from: 1, to: 4 },
    { from: 2, to: 3 },
    { from: 4, to: 2, branch: 'each' },
  ]);

  await canvas.closeTask();
  await canvas.undo();
  await expect(canvas.edges()).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled();
  await canvas.redo();
  await expect(canvas.edges()).toHaveCount(3);
  await canvas.isSaved();
  await canvas.publish();
  await expect(page.getByText('Version 1 is published')).toBeVisible();
  await postWebhook(workflow.webhook.production_url, {});
  const { id, status } = await waitForRun(api, workflow.id);
  expect(status).toBe('succeeded');
  await openPage(page, `/runs/${id}`);
  await expect(page.getByRole('button', { name: /^Pass 3/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Pass 4/ })).toBeHidden();
  await expect(page.getByText('Repeated 3 times: the condition is met.').first()).toBeVisible();
});

test('an edge from another answer back to its question lets it ask again, each time with its own words', async ({
  page,
  context,
  api,
  sandbox,
}) => {
  const connectionId = await connectAccount(api, sandbox, 'Lakeside Clinic', ACCOUNT);
  await api.post(`/connections/${connectionId}/notifications`);
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name: 'How many of you?',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Start', settings: {}, position: { x: 0, y: 0 } },
      {
        id: 2,
        type: 'ask_and_wait',
        name: 'How many?',
        settings: {
          app_connection_id: connectionId,
          phone_number_id: PHONE,
          recipient: '{{task_1_to}}',
          question: 'How many of you?',
          answer_by: 'text',
          answer_kind: 'number',
        },
        position: { x: 344, y: 0 },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${workflow.id}`);
  await canvas.connect('How many?', 'How many?', 'other');
  const dialog = page.getByRole('alertdialog', { name: 'Ask again?' });
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  await expect(canvas.panel.getByRole('textbox', { name: 'Text when asking again' })).toBeFocused();
  await canvas.setField('Text when asking again', 'A number, please.');
  await canvas.panel.getByRole('button', { name: 'Add text' }).click();
  await canvas.setField('Text', 'Only digits, please.');
  await canvas.isSaved();
  await canvas.publish();

  const phone = await context.newPage();
  await phone.goto(`${sandbox.url}/phone/${CUSTOMER}?with=${PHONE}`);
  const says = async (text: string) => {
    const composer = phone.getByRole('textbox', { name: 'Answer as the customer' });
    await composer.fill(text);
    await composer.press('Enter');
    await expect(phone.locator('.mine', { hasText: text })).toBeVisible();
  };
  const hears = (text: string) => expect(phone.locator('.theirs', { hasText: text })).toHaveCount(1);
  await says('Hello');
  await waitFor('the customer', async () => {
    const { data } = await api.get<{ data: { id: string }[] }>('/customers?limit=20');
    return data.find(({ id }) => id.includes(CUSTOMER));
  });
  await postWebhook(workflow.webhook.production_url, { to: CUSTOMER });
  await hears('How many of you?');
  await says('a few');
  await hears('A number, please.');
  await says('some');
  await hears('Only digits, please.');
  await says('4');
  const { id, status } = await waitForRun(api, workflow.id);
  expect(status).toBe('succeeded');
  await openPage(page, `/runs/${id}`);
  const talk = page.getByRole('region', { name: /Conversation/ });
  for (const text of ['How many of you?', 'a few', 'A number, please.', 'some', 'Only digits, please.', '4'])
    await expect(talk.getByText(text, { exact: true })).toBeVisible();
});
