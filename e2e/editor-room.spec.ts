// The editor fills the screen exactly, and the user sets the width of the parts beside the canvas.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage, reloadPage } from './open-page.ts';

interface Box {
  x: number;
  width: number;
}

/** Left of the panel, right of the edge of the screen. */
const isClear = (card: Box | null, panel: Box | null): boolean =>
  card !== null && panel !== null && card.x >= 64 && card.x + card.width <= panel.x;

test('the editor fits the screen: nothing of it makes the page scroll', async ({ page, api }) => {
  await page.setViewportSize({ width: 1280, height: 640 });
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Fits the screen');
  await canvas.addAfter('Inbound webhook', 'If / Condition');
  for (let number = 0; number < 6; number += 1)
    await canvas.panel.getByRole('button', { name: 'Add condition' }).click();
  const lengths = await page.evaluate(() => ({
    panel: Math.max(...[...document.querySelectorAll('aside *')].map(({ scrollHeight }) => scrollHeight)),
    page: document.documentElement.scrollHeight,
    screen: document.documentElement.clientHeight,
  }));
  expect(lengths.panel).toBeGreaterThan(lengths.screen);
  expect(lengths.page).toBe(lengths.screen);
});

test('navigation, task list and panel are as wide as they were left', async ({ page, api }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'As wide as wanted');
  const navigation = page.getByRole('navigation', { name: 'Main' }).first();
  const widthOf = async (part: typeof navigation) => Math.round((await part.boundingBox())?.width ?? 0);
  expect(await widthOf(navigation)).toBeLessThan(64);
  await canvas.openTask('Inbound webhook');
  const [panelBefore, list] = [
    await widthOf(canvas.panel),
    page.getByRole('complementary', { name: 'Tasks' }),
  ];

  const edge = page.getByRole('separator', { name: 'Resize the task panel' });
  const box = await edge.boundingBox();
  if (!box) throw new Error('The edge of the panel is not on the screen.');
  await page.mouse.move(box.x + box.width / 2, 400);
  await page.mouse.down();
  await page.mouse.move(box.x - 150, 400, { steps: 4 });
  await page.mouse.up();
  const panelAfter = await widthOf(canvas.panel);
  expect(panelAfter).toBeGreaterThan(panelBefore + 100);

  const listBefore = await widthOf(list);
  await page.getByRole('separator', { name: 'Resize the task list' }).press('ArrowRight');
  expect(await widthOf(list)).toBe(listBefore + 24);

  await page.getByRole('button', { name: 'Expand navigation' }).click();
  expect(await widthOf(navigation)).toBeGreaterThan(150);
  await reloadPage(page);
  await canvas.isReady();
  await canvas.openTask('Inbound webhook');
  expect(await widthOf(canvas.panel)).toBe(panelAfter);
  expect(await widthOf(list)).toBe(listBefore + 24);
  expect(await widthOf(navigation)).toBeGreaterThan(150);
  await page.getByRole('button', { name: 'Collapse navigation' }).click();
  await openPage(page, '/workflows');
  expect(await widthOf(navigation)).toBeGreaterThan(150);
});

test('a task list that was hidden stays hidden after a reload', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Without the list');
  const list = page.getByRole('complementary', { name: 'Tasks' });
  await list.getByRole('button', { name: 'Hide tasks' }).click();
  await expect(list).toBeHidden();
  await reloadPage(page);
  await canvas.isReady();
  await expect(list).toBeHidden();
  await page.getByRole('button', { name: 'Show tasks' }).click();
  await reloadPage(page);
  await canvas.isReady();
  await expect(list).toBeVisible();
});

test('a wheel moves the canvas, with Shift sideways, and with Ctrl it zooms', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Moved by the wheel');
  const place = async () => {
    const box = await canvas.task('Inbound webhook').boundingBox();
    if (!box) throw new Error('The task is not on the screen.');
    return box;
  };
  await page.mouse.move(700, 160);
  const start = await place();
  await page.mouse.wheel(0, 60);
  await expect.poll(async () => (await place()).y).toBeLessThan(start.y - 20);
  const moved = await place();
  expect(moved.x).toBe(start.x);
  expect(moved.width).toBe(start.width);
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 60);
  await page.keyboard.up('Shift');
  await expect.poll(async () => (await place()).x).toBeLessThan(moved.x - 20);
  expect((await place()).width).toBe(start.width);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 60);
  await page.keyboard.up('Control');
  await expect.poll(async () => (await place()).width).toBeLessThan(start.width - 5);
});

