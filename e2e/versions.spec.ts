// The published version and the draft: older versions, unpublishing, and parts copied to another workflow.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';

test('an older version becomes the draft again, and a workflow is taken offline', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Two versions');
  await canvas.openTask('Inbound webhook');
  const { production } = await canvas.urls();
  await canvas.closeTask();
  await canvas.addAfter('Inbound webhook', 'Set variables');
  await canvas.setField('Name', 'first');
  await canvas.setField('Value', 'one');
  await canvas.closeTask();
  await canvas.save();
  await canvas.publish();
  await canvas.addAfter('Set variables', 'Delay');
  await canvas.setField('Duration', '1');
  await canvas.closeTask();
  await expect(page.getByText('Unpublished changes')).toBeVisible();
  const note = page.getByRole('textbox', { name: 'Note' });
  await page.getByRole('complementary', { name: 'Tasks' }).getByRole('button', { name: 'Note' }).click();
  await expect(note).toBeFocused();
  await page.keyboard.type('Ask the bank');
  await page.keyboard.press('Escape');
  await canvas.save();
  await canvas.publish();
  await expect(page.getByText('Version 2 is published')).toBeVisible();
  await expect(page.getByText('Unpublished changes')).toBeHidden();

  await test.step('without a change there is nothing to publish', async () => {
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await expect(dialog.getByText('The draft is the same as the published version.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('version 1 is drawn again; what callers meet stays', async () => {
    await canvas.chooseFromMenu('Versions');
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    const first = dialog.getByRole('listitem').filter({ hasText: 'Version 1' });
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Version 2' })).toContainText('Live');
    await first.getByRole('button', { name: 'Preview' }).click();
    await expect(first.locator('[data-version-preview] [data-task-id]')).toHaveCount(2);
    await expect(first.getByRole('list', { name: 'Changes' })).toContainText('Task "Delay" removed');
    await first.getByRole('button', { name: 'Use this version as the draft' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.locator('[data-task-id]')).toHaveCount(2);
    await expect(note).toHaveValue('Ask the bank');
    await expect(page.getByText('Version 2 is published')).toBeVisible();
    await expect(page.getByText('Unpublished changes')).toBeVisible();
  });

  await test.step('one undo brings the newer drawing back', async () => {
    await canvas.undo();
    await expect(page.locator('[data-task-id]')).toHaveCount(3);
    await expect(page.getByText('Unpublished changes')).toBeHidden();
    await canvas.save();
  });

  await test.step('unpublished: callers are told, nothing of the drawing is lost', async () => {
    expect((await postWebhook(production, {})).status).toBe(200);
    await canvas.chooseFromMenu('Unpublish');
    const dialog = page.getByRole('alertdialog', { name: 'Unpublish this workflow?' });
    await dialog.getByRole('button', { name: 'Unpublish' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Not published')).toBeVisible();
    expect((await postWebhook(production, {})).status).toBe(409);
    await expect(page.locator('[data-task-id]')).toHaveCount(3);
  });
});

test('tasks are cut out of one workflow and pasted into another', async ({ page, context, api }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'From here');
  await canvas.addAfter('Inbound webhook', 'Delay');
  await canvas.setField('Duration', '7');
  await canvas.closeTask();
  await canvas.addAfter('Delay', 'Set variables');
  await canvas.setField('Name', 'line');
  await canvas.setField('Value', 'Waited until {{task_2_until}} for {{task_1_name}}');
  await canvas.closeTask();
  await canvas.task('Delay').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  // The trigger is never cut.
  await expect(page.locator('[data-task-id]')).toHaveCount(1);
  await canvas.save();

  await canvas.createWorkflow(api, 'To there');
  await canvas.task('Inbound webhook').focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(page.locator('[data-task-id]')).toHaveCount(3);
  await expect(canvas.edges()).toHaveCount(1);
  await canvas.fitView();
  await canvas.openTask('Set variables');
  await expect(canvas.panel.getByText(/task_2_until|Until/).first()).toBeVisible();
  await canvas.closeTask();
  await canvas.openTask('Delay');
  await expect(canvas.panel.getByRole('textbox', { name: 'Duration' })).toContainText('7');
  await canvas.closeTask();
  await canvas.undo();
  await expect(page.locator('[data-task-id]')).toHaveCount(1);
});

test('a deleted workflow says who waits, and is restored from the trash; its runs keep its name', async ({
  page,
  api,
}) => {
  const name = 'Deleted by mistake';
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name,
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Somebody', settings: {} },
      { id: 2, type: 'delay', name: 'Days', settings: { mode: 'for', amount: 5, unit: 'days' } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const url = workflow.webhook.production_url;
  expect((await postWebhook(url, { n: 1 })).status).toBe(200);
  await expect
    .poll(async () => {
      const runs = await api.get<{ data: { status: string }[] }>(`/runs?workflow_id=${workflow.id}`);
      return runs.data.map(({ status }) => status);
    })
    .toEqual(['waiting']);

  await test.step('it asks, and says what is under way', async () => {
    await openPage(page, '/workflows');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete workflow?' });
    await expect(dialog).toContainText('Callers of its webhook URLs get 404');
    await expect(dialog).toContainText('1 run is in progress. It continues.');
    await dialog.getByRole('checkbox', { name: 'Cancel the run in progress' }).click();
    await expect(dialog).toContainText('1 run is in progress. It is cancelled.');
    await dialog.getByRole('button', { name: 'Delete workflow' }).click();
    await expect(page.getByText(`Moved “${name}” to the trash`)).toBeVisible();
    await expect.poll(async () => (await postWebhook(url, {})).status).toBe(404);
  });

  await test.step('its runs keep its name', async () => {
    const runs = await api.get<{ data: { id: string; status: string }[] }>(
      `/runs?workflow_id=${workflow.id}`,
    );
    expect(runs.data[0]?.status).toBe('cancelled');
    await openPage(page, `/runs/${runs.data[0]?.id}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await openPage(page, '/runs?status=cancelled');
    await expect(page.getByRole('link', { name, exact: true }).first()).toBeVisible();
  });

  await test.step('restored it is paused, until the user activates it', async () => {
    await openPage(page, '/workflows');
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: `Restore ${name}` }).click();
    await expect(page.getByText(`Restored “${name}”. It is paused.`)).toBeVisible();
    expect((await postWebhook(url, {})).status).toBe(409);
    await page.getByRole('button', { name: 'Activate' }).click();
    await expect(page.getByText(`“${name}” is active`)).toBeVisible();
    expect((await postWebhook(url, {})).status).toBe(200);
  });

  await test.step('or deleted permanently', async () => {
    await openPage(page, '/workflows');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete workflow' }).click();
    await expect(page.getByText(`Moved “${name}” to the trash`)).toBeVisible();
    await openPage(page, '/workflows/trash');
    await page.getByRole('button', { name: `Delete ${name} permanently` }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete workflow permanently?' });
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await expect(page.getByText(`Deleted “${name}” permanently`)).toBeVisible();
    await expect(page.getByRole('button', { name: `Restore ${name}` })).toBeHidden();
  });
});

test('a paused workflow holds its webhooks, and limits its runs', async ({ page, api }) => {
  const name = 'Holds its webhooks';
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name,
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'Order arrives', settings: {} }],
    edges: [],
    publish: true,
  });
  const canvas = new CanvasDriver(page);
  await openPage(page, `/workflows/${id}`);
  const active = page.getByRole('switch', { name: 'Active' });

  await test.step('runs are limited', async () => {
    const dialog = page.getByRole('dialog', { name: 'Limit runs' });
    const field = dialog.getByRole('textbox', { name: 'Runs at once' });
    await canvas.chooseFromMenu('Limit runs');
    await field.fill('0');
    await dialog.getByRole('button', { name: 'Save limit' }).click();
    await expect(dialog.getByText('At least 1.')).toBeVisible();
    await field.fill('2');
    await dialog.getByRole('button', { name: 'Save limit' }).click();
    await expect(dialog).toBeHidden();
    await canvas.chooseFromMenu('Limit runs');
    await expect(field).toHaveValue('2');
    await page.keyboard.press('Escape');
    expect(await api.get(`/workflows/${id}`)).toMatchObject({ max_concurrent_runs: 2 });
  });

  await test.step('webhooks are held', async () => {
    await active.click();
    const dialog = page.getByRole('dialog', { name: 'Pause workflow?' });
    await expect(dialog.getByText('Callers get 409.')).toBeVisible();
    await dialog.getByRole('checkbox', { name: 'Hold webhooks' }).click();
    await dialog.getByRole('button', { name: 'Pause workflow' }).click();
    await expect(page.getByText('paused, holds webhooks')).toBeVisible();
    expect((await postWebhook(webhook.production_url, {})).status).toBe(200);
  });

  const [run] = (await api.get<{ data: { id: string }[] }>(`/runs?workflow_id=${id}`)).data;
  await test.step('the run says what it waits for', async () => {
    await openPage(page, `/runs/${run?.id}`);
    await expect(page.getByText('Waits until its workflow is resumed')).toBeVisible();
  });

  await test.step('resumed, it is executed', async () => {
    await openPage(page, `/workflows/${id}`);
    await expect(page.getByText('paused, holds 1 run')).toBeVisible();
    await active.click();
    await expect(page.getByText('Version 1 is published')).toBeVisible();
    await expect
      .poll(async () => (await api.get<{ status: string }>(`/runs/${run?.id}`)).status)
      .toBe('succeeded');
  });
});
