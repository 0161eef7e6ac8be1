// Editing while the server is unreachable, or after the session has expired: every control still opens, and nothing is lost.
import type { Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { OWNER } from './first-start.ts';
import { expect, test } from './fixtures.ts';
import { reloadPage } from './open-page.ts';

interface Draft {
  tasks: { name: string; type: string; settings: Record<string, unknown> }[];
}

const idIn = (url: string): string => /[0-9a-f-]{36}/.exec(url)?.[0] ?? '';

/** Waits until the browser has loaded everything that the editor may open. */
const isComplete = (page: Page) => expect(page.locator('[data-parts="fetched"]')).toBeVisible();

test('offline in the middle of editing, reloaded, back online: nothing is lost', async ({
  page,
  context,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Edited offline');
  const url = page.url();
  await canvas.addAfter('Inbound webhook', 'Delay');
  await canvas.setField('Duration', '5');
  await canvas.isSaved();
  await isComplete(page);

  await context.setOffline(true);
  await canvas.setField('Duration', '7');
  await canvas.closeTask();
  await canvas.addAfter('Delay', 'Set variables');
  await canvas.closeTask();
  await canvas.rename('Set variables', 'Made offline');
  const status = page.getByRole('status').filter({ hasText: 'Offline' });
  await expect(status).toContainText('kept in this browser');

  // The emulation ends a moment before the page does; offline, its last requests would not be sent either.
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  });
  // The browser cannot show a page until the server is reachable.
  await expect(page.reload()).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await expect(page).toHaveURL(/^chrome-error:/);
  await context.setOffline(false);
  await canvas.open(url);

  const offer = page.getByRole('region', { name: 'Unsaved changes' });
  await expect(canvas.task('Made offline')).toBeHidden();
  await offer.getByRole('button', { name: 'Restore changes' }).click();
  await expect(canvas.task('Made offline')).toBeVisible();
  await canvas.isSaved();
  const { tasks } = await api.get<Draft>(`/workflows/${idIn(url)}`);
  expect(tasks.map(({ name }) => name)).toEqual(['Inbound webhook', 'Delay', 'Made offline']);
  expect(tasks[1]?.settings).toMatchObject({ amount: '7' });

  await reloadPage(page);
  await canvas.isReady();
  await expect(offer).toBeHidden();
});

test('every control works offline, and the draft is saved as soon as the server is back', async ({
  page,
  context,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Every control offline');
  await isComplete(page);
  await context.setOffline(true);
  await canvas.openTask('Inbound webhook');
  await canvas.closeTask();
  await canvas.addAfter('Inbound webhook', 'Delay');
  await canvas.closeTask();
  await page.getByRole('button', { name: /^Publish/ }).click();
  await page.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Close' }).click();
  await canvas.chooseFromMenu('Keyboard shortcuts');
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-save="offline"]')).toBeVisible();
  await context.setOffline(false);
  await canvas.isSaved();
  const { tasks } = await api.get<Draft>(`/workflows/${idIn(page.url())}`);
  expect(tasks.map(({ name }) => name)).toEqual(['Inbound webhook', 'Delay']);
});

test('a part that is not fetched yet fails at its control, and can be fetched again there', async ({
  page,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Parts that fail');
  await page.addInitScript(() => {
    // As in a browser that is always busy after loading: nothing is loaded in advance.
    const original = window.requestIdleCallback.bind(window);
    window.requestIdleCallback = (callback) =>
      document.documentElement.dataset['hydrated'] === undefined ? original(callback) : 0;
  });
  await reloadPage(page);
  await canvas.isReady();
  await page.route('**/_next/static/chunks/**', (route) => route.abort());
  await canvas.task('Inbound webhook').click();
  await expect(page.getByRole('alert').getByText('could not be loaded')).toBeVisible();
  await expect(canvas.task('Inbound webhook')).toBeVisible();
  await page.unroute('**/_next/static/chunks/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(canvas.panel).toBeVisible();
});

test('when the session has expired one signs in on the spot, and the draft is saved', async ({
  page,
  context,
  api,
}) => {
  const canvas = new CanvasDriver(page);
  await canvas.createWorkflow(api, 'Edited signed out');
  const cookies = await context.cookies();
  const session = cookies.filter(({ name }) => name.includes('session-token'));
  await context.clearCookies({ name: session[0]?.name ?? '' });
  await canvas.addAfter('Inbound webhook', 'Delay');
  const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
  await expect(dialog.getByLabel('Email address')).toHaveValue(OWNER.email);
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel('Password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
  await canvas.isSaved();
  const { tasks } = await api.get<Draft>(`/workflows/${idIn(page.url())}`);
  expect(tasks.map(({ name }) => name)).toEqual(['Inbound webhook', 'Delay']);
});
