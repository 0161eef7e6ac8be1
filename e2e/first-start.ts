import type { Page } from '@playwright/test';
import { expect } from './expect.ts';
import { openPage } from './open-page.ts';

/** The account that is created at the first start. */
export const OWNER = { email: 'owner@example.com', password: 'correct horse battery staple' };

/**
 * Completes the screen of the first start with the keyboard only, so that counting clicks can start after it. Ends signed in,
 * on the list of workflows.
 */
export async function createOwner(page: Page, baseUrl: string): Promise<void> {
  await openPage(page, `${baseUrl}/`);
  await page.waitForURL('**/welcome');
  await expect(page.getByLabel('Email address')).toBeFocused();
  await page.keyboard.type(OWNER.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/workflows');
}
