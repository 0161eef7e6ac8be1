// Secrets of the workspace: added in Settings, picked in a header, sent, and kept while a workflow uses them.
import type { Locator } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage, reloadPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';
import { startListeningService } from './listening-service.ts';

const OLD = 'first-named-secret-81c2';
const NEW = 'second-named-secret-94d7';

/** A service that stores the header of its calls, and repeats it. */
const startService = () =>
  startListeningService(
    (request) => request.headers['x-signed-by'],
    (header) => header,
  );

test('an editor adds a secret, uses it in a header and replaces its value', async ({ page, api }) => {
  const service = await startService();
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'With a named secret',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: { response_type: 'after_workflow' } },
      {
        id: 2,
        type: 'http_request',
        name: 'Call',
        settings: { url: service.url, headers: [{ name: 'X-Signed-By', value: '' }] },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  const value = canvas.panel.getByRole('textbox', { name: 'Value', exact: true });
  const dialog = page.getByRole('dialog');

  await test.step('it is added in Settings', async () => {
    await openPage(page, '/settings/secrets');
    await expect(page.getByText('No secrets yet')).toBeVisible();
    await page.getByRole('button', { name: 'Add secret' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop Key');
    await dialog.getByLabel('Value').fill(OLD);
    await dialog.getByRole('button', { name: 'Add secret' }).click();
    await expect(dialog.getByText('Use lowercase letters, digits and underscores')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('shop_key');
    await dialog.getByRole('button', { name: 'Add secret' }).click();
    await expect(page.getByText('{{secret.shop_key}}')).toBeVisible();
    await expect(page.getByText('not used')).toBeVisible();
    // The dialog was opened with the button of the empty list.
    await expect(page.locator(':focus')).toHaveCount(1);
  });

  await test.step('the variable picker of a header offers it, the one of the URL does not', async () => {
    await canvas.open(`/workflows/${id}?task=2`);
    const pickerOf = (field: string) =>
      canvas.panel.locator(`[data-field="${field}"]`).getByRole('button', { name: 'Insert a variable' });
    await pickerOf('settings.url').click();
    await expect(page.getByText('Date and time')).toBeVisible();
    await expect(page.getByRole('option', { name: /shop_key/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await pickerOf('settings.headers[0].value').click();
    await page.getByRole('option', { name: /shop_key/ }).click();
    await expect(value).toHaveText('secret.shop_key');
    await canvas.isSaved();
  });

  await test.step('it is sent, and what the service repeats shows its name', async () => {
    await api.post(`/workflows/${id}/publish`);
    expect((await postWebhook(webhook.production_url, {})).status).toBe(200);
    expect(service.seen).toEqual([OLD]);
    await openPage(page, `/runs?workflow=${id}`);
    await page.getByRole('link', { name: 'With a named secret' }).first().click();
    expect(await page.content()).not.toContain(OLD);
  });

  await test.step('its value is replaced, and the next call sends the new one', async () => {
    await openPage(page, '/settings/secrets');
    await expect(page.getByText('used by 1 workflow')).toBeVisible();
    await page.getByRole('button', { name: 'Replace the value of shop_key' }).click();
    await dialog.getByLabel('New value').fill(NEW);
    await dialog.getByRole('button', { name: 'Replace value' }).click();
    await expect(dialog).toBeHidden();
    expect((await postWebhook(webhook.production_url, {})).status).toBe(200);
    expect(service.seen).toEqual([OLD, NEW]);
    expect(await page.content()).not.toContain(NEW);
  });

  await test.step('it cannot be deleted while it is used', async () => {
    await page.getByRole('button', { name: 'Delete secret shop_key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete secret' }).click();
    await expect(page.getByText('is used by "With a named secret": remove it there first.')).toBeVisible();
    await api.post(`/workflows/${id}/unpublish`);
    const trigger = { id: 1, type: 'inbound_webhook', settings: {} };
    await api.put(`/workflows/${id}`, { name: 'Without a secret', tasks: [trigger], edges: [] });
    await reloadPage(page);
    await page.getByRole('button', { name: 'Delete secret shop_key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete secret' }).click();
    await expect(page.getByText('No secrets yet')).toBeVisible();
  });
  service.stop();
});

test('a key that stands in a header is moved to a secret, as it was typed or as it is stored', async ({
  page,
  api,
}) => {
  const service = await startService();
  const key = '9f86d081884c7d659a2feaa0c55ad015';
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'With keys in headers',
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: { response_type: 'after_workflow' } },
      {
        id: 2,
        type: 'http_request',
        name: 'Call',
        settings: {
          url: service.url,
          headers: [
            { name: 'X-Signed-By', value: key },
            { name: 'Authorization', value: 'Bearer a-stored-token-5512' },
          ],
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=2`);
  const signedBy = canvas.panel.getByRole('listitem', { name: 'Headers, 1' });
  await expect(signedBy.getByText('everybody in the workspace can read it')).toBeVisible();
  const move = async (row: typeof signedBy, name: string) => {
    await row.getByRole('button', { name: 'Move to a secret' }).click();
    await expect(row.getByLabel('Name of the secret')).toHaveValue(name);
    await row.getByRole('button', { name: 'Move to a secret' }).click();
    await expect(row.getByText(`secret.${name}`, { exact: true })).toBeVisible();
  };
  await move(signedBy, 'x_signed_by');
  await expect(signedBy.getByText('everybody in the workspace can read it')).toHaveCount(0);
  await move(canvas.panel.getByRole('listitem', { name: 'Headers, 2' }), 'authorization');
  await canvas.isSaved();
  const saved = await api.get<{ tasks: { settings: unknown }[] }>(`/workflows/${id}`);
  expect(saved.tasks[1]?.settings).toMatchObject({
    headers: [
      { name: 'X-Signed-By', value: '{{secret.x_signed_by}}' },
      { name: 'Authorization', value: 'Bearer {{secret.authorization}}' },
    ],
  });
  await api.post(`/workflows/${id}/publish`);
  expect((await postWebhook(webhook.production_url, {})).status).toBe(200);
  expect(service.seen).toEqual([key]);
  service.stop();
});

test('a credential becomes a secret at the moment it is pasted or entered', async ({
  page,
  context,
  api,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'With pasted keys',
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: { caller_check: 'hmac', caller_header: 'X-Signature' } },
      {
        id: 2,
        type: 'http_request',
        name: 'Call',
        settings: {
          url: 'https://api.pay.example.com/orders',
          method: 'POST',
          headers: [{ name: 'X-Custom', value: '' }],
          body_type: 'json',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  const name = canvas.panel.getByLabel('Name of the secret');
  const paste = async (field: Locator, text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await field.click();
    await field.press('ControlOrMeta+v');
  };

  await test.step('in a header', async () => {
    await canvas.open(`/workflows/${id}?task=2`);
    await paste(canvas.panel.getByRole('textbox', { name: 'Value', exact: true }), 'Bearer a-pasted-key-77');
    await expect(name).toBeFocused();
    await expect(name).toHaveValue('x_custom');
    await page.keyboard.press('Enter');
    await expect(canvas.panel.getByText('secret.x_custom', { exact: true })).toBeVisible();
    await expect(name).toHaveCount(0);
  });

  await test.step('in a body; its name can be another one', async () => {
    await paste(
      canvas.panel.getByRole('textbox', { name: 'Body content' }),
      '{"client_secret": "a-pasted-secret-78"}',
    );
    await expect(name).toHaveValue('client_secret');
    await name.fill('x_custom');
    await page.keyboard.press('Enter');
    await expect(canvas.panel.getByText('There is a secret x_custom already')).toBeVisible();
    await name.fill('shop_client');
    await page.keyboard.press('Enter');
    await expect(canvas.panel.getByText('secret.shop_client', { exact: true })).toBeVisible();
  });

  await test.step('entered as authentication, it is called after the host', async () => {
    await canvas.choose('Authentication', 'Bearer token');
    await canvas.panel.getByLabel('Token', { exact: true }).fill('an-entered-token-79');
    await expect(name).toHaveValue('example_token');
    await canvas.panel.getByRole('button', { name: 'Use these credentials' }).click();
    await expect(canvas.panel.getByText('Stored in the header Authorization.')).toBeVisible();
    await canvas.isSaved();
    await canvas.closeTask();
  });

  await test.step('as the secret of callers', async () => {
    await canvas.open(`/workflows/${id}?task=1`);
    await paste(canvas.panel.getByLabel('Secret', { exact: true }), 'a-pasted-signing-key-80');
    await expect(name).toHaveValue('caller_secret');
    await page.keyboard.press('Enter');
    await expect(canvas.panel.getByText('{{secret.caller_secret}}')).toBeVisible();
    await canvas.isSaved();
  });

  const { tasks } = await api.get<{ tasks: { settings: unknown }[] }>(`/workflows/${id}`);
  expect(tasks[0]?.settings).toMatchObject({ caller_secret: '{{secret.caller_secret}}' });
  expect(tasks[1]?.settings).toMatchObject({
    headers: [
      { name: 'Authorization', value: 'Bearer {{secret.example_token}}' },
      { name: 'X-Custom', value: 'Bearer {{secret.x_custom}}' },
    ],
    body: '{"client_secret": "{{secret.shop_client}}"}',
  });
});

test('a secret keeps its line breaks', async ({ page }) => {
  await openPage(page, '/settings/secrets');
  await page.getByRole('button', { name: 'Add secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('private_key');
  await dialog.getByLabel('Value').fill('-----BEGIN KEY-----\nabc\n-----END KEY-----');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await dialog.getByRole('button', { name: 'Add secret' }).click();
  expect((await sent).postData()).toContain('KEY-----\\nabc\\n-----END');
  await expect(page.getByText('{{secret.private_key}}')).toBeVisible();
});
