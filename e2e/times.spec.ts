// Times are the reader's. The server renders UTC; a moment later the browser shows its own zone.
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { type SavedWorkflow, waitFor } from './seed.ts';
import { waitUntilSettled } from './settled.ts';

const ZONE = 'Asia/Kolkata';
const RAW_INSTANT = /\d{4}-\d\d-\d\dT\d\d:/;

test.use({ timezoneId: ZONE });

interface Shown {
  text: string;
  at: string;
  title: string;
}

/** The expected text and title of a time; a relative one such as "3 minutes ago" is accepted. */
function isTheReaders({ text, at, title }: Shown): boolean {
  const inZone = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: ZONE });
  const says = /, \d{4}/.test(text) ? text === inZone.format(new Date(at)) : !RAW_INSTANT.test(text);
  return says && title.includes('GMT+5:30') && title.endsWith(`(${new Date(at).toISOString()})`);
}

test('times are in the zone of who reads them, with the exact instant on hover', async ({ page, api }) => {
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Waits for an hour',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'delay', name: 'An hour', settings: { mode: 'for', amount: '1', unit: 'hours' } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await api.post(`/workflows/${id}/publish`);
  await postWebhook(webhook.production_url, { number: 1 });
  const run = await waitFor('the run to wait', async () => {
    const { data } = await api.get<{ data: { id: string; status: string }[] }>(`/runs?workflow_id=${id}`);
    return data.find(({ status }) => status === 'waiting');
  });

  const screens = [
    '/workflows',
    `/runs?workflow=${id}`,
    `/runs/${run.id}?task=2`,
    `/events?workflow=${id}`,
    '/settings/audit-log',
    '/settings/health',
  ];
  for (const path of screens) {
    await openPage(page, path);
    await waitUntilSettled(page);
    const listTimes = () =>
      page.locator('main time').evaluateAll((all) =>
        (all as HTMLTimeElement[]).map(({ textContent, dateTime, title }) => ({
          text: textContent,
          at: dateTime,
          title,
        })),
      );
    await expect
      .poll(async () => (await listTimes()).filter((time) => !isTheReaders(time)), { message: path })
      .toEqual([]);
    expect((await listTimes()).length, path).toBeGreaterThan(0);
    // The output of a task is data, and stays unchanged.
    const words = await page.locator('main').evaluate((main) => {
      const copy = main.cloneNode(true) as HTMLElement;
      for (const data of copy.querySelectorAll('[role="region"]')) data.remove();
      return copy.textContent;
    });
    expect(words, path).not.toMatch(RAW_INSTANT);
  }
});

test('a list is filtered by times as the reader types them', async ({ page }) => {
  await openPage(page, '/events?from=2026-01-01T00:00:00.000Z');
  const from = page.getByLabel('From');
  await expect(from).toHaveValue('2026-01-01T05:30');
  await from.fill('2026-01-01T06:30');
  await expect(page).toHaveURL(/from=2026-01-01T01%3A00%3A00\.000Z/);
});
