// The help in the app: opened from the menu and from screens where users need it, searched, in both colors, and on a phone.
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';

test('the help opens beside the app, is searched without internet, and breaks no rule of its policy', async ({
  page,
  context,
}) => {
  await openPage(page, '/workflows');
  // Recorded from the first request on: a reload can fail while Chromium still gives the new page its process.
  const problems: string[] = [];
  context.on('console', (message) => {
    if (message.page() !== page && ['error', 'warning'].includes(message.type()))
      problems.push(message.text());
  });
  context.on('weberror', (found) => {
    if (found.page() !== page) problems.push(found.error().message);
  });
  const [help] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Help', exact: true }).click(),
  ]);
  await help.waitForURL('**/help/**');
  await help.waitForLoadState('networkidle');

  await test.step('search', async () => {
    await help.keyboard.press('Control+k');
    const field = help.getByRole('searchbox').or(help.locator('#localsearch-input'));
    await field.first().fill('reconnecting');
    const found = help.getByRole('option').filter({ hasText: 'Troubleshooting by symptom' }).first();
    await found.click();
    await help.waitForURL('**/help/running/troubleshooting*');
  });

  await test.step('dark and light', async () => {
    const isDark = () => help.evaluate(() => document.documentElement.classList.contains('dark'));
    const before = await isDark();
    await help.getByRole('switch').first().click();
    await expect.poll(isDark).toBe(!before);
  });

  await test.step('every guide as a phone shows it: nothing is wider than the screen', async () => {
    await help.setViewportSize({ width: 390, height: 800 });
    for (const path of [
      '',
      'guides/first-flow',
      'task-types',
      'reference/settings',
      'running/troubleshooting',
    ]) {
      await help.goto(`/help/${path}`, { waitUntil: 'networkidle' });
      expect(await help.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
    }
    expect(problems).toEqual([]);
  });
});

test('the panel of the trigger leads to the guide about webhooks', async ({ page, api, context }) => {
  const { id } = await api.post<{ id: string }>('/workflows', {
    name: 'With help',
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'Start', settings: {} }],
    edges: [],
  });
  await openPage(page, `/workflows/${id}?task=1`);
  const [guide] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Receive webhooks safely' }).click(),
  ]);
  await expect(guide.getByRole('heading', { level: 1 })).toContainText('Receive webhooks safely');
});
