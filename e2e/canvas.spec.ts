// Building workflows: with the mouse, with the keyboard only, backward, and by two users at once.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { waitFor, waitForRun } from './seed.ts';

interface Draft {
  tasks: { id: number; type: string; name: string; settings: Record<string, unknown> }[];
  edges: { from: number; to: number; branch?: string }[];
}

const idIn = (url: string): string => /[0-9a-f-]{36}/.exec(url)?.[0] ?? '';

test('a flow of five tasks is drawn by mouse, published, and runs', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Drawn by mouse');
  const id = idIn(page.url());

  await canvas.openTask('Inbound webhook');
  const { production, test: testUrl } = await canvas.urls();
  await postWebhook(testUrl, { status: 'paid', items: [{ sku: 'A' }, { sku: 'B' }] });
  await expect(canvas.panel.getByText('task_1_items_0_sku')).toBeVisible();
  await expect(canvas.panel.getByText('Sample', { exact: true })).toBeVisible();
  await canvas.closeTask();

  await canvas.addAfter('Inbound webhook', 'If / Condition');
  await canvas.setField('Value', '{{task_1_status}}');
  await expect(canvas.panel.locator('[data-preview]').first()).toContainText('paid');
  await canvas.setField('Compare with', 'paid');
  await canvas.closeTask();

  await canvas.addAfter('If / Condition', 'Loop', 'True');
  await canvas.setField('Items', '{{task_1_items}}');
  await canvas.closeTask();

  await canvas.addAfter('Loop', 'Set variables', 'For each item');
  await canvas.setField('Name', 'line');
  await canvas.setField('Value', 'Item {{task_3_item_sku}}');
  await expect(canvas.panel.locator('[data-preview]')).toContainText('Item A');
  await canvas.closeTask();

  await canvas.dragTask('set_variables', 500, 480);
  await canvas.setField('Name', 'total');
  await canvas.setField('Value', '{{task_3_count}}');
  await canvas.closeTask();
  await canvas.connect('Loop', 'Set variables 2', 'done');
  await expect(canvas.edges()).toHaveCount(4);

  await canvas.isSaved();
  await canvas.publish();
  await expect(page.getByText('Version 1 is published')).toBeVisible();
  expect(
    (await postWebhook(production, { status: 'paid', items: [{ sku: 'X' }, { sku: 'Y' }] })).status,
  ).toBe(200);
  const run = await waitForRun(api, id);
  expect(run.status).toBe('succeeded');
});

test('the same can be done without a mouse', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Drawn by keyboard');
  const { keyboard } = page;
  const pick = async (text: string) => {
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await keyboard.type(text);
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  await canvas.task('Inbound webhook').focus();
  await keyboard.press('ArrowRight');
  await keyboard.press('Tab');
  await pick('If');
  await expect(canvas.task('If / Condition')).toBeFocused();
  await keyboard.press('Tab');
  await pick('Delay');
  await expect(canvas.task('Delay')).toBeFocused();
  await keyboard.press('ArrowLeft');
  await expect(canvas.task('If / Condition')).toBeFocused();
  await keyboard.press('+');
  await pick('HTTP');
  await expect(canvas.task('HTTP request')).toBeFocused();
  await keyboard.press('c');
  await pick('Delay');
  await expect(canvas.edges()).toHaveCount(4);
  await expect(canvas.task('HTTP request')).toBeFocused();

  await keyboard.press('F2');
  await keyboard.type('Tell the shop');
  await keyboard.press('Enter');
  await expect(canvas.task('Tell the shop')).toBeFocused();

  await keyboard.press('Enter');
  await expect(canvas.panel.locator('[data-field]').first().locator(':focus')).toHaveCount(1);
  await keyboard.press('Escape');
  await expect(canvas.panel).toBeHidden();
  await expect(canvas.task('Tell the shop')).toBeFocused();

  await keyboard.press('ControlOrMeta+c');
  await keyboard.press('ControlOrMeta+v');
  await expect(canvas.task('Tell the shop 2')).toBeVisible();
  await canvas.task('Tell the shop 2').focus();
  await keyboard.press('Delete');
  await expect(canvas.task('Tell the shop 2')).toBeHidden();

  await canvas.isSaved();
  const draft = await api.get<Draft>(`/workflows/${idIn(page.url())}`);
  expect(draft.tasks.map(({ name }) => name)).toEqual([
    'Inbound webhook',
    'If / Condition',
    'Delay',
    'Tell the shop',
  ]);
  expect(draft.edges).toEqual([
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'true' },
    { from: 2, to: 4, branch: 'false' },
    { from: 4, to: 3 },
  ]);
});

