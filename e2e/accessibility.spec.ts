import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { listScreens, seed } from './seed.ts';
import { waitUntilSettled } from './settled.ts';

const SERIOUS = ['serious', 'critical'];

test('no screen has a serious barrier, light or dark (WCAG 2.2 AA)', async ({ page, api, sandbox }) => {
  test.setTimeout(480_000);
  const screens = listScreens(await seed(api, sandbox));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const { name, path } of screens) {
      await page.goto(path);
      await waitUntilSettled(page);
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      const serious = violations
        .filter(({ impact }) => impact && SERIOUS.includes(impact))
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
      expect.soft(serious, `${name}, ${colorScheme}`).toEqual([]);
    }
  }
});

test('no screen is wider than a phone', async ({ page, api, sandbox }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const { name, path } of listScreens(await seed(api, sandbox))) {
    await page.goto(path);
    await waitUntilSettled(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, name).toBeLessThanOrEqual(390);
  }
});

/** Placeholders that are wider than what they stand in. */
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

test('beside each other fields are wide enough for their example', async ({ page, api, sandbox }) => {
  const { connectionId } = await seed(api, sandbox);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`/connections/${connectionId}`);
    await waitUntilSettled(page);
    expect.soft(await listCutPlaceholders(page), `${width} px`).toEqual([]);
  }
});

test('all tabs of the settings are in sight, and the row of them does not scroll', async ({ page }) => {
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/settings/workspace');
    await waitUntilSettled(page);
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    const scrolls = await tabs.evaluate((row) => {
      // As in a wider font than this machine has.
      row.style.letterSpacing = '1px';
      const reach = [...row.children].map((tab) => tab.getBoundingClientRect().right);
      const { overflowX, overflowY } = getComputedStyle(row);
      const isCut = Math.max(...reach) > row.getBoundingClientRect().right;
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
  await page.goto(`/workflows/${id}`);
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
  await page.goto('/sign-in');
  await waitUntilSettled(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact && SERIOUS.includes(impact))).toEqual([]);
  await context.close();
});
