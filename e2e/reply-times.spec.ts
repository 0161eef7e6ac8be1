// A caller who waits for the run: the task that sends the response, and the response times of runs.
import { expect, test } from './fixtures.ts';
import { openPage, reloadPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';

test('the trigger says how long callers wait, and the canvas where they are answered', async ({
  page,
  api,
  request,
}) => {
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Waits',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: { response_type: 'after_workflow' } },
      { id: 2, type: 'delay', name: 'Cool down', settings: { amount: '2', unit: 'hours' } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await openPage(page, `/workflows/${id}`);
  const trigger = page.locator('[data-task-id="1"]');
  await trigger.click();
  const panel = page.getByRole('complementary', { name: 'Task' });
  await expect(panel).toContainText('There are no runs yet');
  await expect(panel).toContainText('The caller is answered when the run reaches “Cool down”');
  await expect(page.locator('[data-task-id="2"]')).toContainText('The caller is answered here');

  expect((await request.post(webhook.production_url, { data: {} })).status()).toBe(200);
  await reloadPage(page);
  await trigger.click();
  await expect(panel).toContainText(/The last run had its answer after \d+ ms\. Callers wait at most 30 s\./);
  await panel.getByRole('combobox', { name: 'Response type' }).click();
  await page.getByRole('option', { name: 'Respond Immediately with Custom Response' }).click();
  await expect(panel).not.toContainText('Callers wait');
  await expect(page.locator('[data-task-id="2"]')).not.toContainText('answered here');
});
