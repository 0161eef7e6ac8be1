import { expect, type Page } from '@playwright/test';

/** Waits until a screen shows what it has: its title is there and nothing is being loaded. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.locator('.animate-breathe[aria-hidden]:not(span)')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
}