test('twenty steps are undone and done again, settings among them', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'There and back');
  const id = idIn(page.url());
  const read = async (): Promise<Draft> => {
    await canvas.isSaved();
    const { tasks, edges } = await api.get<Draft>(`/workflows/${id}`);
    return { tasks, edges };
  };
  const before = await read();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  const place = await undo.boundingBox();
  let last = 'Inbound webhook';
  for (let round = 1; round <= 5; round += 1) {
    await canvas.addAfter(last, 'Delay');
    // The number of problems is beside it, and moves nothing that may be pressed just then.
    await expect(page.getByRole('button', { name: 'Publish 1 problem' })).toBeVisible();
    expect(await undo.boundingBox()).toEqual(place);
    await canvas.setField('Duration', String(round));
    await canvas.closeTask();
    await canvas.rename('Delay', `Wait ${round}`);
    await canvas.task(`Wait ${round}`).focus();
    await page.keyboard.press('d');
    last = `Wait ${round}`;
  }
  const after = await read();
  expect(after.tasks).toHaveLength(6);
  await canvas.undo(20);
  await expect(undo).toBeDisabled();
  expect(await read()).toEqual(before);
  await canvas.redo(20);
  expect(await read()).toEqual(after);
});

test('a task stays under the pointer while its panel opens and the list of tasks makes room', async ({
  page,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Nothing slips away');
  await canvas.addAfter('Inbound webhook', 'Delay');
  await canvas.closeTask();
  await canvas.addAfter('Delay', 'Set variables');
  // The canvas moves to a new task, which is then not covered by the panel.
  await expect(canvas.panel).toBeVisible();
  await canvas.rests();
  await canvas.closeTask();
  await canvas.rests();
  const card = canvas.task('Set variables');
  await card.evaluate((element) => {
    const seen = new Set<number>();
    const look = () => {
      seen.add(element.getBoundingClientRect().left);
      element.setAttribute('data-seen-at', [...seen].join());
      requestAnimationFrame(look);
    };
    look();
  });
  const { x } = (await card.boundingBox()) ?? { x: Number.NaN };
  await canvas.openTask('Set variables');
  await canvas.rests();
  await expect(page.getByRole('complementary', { name: 'Tasks' })).toBeHidden();
  await expect(card).toHaveAttribute('data-seen-at', String(x));
});

test('two tabs with one draft: nothing is overwritten silently', async ({ page, context, api }) => {
  const first = new CanvasDriver(page);
  await first.createWorkflow(api, 'Drawn by two');
  const id = idIn(page.url());
  const second = new CanvasDriver(await context.newPage());
  await second.open(page.url());

  await test.step('its own tab without changes follows the other one', async () => {
    await second.addAfter('Inbound webhook', 'Delay');
    await second.isSaved();
    await expect(first.task('Delay')).toBeVisible();
  });

  await test.step('changes on both sides: the slower one is asked', async () => {
    // As from another computer: no tab of this browser is notified.
    const theirs = await api.get<Draft & Record<string, unknown>>(`/workflows/${id}`);
    const renamed = theirs.tasks.map((task) => (task.id === 2 ? { ...task, name: 'Theirs' } : task));
    await first.rename('Delay', 'Mine');
    await first.isSaved();
    await first.page.route('**/state', (route) => route.abort());
    await api.put(`/workflows/${id}`, { ...theirs, draft_revision: undefined, tasks: renamed });
    const dialog = first.page.getByRole('dialog', { name: 'Someone else changed this draft' });
    await first.rename('Mine', 'Mine still');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Compare versions' }).click();
    await expect(dialog.getByText(/changed: Name/)).toBeVisible();
    const kept = await api.get<Draft>(`/workflows/${id}`);
    expect(kept.tasks[1]?.name).toBe('Theirs');
    await dialog.getByRole('button', { name: 'Save mine as a copy' }).click();
    await first.page.waitForURL((url) => !url.href.includes(id));
    await expect(first.task('Mine still')).toBeVisible();
  });

  await test.step('the other workflow is theirs', async () => {
    const { tasks } = await waitFor('their draft', () => api.get<Draft>(`/workflows/${id}`));
    expect(tasks[1]?.name).toBe('Theirs');
  });
});

test('closing the list of tasks gives the focus back', async ({ page, api }) => {
  const { id } = await api.post<{ id: string }>('/workflows', {
    name: 'Look at the list',
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'Start', settings: {} }],
    edges: [],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}`);
  const add = canvas.task('Start').getByRole('button', { name: 'Add a task after this one' });
  await add.click();
  await page.getByRole('dialog').getByRole('combobox').fill('nothing of this name');
  await expect(page.getByRole('dialog').getByText('No results.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(add).toBeFocused();
});
