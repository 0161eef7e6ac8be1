// Times are written and entered in the workspace's zone, whatever the browser's is, by the server already.
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { type SavedWorkflow, waitFor } from './seed.ts';
import { waitUntilSettled } from './settled.ts';

const ZONE = 'Asia/Kolkata';
const BROWSER_ZONE = 'America/New_York';
const RAW_INSTANT = /\d{4}-\d\d-\d\dT\d\d:/;

test.use({ timezoneId: BROWSER_ZONE });

let before: unknown;
test.beforeEach(async ({ api }) => {
  before = await api.get('/workspace/time');
  await api.put('/workspace/time', { ...(before as object), zone: ZONE });
});
test.afterEach(({ api }) => api.put('/workspace/time', before as object));

interface Shown {
  text: string;
  at: string;
  title: string;
}

const formatIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone });
const inZone = formatIn(ZONE);
const DAY_MS = 86_400_000;

/** The expected text and title of a time; a relative one such as "3 minutes ago" is accepted. */
function isTheWorkspaces({ text, at, title }: Shown): boolean {
  const written = inZone.format(new Date(at));
  const says = /, \d{4}/.test(text) ? text.replace(/ GMT\+5:30$/, '') === written : !RAW_INSTANT.test(text);
  return says && title.includes('GMT+5:30') && title.endsWith(`(${new Date(at).toISOString()})`);
}

test('times are in the zone of the workspace, with the exact instant on hover', async ({ page, api }) => {
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
    const html = await (await page.request.get(path)).text();
    const served = [...html.matchAll(/<time dateTime="([^"]+)"[^>]*>([^<]+)<\/time>/gi)];
    for (const [, at = '', text] of served) expect(text, path).toBe(inZone.format(new Date(at)));
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
      .poll(async () => (await listTimes()).filter((time) => !isTheWorkspaces(time)), { message: path })
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

test('a wait until a time of day says that time, and the zone where the browser has another', async ({
  page,
  api,
}) => {
  const until = new Date(Date.now() + 100 * DAY_MS);
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Waits for a day',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'delay', name: 'The day', settings: { mode: 'until', until: until.toISOString() } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await postWebhook(webhook.production_url, { number: 1 });
  const run = await waitFor('the run to wait', async () => {
    const { data } = await api.get<{ data: { id: string; status: string }[] }>(`/runs?workflow_id=${id}`);
    return data.find(({ status }) => status === 'waiting');
  });
  await openPage(page, `/runs/${run.id}`);
  await expect(page.getByText(`${inZone.format(until)} GMT+5:30`).first()).toBeVisible();

  await api.put('/workspace/time', { ...(before as object), zone: BROWSER_ZONE });
  await openPage(page, `/runs/${run.id}`);
  await expect(page.getByText(formatIn(BROWSER_ZONE).format(until), { exact: true }).first()).toBeVisible();
});

test('a list is filtered by times in the zone of the workspace, which is named', async ({ page }) => {
  await openPage(page, '/events?from=2026-01-01T00:00:00.000Z');
  const from = page.getByLabel('From');
  await expect(from).toHaveValue('2026-01-01T05:30');
  await expect(from).toHaveAccessibleDescription(ZONE);
  await from.fill('2026-01-01T06:30');
  await expect(page).toHaveURL(/from=2026-01-01T01%3A00%3A00\.000Z/);
});

test('an export takes its times in the zone of the workspace', async ({ page }) => {
  await openPage(page, '/events');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const from = dialog.getByLabel('From');
  await expect(from).toHaveAccessibleDescription(ZONE);
  await from.fill('2026-01-01T05:30');
  await dialog.getByLabel('To').fill('2026-01-02T05:30');
  const asked = page.waitForRequest(/\/exports\/events/);
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(query.get('from')).toBe('2026-01-01T00:00:00.000Z');
  expect(query.get('to')).toBe('2026-01-02T00:00:00.000Z');
});
