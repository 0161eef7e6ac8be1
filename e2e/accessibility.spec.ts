import AxeBuilder from '@axe-core/playwright';
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
