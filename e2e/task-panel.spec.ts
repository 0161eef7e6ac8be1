// The panel of a task while its settings are filled in.
import { createServer } from 'node:http';
import { CanvasDriver } from './canvas-driver.ts';
import { type Api, postWebhook, type Sandbox } from './http-clients.ts';
import { expect, test } from './fixtures.ts';
import { listen } from './listen.ts';
import { reloadPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';

async function makeWorkflow(
  api: Api,
  sandbox: Sandbox,
  name: string,
  settings: Record<string, unknown>,
): Promise<SavedWorkflow> {
  const app_connection_id = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const sender = { app_connection_id, business_account_id: ACCOUNT, phone_number_id: PHONE };
  return api.post<SavedWorkflow>('/workflows', {
    name,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'messaging_business', name: 'Send', settings: { ...sender, ...settings } },
      { id: 3, type: 'if_condition', name: 'Check', settings: {} },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
}

test('a file is checked, uploaded and sent by its media id', async ({ page, api, sandbox }) => {
  const recipient = '15550102001';
  const { id } = await makeWorkflow(api, sandbox, 'Media', { action: 'send_media', recipient });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=2`);
  const input = canvas.panel.getByLabel('File to upload');
  const file = (name: string, megabytes: number) => ({
    name,
    mimeType: '',
    buffer: Buffer.alloc(megabytes * 1024 * 1024, 1),
  });
  await input.setInputFiles(file('too-large.png', 6));
  await expect(canvas.panel.getByRole('alert').getByText('An image can have at most 5 MB')).toBeVisible();
  await input.setInputFiles(file('page.html', 1));
  await expect(canvas.panel.getByRole('alert').getByText('this is html')).toBeVisible();

  await input.setInputFiles(file('Price list.pdf', 12));
  await expect(canvas.panel.getByText('Price list.pdf', { exact: true }).first()).toBeVisible();
  await expect(canvas.panel.getByRole('radio', { name: 'document' })).toBeChecked();
  await expect(canvas.panel.getByRole('textbox', { name: 'File name' })).toHaveText('Price list.pdf');
  await canvas.save();
  await reloadPage(page);
  await expect(canvas.panel.getByText('Price list.pdf', { exact: true }).first()).toBeVisible();

  await sandbox.post('customer-messages', { customer: recipient, phone_number_id: PHONE, text: 'Hello' });
  await canvas.panel.getByRole('button', { name: 'Test this task' }).click();
  await page.getByRole('button', { name: 'Run it' }).click();
  await expect(canvas.panel.getByText('Media sent successfully.')).toBeVisible();
});

test('a template brings a language that it is approved in', async ({ page, api, sandbox }) => {
  const { id } = await makeWorkflow(api, sandbox, 'Languages', { template_language: 'fr' });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=2`);
  await canvas.choose('Template name', 'order_confirmation');
  await expect(canvas.chosen('Template language')).toContainText('en_US');
  await expect(canvas.panel.getByRole('figure', { name: 'Preview on a phone' })).toBeVisible();
});

test('a text says how the 24-hour window of the sample’s customer stands, and suggests a fallback template', async ({
  page,
  api,
  sandbox,
}) => {
  const recipient = '{{task_1_phone}}';
  const { id, webhook } = await makeWorkflow(api, sandbox, 'Window', { action: 'send_text', recipient });
  const { headers } = await postWebhook(webhook.test_url, { phone: '+1 555 010 2055' });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=1`);
  const connection = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await api.post(`/connections/${connection}/notifications`);
  await canvas.startOnMessages('Corner Bakery');
  await canvas.save();
  await canvas.openTask('Send');
  await expect(canvas.panel.locator('[data-window=unknown]')).toContainText('15550102055');

  const write = (customer: string) =>
    sandbox.post('customer-messages', { customer, phone_number_id: PHONE, text: 'Hello' });
  const notifications = canvas.panel.getByRole('list', { name: 'Messages' }).getByText('Notification');
  await test.step('closed: the customer wrote more than a day ago', async () => {
    const customer = '15550102056';
    const { headers: latest } = await postWebhook(webhook.test_url, { phone: customer });
    await sandbox.post('clock', { move_seconds: -25 * 3600 });
    await write(customer);
    await sandbox.post('clock', { move_seconds: 25 * 3600 });
    await canvas.openTask('In');
    await expect(notifications).toHaveCount(1);
    await canvas.open(`/workflows/${id}?task=2&event=${latest.get('x-event-id')}`);
    const callout = canvas.panel.locator('[data-window=closed]');
    await expect(callout).toContainText(`The sample’s customer, ${customer}, last wrote`);
    await expect(callout).toContainText('Select a fallback template to send instead, or this task fails.');
    await canvas.panel.getByRole('button', { name: 'Use “hello_world”' }).click();
    await expect(canvas.chosen('Fallback template')).toContainText('hello_world');
    await expect(callout).toContainText('The fallback template is sent instead.');
    await canvas.save();
  });

  await test.step('open: the customer wrote just now', async () => {
    await write('15550102055');
    await canvas.openTask('In');
    await expect(notifications).toHaveCount(2);
    await canvas.open(`/workflows/${id}?task=2&event=${headers.get('x-event-id')}`);
    const callout = canvas.panel.locator('[data-window=open]');
    await expect(callout).toContainText('texts can be sent until');
    await expect(callout).toContainText('After that, the fallback template is sent instead.');
  });
});

test('a request is imported from curl, masked, tried, and its answer stays the sample after a reload', async ({
  page,
  api,
}) => {
  const shop = createServer((request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ asked: request.headers['x-shop'], customer: { tier: 'gold' } })),
  );
  const url = await listen(shop);
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Ask the shop',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'http_request', name: 'Ask', settings: {} },
      { id: 3, type: 'if_condition', name: 'Check', settings: {} },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  const canvas = new CanvasDriver(page);
  const tried = canvas.panel.getByRole('region', { name: 'Test this task' });
  await canvas.open(`/workflows/${id}?task=2`);

  await test.step('a private address is refused with the setting that would allow it', async () => {
    await canvas.setField('URL', 'http://10.0.0.1/orders');
    await canvas.panel.getByRole('button', { name: 'Test this task' }).click();
    await expect(tried.getByRole('alert')).toContainText('ALLOWED_PRIVATE_HOSTS');
  });

  await test.step('from curl; the key is shown to nobody once it is saved', async () => {
    await canvas.panel.getByRole('button', { name: 'Import from curl' }).click();
    const command = `curl '${url}/orders' -H 'X-Shop: 7' -H 'Authorization: Bearer sk-e2e-very-secret'`;
    await page.getByRole('textbox', { name: 'curl command' }).fill(command);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(canvas.task('Ask')).toContainText(`${url}/orders`.replace('http://', ''));
    await canvas.save();
    await reloadPage(page);
    await canvas.isReady();
    await expect(canvas.panel).toBeVisible();
    await expect(page.locator('body')).not.toContainText('sk-e2e-very-secret');
  });

  await test.step('the answer is the sample, also after a reload', async () => {
    await canvas.panel.getByRole('button', { name: 'Test this task' }).click();
    await expect(tried.getByRole('alert')).toContainText('gold');
    for (const isReloaded of [false, true]) {
      if (isReloaded) {
        await canvas.save();
        await reloadPage(page);
      }
      await canvas.isReady();
      await canvas.openTask('Check');
      if (!isReloaded) await canvas.panel.getByRole('button', { name: 'Add condition' }).click();
      await canvas.setField('Value', '{{task_2_body_customer_tier}}');
      await expect(canvas.panel.locator('[data-preview]').first()).toContainText('gold');
    }
  });
  shop.close();
});

test('what keeps it from being published is an error, what will be empty a warning', async ({
  page,
  api,
  sandbox,
}) => {
  const { id, webhook } = await makeWorkflow(api, sandbox, 'Errors and warnings', { action: 'send_text' });
  await postWebhook(webhook.test_url, { phone: '15550102001' });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=3`);
  await canvas.panel.getByRole('button', { name: 'Add condition' }).click();
  await canvas.choose('Comparison', 'matches the pattern');
  await canvas.setField('Compare with', '(49');
  await expect(canvas.panel.getByRole('alert').getByText('missing closing )')).toBeVisible();
  await canvas.setField('Compare with', '(49)');
  await expect(canvas.panel.getByText('missing closing )')).toBeHidden();

  const value = canvas.panel.getByRole('textbox', { name: 'Value' });
  await canvas.setField('Value', '{{phone}} and more');
  await expect(
    canvas.panel.getByText('Warning: {{phone}}: there is no variable with this name'),
  ).toBeVisible();
  await expect(value.getByTitle(/no variable with this name/)).toContainText('phone');
  await canvas.openTask('Send');
  const text = canvas.panel.getByRole('textbox', { name: 'Text' });
  await canvas.setField('Text', '{{task_1_nothing}} and more');
  const missing = text.getByTitle(/is not in the sample/);
  await expect(missing).toContainText('In › nothing ({{task_1_nothing}} is not in the sample');
  await canvas.setField('Text', '{{task_1_phone}} and more');
  const chip = text.locator('[data-variable="task_1_phone"]');
  await expect(chip).toHaveText('In › phone');
  // Saving renders the field again, which closes what the mouse has opened.
  await canvas.save();
  await chip.hover();
  await expect(canvas.panel.locator('.cm-variable-value')).toContainText('15550102001');
});

