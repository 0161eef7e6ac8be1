import type { Page } from '@playwright/test';
import { expect } from './expect.ts';

/**
 * Waits until the page that is shown reacts to clicks and keys (`components/shell/hydration-mark.tsx`): it is visible before
 * that.
 */
export const untilHydrated = (page: Page): Promise<void> =>
  expect(page.locator('html[data-hydrated]')).toBeAttached();

/** Opens a screen of the product. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilHydrated(page);
}

export async function reloadPage(page: Page): Promise<void> {
  await page.reload();
  await untilHydrated(page);
}
