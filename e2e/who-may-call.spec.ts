// A trigger that checks its callers: enabled in the panel, tested at the test URL, published.
import { createHmac } from 'node:crypto';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';

const SECRET = 'planted-signing-secret-5d1e';
const body = '{"order":1}';

const post = (url: string, secret: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  });

test('an editor has signatures checked; the secret is never shown again', async ({ page, api }) => {
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Signed',
    publish: true,
    tasks: [{ id: 1, type: 'inbound_webhook', settings: {} }],
    edges: [],
  });
  const canvas = new CanvasDriver(page);
  const group = canvas.panel.getByText('Who may call', { exact: true });
  const secret = canvas.panel.getByLabel('Secret', { exact: true });

  await test.step('the group is closed until it is needed', async () => {
    await canvas.open(`/workflows/${id}?task=1`);
    await expect(group).toBeVisible();
    await expect(canvas.panel.getByLabel('Check callers by')).toBeHidden();
    await group.click();
    await canvas.panel.getByRole('combobox', { name: 'Check callers by' }).click();
    await page.getByRole('option', { name: 'GitHub signature' }).click();
    await secret.fill(SECRET);
    await canvas.save();
  });

  await test.step('the test URL follows the draft and says what is wrong', async () => {
    expect((await post(webhook.test_url, SECRET)).status).toBe(200);
    const refused = await post(webhook.test_url, 'wrong');
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('does not match');
    expect((await post(webhook.production_url, 'wrong')).status).toBe(200);
  });

  await test.step('once published, callers are checked', async () => {
    await canvas.closeTask();
    await canvas.publish();
    expect((await post(webhook.production_url, 'wrong')).status).toBe(401);
    expect((await post(webhook.production_url, SECRET)).status).toBe(200);
  });

  await test.step('the stored secret is in no page', async () => {
    await canvas.open(`/workflows/${id}?task=1`);
    await expect(secret).toHaveValue('');
    await expect(secret).toHaveAttribute('placeholder', '••••••');
    expect(await page.content()).not.toContain(SECRET);
  });
});

test('an editor lets a form bring files; the workflow gets a link to each', async ({ page, api }) => {
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Applications',
    publish: true,
    tasks: [{ id: 1, type: 'inbound_webhook', settings: { response_body: '{{cv_url}}' } }],
    edges: [],
  });
  const send = () => {
    const form = new FormData();
    form.append('name', 'Ada');
    form.append('cv', new File(['%PDF-1.7 and so on'], 'cv.pdf'));
    return fetch(webhook.production_url, { method: 'POST', body: form });
  };
  expect((await send()).status).toBe(415);
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=1`);
  await canvas.panel.getByText('Who may call', { exact: true }).click();
  await canvas.panel.getByRole('combobox', { name: 'Accepted bodies' }).click();
  await page.getByRole('option', { name: 'JSON and HTML forms with files' }).click();
  await canvas.save();
  await canvas.closeTask();
  await canvas.publish();
  const answer = await send();
  expect(answer.status).toBe(200);
  const file = await fetch(await answer.text());
  expect([file.headers.get('content-type'), await file.text()]).toEqual([
    'application/pdf',
    '%PDF-1.7 and so on',
  ]);
  await openPage(page, `/events/${answer.headers.get('x-event-id')}`);
  await expect(page.getByText('cv.pdf').first()).toBeVisible();
});
