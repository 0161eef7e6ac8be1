import { expect, test } from './fixtures.ts';
import { connectAccount, waitForRun } from './seed.ts';

const EVENTS = { account: '200000000000002', phone: '300000000000007', pin: '135790' };

test('a number that is not registered is registered from the page of its connection, by keyboard', async ({
  page,
  api,
  sandbox,
}) => {
  const setStatus = (status: string) => sandbox.post(`phone-numbers/${EVENTS.phone}`, { status });
  await setStatus('CONNECTED');
  const id = await connectAccount(api, sandbox, 'Events', EVENTS.account);
  const workflow = await api.post<{ id: string; webhook: { production_url: string } }>('/workflows', {
    name: 'Sends from the tickets number',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Send',
        settings: {
          app_connection_id: id,
          action: 'send_template',
          business_account_id: EVENTS.account,
          phone_number_id: EVENTS.phone,
          recipient: '15550107778',
          template_name: 'hello_world',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });

  await setStatus('DISCONNECTED');
  await fetch(workflow.webhook.production_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const run = await waitForRun(api, workflow.id);
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText('Phone number not registered').first()).toBeVisible();
  await page.getByRole('link', { name: 'Register the number' }).first().click();
  await page.waitForURL(`**/connections/${id}#numbers`);
  await expect(page.getByText('Cannot send: disconnected')).toBeVisible();

  const dialog = page.getByRole('dialog', { name: 'Register +1 212-555-0107' });
  await page.getByRole('button', { name: 'Register +1 212-555-0107' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('PIN')).toBeFocused();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter the six digits of the PIN.')).toBeVisible();
  await dialog.getByLabel('PIN').fill('111111');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the PIN of the number.')).toBeVisible();
  await dialog.getByLabel('PIN').fill(EVENTS.pin);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('+1 212-555-0107 is registered.')).toBeVisible();
  await expect(page.getByText('Cannot send: disconnected')).toHaveCount(0);
  // The health check of the same page says so, too.
  await expect(page.getByText('Register those that are not connected')).toHaveCount(0);

  await setStatus('DISCONNECTED');
  await page.reload();
  for (let tries = 0; tries < 10; tries += 1)
    await api
      .post(`/connections/${id}/phone-numbers/${EVENTS.phone}/register`, { pin: '111111' })
      .catch(() => undefined);
  await page.getByRole('button', { name: 'Register +1 212-555-0107' }).click();
  await dialog.getByLabel('PIN').fill(EVENTS.pin);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/too many tries .* Try again after/)).toBeVisible();
  await sandbox.post(`phone-numbers/${EVENTS.phone}`, { connected: true });
});
