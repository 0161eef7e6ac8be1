// A workflow that starts on its own, from nothing to its next start in the list.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { openPage } from './open-page.ts';

interface Scheduled {
  data: { id: string; name: string; next_start_at: string | null }[];
}

test('a workflow starts each weekday at 9:00', async ({ page, api }) => {
  const canvas = new CanvasDriver(page);
  const starts = canvas.panel.getByRole('region', { name: 'Next starts' }).getByRole('listitem');
  const chooseHowOften = async (label: string) => {
    await canvas.panel.getByRole('combobox', { name: 'How often' }).click();
    await page.getByRole('option', { name: label }).click();
  };

  await test.step('it is created with a schedule', async () => {
    await openPage(page, '/workflows?create=1');
    await page.getByRole('radio', { name: 'On a schedule' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Morning report');
    await page.getByRole('button', { name: 'Create', exact: true }).last().click();
    await canvas.isReady();
    await expect(page.locator('[data-task-id]').first()).toContainText('Weekdays at 9:00');
  });

  await test.step('the next five times are shown in its zone, and follow what is chosen', async () => {
    await page.locator('[data-task-id]').first().click();
    await expect(starts).toHaveCount(5);
    await expect(starts.first()).toHaveText(/^(Mon|Tue|Wed|Thu|Fri), .* 09:00 /);
    const zone = canvas.panel.getByRole('combobox', { name: 'Time zone' });
    await zone.fill('America/New_York');
    await expect(starts.first()).toHaveText(/ 09:00 E[SD]T$/);
    await chooseHowOften('On chosen days of the week');
    for (const day of ['Monday', 'Tuesday', 'Thursday', 'Friday'])
      await canvas.panel.getByRole('checkbox', { name: day }).uncheck();
    await expect(starts).toHaveText(Array.from({ length: 5 }, () => /^Wed, .* 09:00 /));
    await canvas.panel.getByLabel('Time', { exact: true }).fill('16:30');
    await expect(starts.first()).toHaveText(/ 16:30 /);
    await expect(page.locator('[data-task-id]').first()).toContainText('Wednesday at 16:30');
  });

  await test.step('a wrong cron expression says what to enter', async () => {
    await chooseHowOften('Custom (cron)');
    const cron = canvas.panel.getByRole('textbox', { name: 'Cron expression' });
    await expect(cron).toHaveValue('30 16 * * 3');
    await cron.fill('0 25 * * 1-5');
    await expect(canvas.panel).toContainText('"25" isn’t a valid hour. Use * or 0 to 23');
    await expect(starts).toHaveCount(0);
    await cron.fill('0 9 * * 1-5');
    await expect(starts).toHaveCount(5);
  });

  await test.step('published, the list shows its next start, and it can be started at once', async () => {
    await canvas.save();
    await canvas.publish();
    await page.locator('[data-task-id]').first().click();
    await canvas.panel.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('button', { name: 'Start workflow' }).click();
    await expect(page.getByText('Started. Its run is in Runs.')).toBeVisible();
    const { data } = await api.get<Scheduled>('/workflows');
    const made = data.find(({ name }) => name === 'Morning report');
    expect(made?.next_start_at).toBeTruthy();
    await openPage(page, '/workflows');
    await expect(page.getByRole('row', { name: /Morning report/ })).toContainText(/Next start: .*\d:\d\d/);
    await openPage(page, `/runs?workflow=${made?.id}`);
    await expect(page.getByRole('row').filter({ hasText: 'Succeeded' })).toHaveCount(1);
  });
});
