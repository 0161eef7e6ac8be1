import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './expect.ts';
import { untilHydrated } from './open-page.ts';

/** Waits until a screen is complete: its title is there, nothing is being loaded and nothing moves. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await untilHydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.locator('.animate-breathe[aria-hidden]:not(span)')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await untilStill(page);
}

/** Waits for the end of short animations; endless ones are ignored. */
const untilStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
    // Styles of a changed viewport or theme are applied with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });

/**
 * axe on this page, once it has a title: a page that is loaded again is without one for a moment. Its usual mode opens a second page, into
 * which it loads itself again, to put together the results of frames of other sites; screens have none.
 */
export async function axeOn(page: Page): Promise<AxeBuilder> {
  await expect(page).toHaveTitle(/\S/);
  return new AxeBuilder({ page }).setLegacyMode();
}
