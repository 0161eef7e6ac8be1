// The owner limits the webhooks of the workspace on the settings screen; callers notice.
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage, reloadPage } from './open-page.ts';

test.afterEach(({ api }) => api.put('/workspace/webhook-rate', { requests_per_second: null }));

test('a rate limit is set, refused when it is no number, and removed', async ({ page, api }) => {
  const { webhook } = await api.post<{ webhook: { production_url: string } }>('/workflows', {
    name: 'Limited',
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'Order arrives', settings: {} }],
    edges: [],
    publish: true,
  });
  const post = async () => (await postWebhook(webhook.production_url, {})).status;
  const field = page.getByRole('textbox', { name: 'Webhooks per second' });
  const save = page.locator('form', { has: field }).getByRole('button', { name: 'Save' });
  await openPage(page, '/settings/workspace');
  await field.fill('0');
  await save.click();
  await expect(page.getByText('Enter a whole number from 1 to 100,000.')).toBeVisible();

  await field.fill('1');
  await save.click();
  await expect(page.getByText('Webhook rate limit saved')).toBeVisible();
  await expect.poll(async () => Promise.all([post(), post(), post()])).toContain(429);
  await reloadPage(page);
  await expect(field).toHaveValue('1');

  await field.fill('');
  await save.click();
  await expect(save).toBeDisabled();
  await expect.poll(async () => Promise.all([post(), post(), post()])).toEqual([200, 200, 200]);
  await openPage(page, '/settings/audit-log');
  await expect(page.getByText('Changed the webhook rate limit').first()).toBeVisible();
});
