// Starters whose first step is outside Patchbay: a customer who writes, a form on a website.
import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { listen } from './listen.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';

async function useStarter(page: Page, name: string): Promise<string> {
  await openPage(page, '/gallery');
  await page.getByRole('button', { name: `Use “${name}”` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Set up later' }).click();
  await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  return page.url().split('/').at(-1) ?? '';
}

test('the gallery has a card for each trigger: an empty workflow starts with it', async ({ page }) => {
  await openPage(page, '/gallery');
  const empty = page.getByRole('region', { name: 'Empty workflows' });
  await expect(empty.getByRole('button')).toHaveCount(3);
  await empty.getByRole('button', { name: 'On a schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a workflow' });
  await expect(dialog.getByRole('radio', { name: 'On a schedule' })).toBeChecked();
  await dialog.getByRole('textbox').fill('Each morning');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const canvas = new CanvasDriver(page);
  await canvas.isReady();
  await expect(canvas.task('On a schedule')).toContainText('Weekdays at 9:00');
});

test('the trigger subscribes the workflow to messages: what a customer writes starts it', async ({
  page,
  api,
  sandbox,
}) => {
  const connection = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await api.post(`/connections/${connection}/notifications`);
  await useStarter(page, 'Answer incoming messages');
  const canvas = new CanvasDriver(page);
  await canvas.isReady();
  await canvas.openTask('Message from a customer');
  await expect(canvas.panel.getByRole('radio', { name: 'When a message arrives' })).toBeChecked();
  await canvas.choose('Connection', 'Corner Bakery');
  await canvas.save();

  const customer = '15550102101';
  await sandbox.post('customer-messages', { customer, phone_number_id: PHONE, text: 'How much is it?' });
  const requests = canvas.panel.getByRole('list', { name: 'Messages' });
  await expect(requests.getByText('Notification')).toBeVisible();
  await expect(requests.getByText('The workflow is not published.')).toBeVisible();
});

test('the form of the trigger works on a page of another origin, and leads to the thank-you page', async ({
  page,
  api,
  sandbox,
}) => {
  const canvas = new CanvasDriver(page);
  let html = '';
  const website = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Website</title>${html}`),
  );
  const url = await listen(website);
  const id = await useStarter(page, 'Thank-you page after a form');

  await test.step('account, number and thank-you page', async () => {
    const app_connection_id = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
    const sender = { app_connection_id, business_account_id: ACCOUNT, phone_number_id: PHONE };
    const { name, tasks, edges } = await api.get<SavedWorkflow & { edges: object[] }>(`/workflows/${id}`);
    const prepared = tasks.map((task) => {
      const redirect = { redirect_url: `${url}/thanks?name={{name}}` };
      const more = task.type === 'inbound_webhook' ? redirect : 'action' in task.settings ? sender : {};
      return { ...task, settings: { ...task.settings, ...more } };
    });
    await api.put(`/workflows/${id}`, { name, tasks: prepared, edges });
    await api.post(`/workflows/${id}/publish`);
  });

  await test.step('copy the form', async () => {
    await canvas.open(`/workflows/${id}?task=1`);
    await canvas.panel.getByText('Send a form from a website').click();
    html = await canvas.panel.getByLabel('form', { exact: true }).innerText();
  });

  await test.step('a visitor sends it', async () => {
    await page.goto(`${url}/order`);
    await page.getByLabel('Name').fill('Zoë & Kim');
    await page.getByLabel('Phone').fill('15550102102');
    await page.getByLabel('Reference').fill('A-77');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(`${url}/thanks?name=Zo%C3%AB%20%26%20Kim`);
  });

  expect((await waitForRun(api, id)).status).toBe('succeeded');
  const { data } = await sandbox.get<{ data: { text: string }[] }>('messages?to=15550102102');
  expect(data.map(({ text }) => text)).toEqual([expect.stringContaining('Hi Zoë & Kim')]);
  website.closeAllConnections();
  website.close();
});
