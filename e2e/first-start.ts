import type { Page } from '@playwright/test';

/** The account that the first start makes. */
export const OWNER = { email: 'owner@example.com', password: 'correct horse battery staple' };

/** Goes through the screen of the first start; ends signed in, on the list of workflows. */
export async function createOwner(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/`);
  await page.waitForURL('**/welcome');
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Create the owner account' }).click();
  await page.waitForURL('**/workflows');
}
