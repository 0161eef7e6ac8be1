// An owner sets the time zone, opening hours and quiet hours.
import { expect, test } from './fixtures.ts';
import { openPage, reloadPage } from './open-page.ts';

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
  await expect(page.getByText('Enter a time from 00:00 to 23:59, such as 09:00.')).toBeVisible();
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
