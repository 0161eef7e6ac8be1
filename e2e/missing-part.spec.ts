// Parts of a screen are fetched when they are used: after an update of the server they may be gone.
import { expect, test } from './fixtures.ts';

test('a part that cannot be fetched is said, and loading again helps', async ({ page }) => {
  await page.goto('/workflows');
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.route('**/_next/static/chunks/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('alert').getByText('Part of it could not be loaded')).toBeVisible();
  await page.unroute('**/_next/static/chunks/**');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Create a workflow' })).toBeVisible();
});
