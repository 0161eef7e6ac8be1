import { expect, test } from './fixtures.ts';
import { openPage, untilHydrated } from './open-page.ts';
import { connectAccount } from './seed.ts';

const EVENTS = '200000000000002';
const CLINIC = { account: '200000000000003', phone: '300000000000004' };

interface Tokens {
  access_token: string;
  refresh_token: string;
}

test('a connection whose tokens have ended says so, is connected again and keeps its id', async ({
  page,
  api,
  sandbox,
}) => {
  const tokens = await sandbox.post<Tokens>('tokens');
  const { id } = await api.post<{ id: string }>('/connections', { name: 'Ends today', ...tokensOf(tokens) });
  await api.post('/workflows', {
    name: 'Depends on it',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'messaging_business', name: 'Send', settings: { app_connection_id: id } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await sandbox.post('tokens/expire', { token: tokens.access_token });
  await sandbox.post('tokens/expire', { token: tokens.refresh_token });

  await openPage(page, `/connections/${id}`);
  await expect(page.getByRole('listitem').filter({ hasText: 'Access token' })).toContainText(
    'Reconnect the connection.',
  );
  await openPage(page, '/connections');
  const row = page.getByRole('listitem').filter({ hasText: 'Ends today' });
  await expect(row).toContainText('Needs reconnecting');
  await expect(row).toContainText('used by Depends on it');

  await test.step('reconnect', async () => {
    await row.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('button', { name: /^A?\s*Admin/ }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`**/connections/${id}?reconnected=1`);
    await untilHydrated(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await expect(page.getByText('The token is valid.', { exact: false })).toBeVisible();
  });

  await test.step('rename', async () => {
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Good for long');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Good for long');
  });

  await test.step('delete, after a warning that names the workflow', async () => {
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Depends on it');
    await page.getByRole('button', { name: 'Delete connection' }).click();
    await page.waitForURL('**/connections');
    await expect(page.getByText('Good for long')).toHaveCount(0);
  });
});

test('a login that was cancelled, and one without rights, say what to do', async ({ page }) => {
  await openPage(page, '/connections');
  await page.getByRole('button', { name: 'Connect an account' }).first().click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/connections?problem=*');
  await expect(page.getByText('The sign-in was cancelled. Nothing was connected.')).toBeVisible();

  await openPage(page, '/connections?problem=Your+account+is+locked.+Call+us.');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Your account is locked')).toHaveCount(0);

  await page.getByRole('button', { name: 'Connect an account' }).first().click();
  await page.getByRole('button', { name: /Visitor without rights/ }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL('**/connections/new?login=*');
  await expect(page.getByText(/Admin or Editor role|Insufficient permissions/).first()).toBeVisible();
});

test('the token of a system user is shown for whom it is, connected for an account by its ID, and replaced', async ({
  page,
  api,
  sandbox,
}) => {
  const { data } = await api.get<{ data: { id: string; business_account_id: string | null }[] }>(
    '/connections',
  );
  for (const { id, business_account_id: account } of data)
    if (account === EVENTS) await api.delete(`/connections/${id}`);
  const { access_token } = await sandbox.post<Tokens>('tokens', { expires_in: 'never' });

  await openPage(page, '/connections');
  await page.getByRole('link', { name: 'Use an access token' }).click();
  await page.getByLabel('Access token').fill('made-up');
  await page.getByRole('button', { name: 'Check token' }).click();
  await expect(page.getByText('Copy all of it again, or generate another one.')).toBeVisible();
  await page.getByLabel('Access token').fill(access_token);
  await page.getByRole('button', { name: 'Check token' }).click();
  const facts = page.locator('section').filter({ hasText: 'This token' });
  await expect(facts).toContainText('Sandbox app');
  await expect(facts).toContainText('System userAdmin');
  await expect(facts).toContainText('ExpiresNever');
  await expect(facts).toContainText('chat_business_messaging');

  await page.getByRole('radio', { name: /Another account/ }).check();
  await page.getByLabel('Business account ID').fill('999');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('System user');
  await page.getByRole('button', { name: 'Save connection' }).click();
  await expect(page.getByText('This token cannot access the business account 999.')).toBeVisible();
  await page.getByLabel('Business account ID').fill(EVENTS);
  await page.getByRole('checkbox', { name: 'Receive notifications' }).uncheck();
  await page.getByRole('button', { name: 'Save connection' }).click();
  await page.waitForURL(/\/connections\/[\w-]{36}$/);
  await expect(page.getByText(`Harbour Street Events (${EVENTS})`)).toBeVisible();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();

  const next = await sandbox.post<Tokens>('tokens', { expires_in: 'never' });
  await page.getByRole('link', { name: 'Replace the token' }).click();
  await page.getByLabel('Access token').fill(next.access_token);
  await page.getByRole('button', { name: 'Check token' }).click();
  await page.getByRole('button', { name: 'Reconnect' }).click();
  await page.waitForURL('**/connections/*?reconnected=1');
  await expect(page.getByText('Reconnected. Workflows that use this connection work again.')).toBeVisible();
});

test('a test message reaches the phone, and its customer counts against the limit', async ({
  page,
  api,
  sandbox,
}) => {
  const id = await connectAccount(api, sandbox, 'Old Mill', '200000000000005');
  await openPage(page, `/connections/${id}`);
  await page.getByLabel('To', { exact: true }).fill('15550107777');
  await page.getByRole('combobox', { name: 'Message template' }).click();
  await page.getByRole('option', { name: /hello_world/ }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Message accepted by the platform')).toBeVisible();
  const sent = await sandbox.get<{ count: number }>('messages?to=15550107777');
  expect(sent.count).toBe(1);
  const used = /[1-9]\d* of 1,000 customers in 24 hours/;
  const numbers = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Numbers' }) });
  // A count is used again for up to a minute, depending on the time that counting takes.
  await expect(async () => {
    await numbers.getByRole('button', { name: 'Reload' }).click();
    await expect(numbers).toContainText(used, { timeout: 2000 });
  }).toPass({ timeout: 120_000 });
  await openPage(page, '/settings/health');
  await expect(page.getByRole('listitem').filter({ hasText: '+1 503-555-0106' })).toContainText(used);
});

const tokensOf = ({ access_token, refresh_token }: Tokens) => ({ access_token, refresh_token });

test('a published workflow whose connection was deleted is marked in the list, with the way to fix it', async ({
  page,
  api,
  sandbox,
}) => {
  const { access_token, refresh_token } = await sandbox.post<Tokens>('tokens');
  const { id: connectionId } = await api.post<{ id: string }>('/connections', {
    name: 'Soon gone',
    access_token,
    refresh_token,
    business_account_id: CLINIC.account,
  });
  const { id } = await api.post<{ id: string }>('/workflows', {
    name: 'Loses its connection',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Say hello',
        settings: {
          action: 'send_template',
          app_connection_id: connectionId,
          business_account_id: CLINIC.account,
          phone_number_id: CLINIC.phone,
          recipient: '15550103001',
          template_name: 'hello_world',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await openPage(page, '/workflows');
  const row = page.getByRole('row').filter({ hasText: 'Loses its connection' });
  await expect(row).toContainText('is active');
  await expect(row.getByRole('link', { name: 'Fix “Say hello”' })).toHaveCount(0);
  await openPage(page, `/connections/${connectionId}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete connection' }).click();
  await page.waitForURL('**/connections');
  await openPage(page, '/workflows');
  await expect(row).toContainText('This connection was deleted.');
  await row.getByRole('link', { name: 'Fix “Say hello”' }).click();
  await page.waitForURL(`**/workflows/${id}?task=2`);
  await expect(page.getByRole('complementary', { name: 'Task "Say hello"' })).toContainText(
    'This connection was deleted.',
  );
});
