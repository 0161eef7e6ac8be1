import { OWNER } from './first-start.ts';
import { expect, test } from './fixtures.ts';

test.use({ javaScriptEnabled: false, storageState: { cookies: [], origins: [] } });

test('a password that is sent before the scripts of the page are there does not stand in the address', async ({
  page,
}) => {
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  const sent = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole('button', { name: 'Sign in' }).click();
  const request = await sent;
  expect(request.method()).toBe('POST');
  expect(new URL(request.url()).search).toBe('');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
