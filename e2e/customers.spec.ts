// A customer is found by any spelling of their number, with all that was said, whichever workflow said it.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';
const CUSTOMER = '491711234567';
const NEVER_WROTE = '15550104777';

const timeline = (page: Page) => page.getByRole('list', { name: 'Messages', exact: true });

test('a conversation over two workflows on the customer’s page, found by number, by message and with Ctrl+K', async ({
  page,
  api,
  sandbox,
}) => {
  const connection = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await api.post(`/connections/${connection}/notifications`);
  const sending = { app_connection_id: connection, business_account_id: ACCOUNT, phone_number_id: PHONE };
  const answering = await api.post<SavedWorkflow>('/workflows', {
    name: 'Opening hours of the bakery',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Message', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Answer',
        settings: {
          ...sending,
          action: 'send_text',
          recipient: '{{task_1_from}}',
          message_text: 'Hello {{task_1_from_name}}, from 8 to 6.',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const confirming = await api.post<SavedWorkflow>('/workflows', {
    name: 'Order confirmation for customers',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Order', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Confirm',
        settings: {
          ...sending,
          action: 'send_template',
          recipient: '{{task_1_phone}}',
          template_name: 'order_confirmation',
          template_parameters: ['Kim', 'A-17'],
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await api.put(`/connections/${connection}/subscriptions/${answering.id}`, { kinds: ['messages'] });
  await sandbox.post('customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    text: 'What are your hours?',
  });
  await waitForRun(api, answering.id);
  for (const phone of [CUSTOMER, NEVER_WROTE]) {
    await postWebhook(confirming.webhook.production_url, { phone });
    await waitForRun(api, confirming.id);
  }
  const find = (search: string) =>
    api.get<{ data: { id: string }[] }>(`/customers?search=${encodeURIComponent(search)}`);
  const id = await waitFor('both customers', async () => {
    const [known, other] = [await find('0171 1234567'), await find(NEVER_WROTE)];
    return other.data.length === 1 ? known.data[0]?.id : undefined;
  });
  const messages = await waitFor('the statuses', async () => {
    const { data } = await api.get<{ data: { id: string; status: string | null; text: string | null }[] }>(
      `/customers/${id}/timeline`,
    );
    const sent = data.filter(({ status }) => status !== null);
    return sent.length === 2 && sent.every(({ status }) => status === 'delivered' || status === 'read')
      ? data
      : undefined;
  });
  expect(messages.map(({ text }) => text)).toEqual([
    expect.stringContaining('A-17'),
    expect.stringMatching(/^Hello .+, from 8 to 6\.$/),
    'What are your hours?',
  ]);

  await test.step('the list finds the customer by another spelling, and shows numbers masked', async () => {
    await openPage(page, '/workflows');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).click();
    await page.waitForURL('**/customers');
    await page.getByRole('searchbox').fill('+49 (0)171 / 123-45-67');
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row').last()).toContainText('••••4567');
    await page.getByRole('searchbox').fill('nobody at all');
    await expect(page.getByText('No customer matches')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
  });

  await test.step('the page has number, window and messages of both workflows, newest first', async () => {
    await page.getByRole('row').filter({ hasText: '4567' }).getByRole('link').click();
    await expect(page.getByText(`+${CUSTOMER}`).first()).toBeVisible();
    await expect(page.getByText('Open', { exact: true })).toBeVisible();
    const entries = timeline(page).locator('> li');
    await expect(entries).toHaveCount(3);
    await expect(entries.nth(0)).toContainText('Template order_confirmation');
    await expect(entries.nth(0)).toContainText('Order confirmation for customers');
    await expect(entries.nth(1)).toContainText('from 8 to 6.');
    await expect(entries.nth(2)).toContainText('What are your hours?');
    await expect(entries.nth(2)).toContainText('Opening hours of the bakery');
  });

  await test.step('the runs of the customer', async () => {
    await page.getByRole('link', { name: 'Runs', exact: true }).last().click();
    await expect(page.getByText('Runs with')).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(3);
    const links = page.locator(`tbody a[href="/customers/${id}"]`).filter({ visible: true });
    await expect(links).toHaveCount(2);
    await page.locator('tbody a[href^="/runs/"]').first().click();
    await expect(page.getByRole('definition').locator(`a[href="/customers/${id}"]`)).toBeVisible();
    await page.goBack();
    await page.goBack();
  });

  await test.step('a message says what led to it', async () => {
    await timeline(page).getByRole('link', { name: 'Details' }).first().click();
    await expect(page.getByText('Platform’s message ID')).toBeVisible();
    await expect(page.getByText(messages[0]?.id ?? '')).toBeVisible();
    await expect(page.getByText('Confirm', { exact: true })).toBeVisible();
    await expect(page.getByText('Order confirmation for customers, version 1')).toBeVisible();
    await expect(page.getByText('Delivered').first()).toBeVisible();
  });

  await test.step('Ctrl+K finds the customer by number, and a message by its id', async () => {
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Commands' });
    await search.fill('0049 171 1234567');
    await page.getByRole('option', { name: '••••4567' }).click();
    await page.waitForURL(`**/customers/${id}`);
    await page.keyboard.press('Control+k');
    await search.fill(messages[1]?.id ?? '');
    await page.getByRole('option', { name: 'Show this message' }).click();
    await expect(page.getByText('Platform’s message ID')).toBeVisible();
    await expect(page.getByText('from 8 to 6.')).toBeVisible();
  });

  // Other tests write to this account.
  await api.delete(`/connections/${connection}/subscriptions/${answering.id}`);

  await test.step('a member stops marketing, puts the customer on hold and releases them', async () => {
    await openPage(page, `/customers/${id}`);
    await page.getByRole('button', { name: 'Stop marketing templates' }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
    await expect(page.getByText('Stopped', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Put on hold' }).click();
    const holding = page.getByRole('dialog');
    await holding.getByRole('combobox', { name: 'When a workflow sends to this customer' }).click();
    await page.getByRole('option', { name: 'Wait, and send when the hold ends' }).click();
    await holding.getByRole('combobox', { name: 'Time limits of questions during the hold' }).click();
    await page.getByRole('option', { name: 'Pause during the hold' }).click();
    await holding.getByRole('button', { name: 'Put on hold' }).click();
    await expect(page.getByText('On hold', { exact: true })).toBeVisible();
    await expect(page.getByText('Messages of workflows wait for its end.')).toBeVisible();
    const { hold } = await api.get<{ hold: object | null }>(`/customers/${id}/hold`);
    expect(hold).toMatchObject({ until: null, sends: 'wait', deadlines: 'stand_still' });
    await page.getByRole('button', { name: 'Release' }).click();
    await expect(page.getByText('On hold', { exact: true })).toHaveCount(0);
  });
  await test.step('a member adds, changes and removes an attribute', async () => {
    await page.getByRole('button', { name: 'Add attribute' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('visits');
    await dialog.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Number' }).click();
    await dialog.getByLabel('Value').fill('three');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('isn’t a number, such as 1250.5.')).toBeVisible();
    await dialog.getByLabel('Value').fill('3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const visits = page.getByRole('definition').filter({ hasText: 'set by hand' });
    await expect(visits.last()).toContainText('3');
    await page.getByRole('button', { name: 'Edit visits' }).click();
    await dialog.getByLabel('Value').fill('4');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(visits.last()).toContainText('4');
    const { attributes } = await api.get<{ attributes: object[] }>(`/customers/${id}`);
    expect(attributes).toMatchObject([{ name: 'visits', type: 'number', value: 4 }]);
    await openPage(page, `/customers/${id}`);
    await expect(timeline(page)).toContainText('Remembered: visits = 4');
    await page.getByRole('button', { name: 'Edit visits' }).click();
    await dialog.getByLabel('Value').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Nothing is remembered.')).toBeVisible();
  });
  // On a phone nothing is wider than the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [
    '/customers',
    `/customers/${id}`,
    `/messages/${encodeURIComponent(messages[0]?.id ?? '')}`,
  ]) {
    await openPage(page, path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, path).toBe(390);
  }
});
