import { expect as expectOf, type Page } from '@playwright/test';
import { untilHydrated } from './open-page.ts';

/** Programs that are no tests (screens.ts) have no other maximum than Playwright's five seconds. */
const expect = expectOf.configure({ timeout: 20_000 });

/** Waits until a screen shows what it has: its title is there, nothing is being loaded and nothing moves. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await untilHydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(page.locator('.animate-breathe[aria-hidden]:not(span)')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await untilStill(page);
}

/** Waits until what fades or moves for a moment has done so; endless animations are left out. */
const untilStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
    // Styles of a changed viewport or theme are applied with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
