// From a failed run to the recipient of the alert, with a separate mail server.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { createOwner, OWNER } from './first-start.ts';
import { Api, postWebhook } from './http-clients.ts';
import { type MailServer, startMailServer } from '../lib/testing/mail-server.ts';
import { openPage, reloadPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';
import { type Product, startProduct } from './start-product.ts';

test.setTimeout(180_000);

let mail: MailServer;
let product: Product;
let api: Api;

test.beforeAll(async () => {
  test.setTimeout(360_000);
  mail = await startMailServer();
  product = await startProduct(mail.settings);
  api = new Api(product.baseUrl, product.apiKey);
});
test.afterAll(async () => {
  await product.stop();
  await mail.close();
});

/** A published workflow whose request gets no response. */
async function publishFailing(name: string): Promise<SavedWorkflow> {
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      { id: 2, type: 'http_request', name: 'Call the shop', settings: { url: 'http://10.0.0.1/' } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await api.post(`/workflows/${workflow.id}/publish`);
  return workflow;
}

test('an owner gets a mail about a failed run, and its link opens the run, which says what to do', async ({
  page,
}) => {
  await createOwner(page, product.baseUrl);
  const workflow = await publishFailing('Shop orders');
  await postWebhook(workflow.webhook.production_url, { order: 1 });
  const text = await mail.waitForMail('a run failed');
  expect(text).toContain(`To: ${OWNER.email}`);
  expect(text).toContain('failed at the task “Call the shop”');
  const link = /http:\/\/localhost:\d+\/runs\/[\w-]+/.exec(text)?.[0] ?? '';
  await openPage(page, link);
  await expect(page.getByText('The run failed')).toBeVisible();
  await expect(page.getByText('Use a public address')).toBeVisible();

  await openPage(page, `${product.baseUrl}/settings/alerts`);
  const entry = page.getByRole('listitem').filter({ hasText: '“Shop orders”: a run failed' });
  await expect(entry.getByText(`Email to ${OWNER.email}`)).toBeVisible();
  await expect(async () => {
    await reloadPage(page);
    await expect(entry.getByText('Sent')).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
});

test('an owner adds a webhook with a secret, tries it, and gives a workflow its own alerts', async ({
  page,
}) => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const { port } = receiver.address() as AddressInfo;
  await openPage(page, `${product.baseUrl}/sign-in`);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/workflows');

  await openPage(page, `${product.baseUrl}/settings/alerts`);
  await page.getByRole('button', { name: 'Add destination' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Webhook' }).click();
  await dialog.getByRole('button', { name: 'Add destination' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('On call');
  await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/alerts`);
  await dialog.getByLabel('Workflows that went quiet').click();
  await dialog.getByRole('button', { name: 'Add destination' }).click();
  await expect(dialog.getByText(/^whsec_/)).toBeVisible();
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Send a test alert to On call' }).click();
  await expect.poll(() => received.length).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const key = Buffer.from(secret.trim().replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);

  await page.getByLabel('Minutes between alerts about failed runs').fill('never');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Enter at least 1.').first()).toBeVisible();
  await page.getByLabel('Minutes between alerts about failed runs').fill('5');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Thresholds saved.')).toBeVisible();

  const workflow = await publishFailing('Quiet orders');
  await openPage(page, `${product.baseUrl}/workflows/${workflow.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Alerts of this workflow' }).click();
  await page.getByRole('radio', { name: 'Custom' }).click();
  await page.getByLabel('Owners', { exact: true }).click();
  await page.getByLabel('On call').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Alerts of this workflow saved.')).toBeVisible();
  const mailsBefore = mail.received.length;
  await postWebhook(workflow.webhook.production_url, { order: 1 });
  await expect.poll(() => received.length).toBe(2);
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ type: 'alert.run_failed' });
  expect(mail.received).toHaveLength(mailsBefore);
  await new Promise((closed) => receiver.close(closed));
});
