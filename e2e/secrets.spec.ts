// Secrets in a task's settings: masked, kept, replaced, and entered again after an import.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';
import { startListeningService } from './listening-service.ts';

const OLD = 'first-secret-81c2';
const NEW = 'second-secret-94d7';

/** A service that stores the credentials of its calls. */
const startService = () =>
  startListeningService(
    (request) => ({ path: request.url ?? '', authorization: request.headers.authorization }),
    ({ authorization }) => authorization,
  );

test('an editor sees that a secret is there, keeps it and replaces it', async ({ page, api }) => {
  const service = await startService();
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'With a secret',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: { response_type: 'after_workflow' } },
      {
        id: 2,
        type: 'http_request',
        name: 'Call',
        settings: {
          url: `${service.url}/first`,
          headers: [{ name: 'Authorization', value: `Bearer ${OLD}` }],
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  const value = canvas.panel.getByRole('textbox', { name: 'Value', exact: true });
  const call = async () => {
    expect((await postWebhook(webhook.production_url, {})).status).toBe(200);
    return service.seen.at(-1);
  };

  await test.step('the value is masked, and nowhere in the page', async () => {
    await canvas.open(`/workflows/${id}?task=2`);
    await expect(value).toHaveText('Bearer ••••••');
    expect(await page.content()).not.toContain(OLD);
  });

  await test.step('something else is changed: the secret is still sent', async () => {
    await canvas.setField('URL', `${service.url}/second`);
    await canvas.isSaved();
    await canvas.closeTask();
    await canvas.publish();
    expect(await call()).toEqual({ path: '/second', authorization: `Bearer ${OLD}` });
  });

  await test.step('a new one is masked as soon as its field is left, and sent', async () => {
    await canvas.openTask('Call');
    await canvas.setField('Value', `Bearer ${NEW}`);
    await canvas.isSaved();
    await canvas.closeTask();
    await canvas.openTask('Call');
    await expect(value).toHaveText('Bearer ••••••');
    expect(await page.content()).not.toContain(NEW);
    await canvas.closeTask();
    await expect(page.getByText('Unpublished changes')).toBeVisible();
    await canvas.publish();
    await expect(page.getByText('Unpublished changes')).toBeHidden();
    expect(await call()).toEqual({ path: '/second', authorization: `Bearer ${NEW}` });
  });

  await test.step('undo brings the first one back', async () => {
    await canvas.undo();
    await expect(page.getByText('Unpublished changes')).toBeVisible();
    await canvas.isSaved();
    await canvas.publish();
    expect((await call())?.authorization).toBe(`Bearer ${OLD}`);
  });

  await test.step('what the service repeats is masked in the run', async () => {
    const { data } = await api.get<{ data: { id: string }[] }>(`/runs?workflow_id=${id}&limit=1`);
    await openPage(page, `/runs/${data[0]?.id}`);
    await page.getByText('Call', { exact: true }).first().click();
    await expect(page.getByText(/You sent Bearer ••••••/)).toBeVisible();
    expect(await page.content()).not.toContain(OLD);
  });
  service.stop();
});

test('an imported workflow asks for its secrets', async ({ page, api }) => {
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'To be exported',
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      {
        id: 2,
        type: 'http_request',
        name: 'Call',
        settings: { url: 'https://example.com/', headers: [{ name: 'X-Api-Key', value: OLD }] },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const imported = await api.post<SavedWorkflow>(
    '/workflows',
    await api.get<object>(`/workflows/${id}/export`),
  );
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${imported.id}`);
  await page.getByRole('button', { name: /^Publish/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish' });
  await expect(dialog.getByRole('button', { name: 'Publish workflow' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Call: Enter the value of header X-Api-Key.' }).click();
  await canvas.setField('Value', NEW);
  await canvas.isSaved();
  await canvas.closeTask();
  await canvas.publish();
});
