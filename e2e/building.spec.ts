// Counts the user's actions until a workflow works, so that they stay few.
import { CanvasDriver } from './canvas-driver.ts';
import { CountingHands } from './counting-hands.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { connectAccount, waitFor, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000004';

/** The counts, for the report. */
const note = (description: string) => test.info().annotations.push({ type: 'counted', description });

interface Messages {
  data: { status: string }[];
}

test('from blank to the first message: at most 9 clicks and 2 typed fields', async ({
  page,
  api,
  sandbox,
}) => {
  const recipient = '15550102777';
  await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const canvas = new CanvasDriver(page);
  const hands = new CountingHands(page);
  await openPage(page, '/workflows');
  await hands.click(page.getByRole('button', { name: 'Create', exact: true }));
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await hands.type('First message');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  await canvas.isReady();

  const palette = page.getByRole('complementary', { name: 'Tasks' });
  await hands.click(palette.getByRole('button', { name: 'Send template' }));
  await expect(canvas.chosen('App connection')).not.toContainText('Loading');
  if ((await canvas.chosen('App connection').textContent())?.includes('Choose'))
    await hands.choose(canvas.chosen('App connection'), /^Corner Bakery/);
  await expect(canvas.chosen('Sender')).not.toContainText('Choose');
  await hands.choose(canvas.chosen('Template name'), /^hello_world/);
  await hands.fill(canvas.panel.getByRole('textbox', { name: 'Recipient' }), recipient);
  await expect(canvas.task('Send template')).toContainText(`hello_world → ${recipient}`);
  await hands.click(canvas.panel.getByRole('button', { name: 'Test this task' }));
  await hands.click(page.getByRole('button', { name: 'Run it' }));
  await waitFor('the message at the platform', async () => {
    const { data } = await sandbox.get<Messages>(`messages?to=${recipient}`);
    return data.length > 0 ? true : undefined;
  });
  note(`${hands.clicks} clicks, ${hands.typedFields} typed fields`);
  expect(hands.clicks).toBeLessThanOrEqual(9);
  expect(hands.typedFields).toBeLessThanOrEqual(2);
});

test('five tasks with a loop by mouse: fewer than 60 actions', async ({ page, api, sandbox }) => {
  await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Tell every customer');
  await canvas.openTask('Inbound webhook');
  const { production, test: testUrl } = await canvas.urls();
  const event = {
    shop: 'Corner Bakery',
    open: true,
    customers: [
      { name: 'Kim', phone: '15550102778' },
      { name: 'Sam', phone: '15550102779' },
    ],
  };
  await postWebhook(testUrl, event);
  await canvas.open(page.url());

  const hands = new CountingHands(page);
  const palette = page.getByRole('complementary', { name: 'Tasks' });
  const picker = page.getByRole('dialog', { name: 'Variables' });
  const add = async (name: string) => {
    // The open panel may leave no room for the list of tasks: then a button opens it.
    const item = palette.getByRole('button', { name });
    if (await item.isVisible()) return hands.click(item);
    await hands.click(page.locator('.react-flow__panel').getByRole('button', { name: 'Add a task' }));
    await hands.click(
      page
        .getByRole('dialog')
        .getByRole('option', { name: new RegExp(`^${name}`) })
        .first(),
    );
  };
  const insert = async (field: string, variable: RegExp, nth = 0) => {
    const place = canvas.panel.locator(`[data-field="${field}"]`);
    await hands.click(place.getByRole('button', { name: 'Insert a variable' }).nth(nth));
    await hands.click(picker.getByRole('listbox').getByRole('option', { name: variable }).first());
    await expect(picker).toBeHidden();
  };

  await test.step('only while the shop is open', async () => {
    await add('If / Condition');
    await insert('settings.conditions[0].left', /^True or false open/);
    await hands.choose(canvas.chosen('Comparison'), 'is true');
  });
  await test.step('for each customer', async () => {
    await add('Loop');
    await insert('settings.items', /^List customers/);
    await expect(canvas.task('Loop')).toContainText('each of {{customers}}');
  });
  await test.step('a message with the name', async () => {
    await add('Send template');
    if ((await canvas.chosen('App connection').textContent())?.includes('Choose'))
      await hands.choose(canvas.chosen('App connection'), /^Corner Bakery/);
    await hands.choose(canvas.chosen('Template name'), /^hello_world/);
    await insert('settings.recipient', /^Text phone/);
  });
  await test.step('how many there were, when it is done', async () => {
    await hands.click(canvas.task('Loop').getByRole('button', { name: 'Add a task after "When done"' }));
    await hands.click(page.getByRole('dialog').getByRole('option', { name: /^Set variables/ }));
    await hands.fill(canvas.panel.getByRole('textbox', { name: 'Name', exact: true }), 'told');
    await insert('settings.variables[0].value', /^Number count|^No value count/);
  });
  await test.step('publish', async () => {
    await canvas.save();
    await hands.click(page.getByRole('button', { name: /^Publish/ }));
    await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Publish workflow' }));
    await expect(page.getByText('Version 1 is published').first()).toBeVisible();
  });
  note(`${hands.actions} actions`);
  expect(hands.actions).toBeLessThan(60);

  await postWebhook(production, event);
  const id = /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? '';
  expect((await waitForRun(api, id)).status).toBe('succeeded');
  const { data } = await sandbox.get<Messages>('messages?to=15550102779');
  expect(data).toHaveLength(1);
});
