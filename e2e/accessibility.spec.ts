import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';
import { axeOn, waitUntilSettled } from './settled.ts';

const SERIOUS = ['serious', 'critical'];

test('no screen has a serious barrier, light or dark (WCAG 2.2 AA)', ({ visits }) => {
  expect(visits.length).toBeGreaterThan(20);
  for (const { name, barriers } of visits) expect.soft(barriers, name).toEqual({ light: [], dark: [] });
});

test('no screen is wider than a phone', ({ visits }) => {
  expect(visits.length).toBeGreaterThan(20);
  for (const { name, phoneWidth } of visits) expect.soft(phoneWidth, name).toBeLessThanOrEqual(390);
});

/** Placeholders that are wider than their field. */
const listCutPlaceholders = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')]
      .filter((input) => input.checkVisibility() && input.value === '')
      .filter((input) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(input);
        if (pen) pen.font = font;
        const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        return (pen?.measureText(input.placeholder).width ?? 0) > room;
      })
      .map(({ placeholder }) => placeholder);
  });

test('beside each other fields are wide enough for their example', async ({ page, seeded }) => {
  await openPage(page, `/connections/${seeded.connectionId}`);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await waitUntilSettled(page);
    expect.soft(await listCutPlaceholders(page), `${width} px`).toEqual([]);
  }
});

test('on a phone the times of a filter are wide enough for date and time', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, '/events?from=2026-01-01T00:00:00.000Z');
  for (const label of ['From', 'Until']) {
    await expect(page.getByText(label, { exact: true })).toBeVisible();
    // In Chromium `12/31/2026, 07:00 PM` and its button take 200 pixels in the font of phones.
    expect.soft((await page.getByLabel(label).boundingBox())?.width, label).toBeGreaterThan(220);
  }
});

test('on a phone the numbers of a list are on one line', async ({ page, seeded }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, `/workflows/${seeded.workflowId}/lists/${seeded.listId}`);
  const rows = page.getByRole('region', { name: 'Rows' });
  for (const text of ['+15550101001', 'no number']) {
    const lines = await rows.getByText(text, { exact: true }).evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    expect.soft(lines, text).toBe(1);
  }
});

test('all pages of the settings are in sight, and the list of them does not scroll', async ({ page }) => {
  await openPage(page, '/settings/workspace');
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await waitUntilSettled(page);
    const pages = page.getByRole('navigation', { name: 'Settings' });
    const scrolls = await pages.evaluate((list) => {
      // As in a wider font than this machine has.
      list.style.letterSpacing = '1px';
      const reach = [...list.querySelectorAll('a')].map((link) => link.getBoundingClientRect().right);
      const { overflowX, overflowY } = getComputedStyle(list);
      const isCut = Math.max(...reach) > list.getBoundingClientRect().right;
      return { isCut, overflowX, overflowY };
    });
    expect.soft(scrolls, `${width} px`).toEqual({ isCut: false, overflowX: 'visible', overflowY: 'visible' });
  }
});

test('the keyboard reaches the canvas with few tabs', async ({ page, api }) => {
  const { id } = await api.post<{ id: string }>('/workflows', {
    name: 'Reached by keyboard',
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'Start', settings: {} }],
    edges: [],
  });
  const start = page.locator('[data-task-id="1"]');
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page, `/workflows/${id}`);
  await expect(page.locator('[data-save="saved"]')).toBeVisible();
  await expect(start).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the canvas' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.locator('#canvas :focus')).toHaveCount(1);

  // Without that link the list of tasks is one stop, with arrows inside.
  const list = page.getByRole('complementary', { name: 'Tasks' });
  await list.getByRole('searchbox', { name: 'Search tasks' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(list.locator('[data-offer]').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list.locator('[data-offer]').nth(1)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(list.locator(':focus')).toHaveCount(0);
});

test('the pages for those who are signed out have no serious barrier', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    storageState: { cookies: [], origins: [] },
  });
  const page = await context.newPage();
  await openPage(page, '/sign-in');
  await waitUntilSettled(page);
  const { violations } = await (await axeOn(page)).analyze();
  expect(violations.filter(({ impact }) => impact && SERIOUS.includes(impact))).toEqual([]);
  await context.close();
});