test('Ctrl+F finds a task by what is in it, and a new task is seen with the one before it', async ({
  page,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Found on the canvas');
  const card = (id: number) => page.locator(`[data-task-id="${id}"]`);
  for (let id = 2; id <= 5; id += 1) {
    await card(id - 1)
      .getByRole('button', { name: 'Add a task after this one' })
      .click();
    await canvas.pick('Delay');
    for (const shown of [card(id), card(id - 1)]) {
      await expect(canvas.panel).toBeVisible();
      await expect
        .poll(async () => isClear(await shown.boundingBox(), await canvas.panel.boundingBox()))
        .toBe(true);
    }
  }
  await canvas.closeTask();
  await card(5).getByRole('button', { name: 'Add a task after this one' }).click();
  await canvas.pick('Set variables');
  await canvas.setField('Name', 'harbour');
  await canvas.closeTask();
  await canvas.task('Inbound webhook').focus();
  await page.keyboard.press('1');
  await page.getByRole('button', { name: 'Zoom In' }).click({ clickCount: 4 });
  await page.keyboard.press('ControlOrMeta+f');
  await expect(page.getByRole('dialog', { name: 'Find on the canvas' })).toBeVisible();
  await page.keyboard.type('harbour');
  await page.keyboard.press('Enter');
  await expect(canvas.task('Set variables')).toBeFocused();
  await expect(canvas.task('Set variables')).toBeInViewport({ ratio: 0.99 });
});

test('what a request is marked with stands clear of its button', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Marks of requests');
  await canvas.openTask('Inbound webhook');
  const { production } = await canvas.urls();
  const edge = page.getByRole('separator', { name: 'Resize the task panel' });
  const narrowest = (await edge.getAttribute('aria-valuemin')) ?? '';
  while ((await edge.getAttribute('aria-valuenow')) !== narrowest) await edge.press('ArrowRight');
  await postWebhook(production, { number: 1 });
  await postWebhook(production, { number: 2 });
  const request = canvas.panel.locator('[data-event-id]').filter({ hasText: 'stored, not run' });
  const button = request.getByRole('button', { name: 'Use as sample' }).first();
  await expect(button).toBeVisible();
  const row = button.locator('xpath=ancestor::li[@data-event-id]');
  const roomBetween = async () => {
    const mark = await row.getByText('stored, not run').boundingBox();
    const place = await button.boundingBox();
    return mark && place ? place.x - (mark.x + mark.width) : undefined;
  };
  // The second request may arrive in between and move the rows.
  await expect.poll(roomBetween).toBeGreaterThanOrEqual(0);
});

test('a toast stands beside the open panel, not over its fields', async ({ page, api }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'A toast beside the panel');
  await canvas.openTask('Inbound webhook');
  await canvas.task('Inbound webhook').focus();
  await page.keyboard.press('ControlOrMeta+d');
  const toast = page.locator('[data-sonner-toast]').first();
  await expect(toast).toContainText('Select the tasks to duplicate');
  const panel = await canvas.panel.boundingBox();
  await expect
    .poll(async () => {
      const box = await toast.boundingBox();
      return box === null ? Infinity : box.x + box.width;
    })
    .toBeLessThanOrEqual(panel?.x ?? 0);
});

test('one problem is one problem', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'One problem');
  await canvas.addAfter('Inbound webhook', 'HTTP request');
  await canvas.closeTask();
  await expect(page.getByRole('button', { name: /^Publish/ })).toHaveAccessibleName(/^Publish\s*1 problem$/);
});

test('a new note takes the keyboard, and the next one stands beside it', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Notes');
  const add = page.getByRole('complementary', { name: 'Tasks' }).getByRole('button', { name: 'Note' });
  await add.click();
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused();
  await page.keyboard.type('First');
  await add.click();
  const notes = page.getByRole('textbox', { name: 'Note' });
  await expect(notes).toHaveCount(2);
  await expect(notes.nth(1)).toBeFocused();
  await page.keyboard.type('Second');
  await expect(notes.nth(0)).toHaveValue('First');
  await expect(notes.nth(1)).toHaveValue('Second');
  const [first, second] = [await notes.nth(0).boundingBox(), await notes.nth(1).boundingBox()];
  const apart = Math.hypot((first?.x ?? 0) - (second?.x ?? 0), (first?.y ?? 0) - (second?.y ?? 0));
  expect(apart).toBeGreaterThan(80);
});

test('shortcuts are written as the keyboard has them', async ({ page }) => {
  await openPage(page, '/workflows');
  await expect(page.getByRole('complementary').getByText('Ctrl K')).toBeVisible();
  await expect(page.getByText('⌘')).toHaveCount(0);
});

test('after publishing, the URL, a ready call and the sample are at hand, and the run is one click away', async ({
  page,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Tried right after publishing');
  await canvas.openTask('Inbound webhook');
  const { test: testUrl, production } = await canvas.urls();
  await postWebhook(testUrl, { order_id: 7 });
  await expect(canvas.panel.getByText('Sample', { exact: true })).toBeVisible();
  await canvas.closeTask();
  await canvas.addAfter('Inbound webhook', 'Set variables');
  await canvas.setField('Name', 'order');
  await canvas.setField('Value', '{{task_1_order_id}}');
  await canvas.save();
  await canvas.publish();

  const card = page.getByRole('complementary', { name: 'After publishing' });
  await expect(card.locator('code[title]')).toHaveText(production);
  await card.getByText('Send a request from a terminal').click();
  await expect(card.getByLabel('curl command', { exact: true })).toContainText('"order_id":7');
  await card.getByRole('button', { name: 'Send the sample now' }).click();
  await expect(card.getByRole('status')).toContainText('The caller got status 200');
  await card.getByRole('link', { name: 'Open the run' }).click();
  await expect(page).toHaveURL(/\/runs\//);
  await expect(page.getByText('Succeeded').first()).toBeVisible();
});

test('from the editor to its runs and back; it is duplicated and exported there', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Left and found again');
  const url = page.url();
  await canvas.chooseFromMenu('Runs of this workflow');
  await expect(page).toHaveURL(/\/runs\?workflow=/);
  await page.getByRole('link', { name: 'Open the workflow' }).click();
  await expect(page).toHaveURL(url);
  await canvas.isReady();
  const download = page.waitForEvent('download');
  await canvas.chooseFromMenu('Export as JSON');
  expect((await download).suggestedFilename()).toBe('Left-and-found-again.json');
  await canvas.chooseFromMenu('Duplicate');
  await page.waitForURL((next) => /\/workflows\/[^/]+$/.test(next.pathname) && next.href !== url);
  await expect(page.getByRole('textbox', { name: 'Workflow name' })).toHaveValue(/Left and found again.+/);
});
