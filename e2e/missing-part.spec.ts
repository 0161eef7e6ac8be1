// Parts of a screen are loaded on use: after an update of the server they may be missing.
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';

test('a part that cannot be fetched is said at its control, and can be fetched again there', async ({
  page,
}) => {
  await openPage(page, '/workflows');
  await expect(page.getByRole('heading', { name: 'Workflows', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.route('**/_next/static/chunks/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('alert').getByText('could not be loaded')).toBeVisible();
  await page.unroute('**/_next/static/chunks/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: 'Create a workflow' })).toBeVisible();
});
