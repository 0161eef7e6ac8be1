// An owner sets the time zone, opening hours and quiet hours.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { openPage, reloadPage } from './open-page.ts';
import type { SavedWorkflow } from './seed.ts';

let before: unknown;
test.beforeEach(async ({ api }) => {
  before = await api.get('/workspace/time');
  await api.put('/workspace/time', { zone: 'UTC' });
});
test.afterEach(({ api }) => api.put('/workspace/time', before as object));

test('zone, hours and quiet hours are saved, and a wrong one says where', async ({ page, api }) => {
  await openPage(page, '/settings/time');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(zone).toHaveValue('UTC');
  await zone.fill('Berlin');
  await save.click();
  await expect(page.getByText('Enter a time zone such as Europe/Berlin.')).toBeVisible();
  await zone.fill('Europe/Berlin');

  await page.getByRole('button', { name: 'Add calendar' }).click();
  const monday = page.getByRole('textbox', { name: 'Monday' });
  await monday.fill('9-noon');
  await page.getByRole('textbox', { name: 'Friday' }).fill('9-12, 18:00-2');
  await page.getByRole('textbox', { name: 'Holidays' }).fill('2026-12-25\n2027-01-01');
  await page.getByRole('checkbox', { name: /Hold back marketing/ }).check();
  await page.getByLabel('From').fill('20:30');
  await save.click();
  await expect(
    page.getByText('Enter a time from 00:00 to 23:59, such as 09:00. Midnight is 00:00.'),
  ).toBeVisible();
  await monday.fill('');
  await save.click();
  await expect(page.getByText('Time saved')).toBeVisible();

  await reloadPage(page);
  await expect(page.getByRole('textbox', { name: 'Friday' })).toHaveValue('09:00–12:00, 18:00–02:00');
  expect(await api.get('/workspace/time')).toMatchObject({
    zone: 'Europe/Berlin',
    hours: {
      'Opening hours': {
        monday: [],
        tuesday: [{ from: '09:00', to: '18:00' }],
        friday: [
          { from: '09:00', to: '12:00' },
          { from: '18:00', to: '02:00' },
        ],
      },
    },
    holidays: { 'Opening hours': ['2026-12-25', '2027-01-01'] },
    quiet_hours: { from: '20:30', to: '08:00' },
  });
  await openPage(page, '/settings/audit-log');
  await expect(page.getByText('Changed time zone and hours').first()).toBeVisible();
});

test('a condition and a task choose from the calendars, and a deleted one is said', async ({ page, api }) => {
  const always = { monday: [{ from: '09:00', to: '18:00' }] };
  await api.put('/workspace/time', { zone: 'Europe/Berlin', hours: { Shop: always, Phone: always } });
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Answer by hours',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'if_condition', name: 'Check', settings: { conditions: [{ left: '' }] } },
      { id: 3, type: 'opening_hours', name: 'Wait', settings: { action: 'delay_until_open' } },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'true' },
    ],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=2`);
  const calendar = canvas.panel.getByRole('combobox', { name: 'Calendar' });

  await test.step('the condition is now, and the hours of a calendar', async () => {
    await canvas.panel.getByRole('combobox', { name: 'Comparison' }).click();
    await page.getByRole('option', { name: 'is within opening hours' }).click();
    await expect(canvas.panel.getByText('Select a calendar: there are several.')).toBeVisible();
    await calendar.click();
    await page.getByRole('option', { name: 'Phone' }).click();
    await expect(canvas.task('Check')).toContainText('now is within opening hours of Phone');
    await canvas.save();
  });

  await test.step('a text with a date gets the zone of the workspace, and the preview is in it', async () => {
    await canvas.setField('Value', '{{date "2026-11-26T22:00:00Z" "HH:mm" zone="workspace"}}');
    await expect(canvas.panel.locator('[data-preview]')).toContainText('23:00');
    await canvas.setField('Value', '{{$now}}');
    await canvas.save();
  });

  await test.step('a calendar that was deleted is said to be gone, with the way to its settings', async () => {
    await canvas.open(`/workflows/${id}?task=3`);
    await calendar.click();
    await page.getByRole('option', { name: 'Shop' }).click();
    await canvas.save();
    await api.put('/workspace/time', { zone: 'Europe/Berlin', hours: { Phone: always } });
    await reloadPage(page);
    await expect(
      canvas.panel.getByText('The calendar “Shop” was deleted or has another name now.'),
    ).toBeVisible();
    await canvas.panel.getByRole('link', { name: 'Edit opening hours' }).click();
    await expect(page).toHaveURL(/\/settings\/time$/);
  });
});