test('a variable is chosen by what it is called, and typing continues behind it', async ({
  page,
  api,
  sandbox,
}) => {
  const { id, webhook } = await makeWorkflow(api, sandbox, 'Picker', { action: 'send_text' });
  await postWebhook(webhook.test_url, {
    item: { priority: 'high', id: 'prior to that' },
    lines: [{ sku: 'A' }, { sku: 'B' }],
    text: 'Hello',
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=2`);
  const text = canvas.panel.getByRole('textbox', { name: 'Text' });
  const field = canvas.panel.locator('[data-field="settings.message_text"]');
  const picker = page.getByRole('dialog', { name: 'Variables' });
  await field.getByRole('button', { name: 'Insert a variable' }).click();
  await page.keyboard.type('prior');
  const offered = picker.getByRole('listbox').getByRole('option');
  await expect(offered.first()).toContainText('item_priority');
  await page.keyboard.press('Enter');
  await expect(picker).toBeHidden();
  await expect(text).toBeFocused();
  await page.keyboard.type(' and {{text');
  await expect(page.getByRole('option').first()).toContainText('In › text');
  await page.keyboard.press('Enter');
  await page.keyboard.type('!');
  await expect(text).toHaveText('In › item_priority and In › text!');

  await field.getByRole('button', { name: 'Insert a variable' }).click();
  await expect(picker.getByRole('group', { name: 'Recently used' })).toContainText('item_priority');
  await expect(offered.filter({ hasText: /^lines/ })).toContainText('2 items');
  await picker.locator('[data-expands="lines"]').click();
  await picker.locator('[data-expands="First item"]').click();
  await expect(offered.filter({ hasText: /^sku/ })).toHaveCount(1);
  await picker.getByPlaceholder('Search variables, values and formatting').fill('capital');
  await offered.filter({ hasText: /^upper value/ }).click();
  await expect(text).toBeFocused();
  await page.keyboard.type('task_1_te');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(canvas.panel.locator('[data-preview]').last()).toContainText('high and Hello!HELLO');
});

test('a click on "Add variable" right after typing arrives, though a problem is found meanwhile', async ({
  page,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Rows in a row');
  await canvas.addAfter('Inbound webhook', 'Set variables');
  await canvas.setField('Name', 'not a name!');
  const add = canvas.panel.getByRole('button', { name: 'Add variable' });
  const box = await add.boundingBox();
  if (!box) throw new Error('The button is not on the screen.');
  // Its upper edge: the distance that the line of a problem below the field would move it.
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  await page.mouse.down();
  // By then the focus has left the field, and its value was checked.
  await canvas.save();
  // No problem is shown, and nothing moves, while the button is pressed.
  const problem = canvas.panel.locator('[aria-invalid="true"]');
  await expect(problem).toHaveCount(0);
  expect(await add.boundingBox()).toEqual(box);
  await page.mouse.up();
  await expect(canvas.panel.getByRole('listitem').filter({ has: page.getByText('Value') })).toHaveCount(2);
  await expect(problem.first()).toBeVisible();
});
