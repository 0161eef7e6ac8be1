// An owner chooses the words with which customers stop messages, and finds the change in the audit log.
import { expect, test } from './fixtures.ts';
import { openPage, reloadPage } from './open-page.ts';

let before: unknown;
test.beforeEach(async ({ api }) => {
  before = await api.get('/workspace/consent');
});
test.afterEach(({ api }) => api.put('/workspace/consent', before as object));

test('words and holds are saved, and a wrong one says where', async ({ page, api }) => {
  await openPage(page, '/settings/consent');
  const stop = page.getByRole('textbox', { name: 'Words that stop messages' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(stop).toHaveValue(/^STOP\n/);

  await stop.fill(`Schluss\n${'x'.repeat(41)}`);
  await save.click();
  await expect(page.getByText('Use at most 40 characters for a word.')).toBeVisible();

  await stop.fill('Schluss\n\n  Ende ');
  await page.getByRole('checkbox', { name: /when staff write/ }).check();
  const hours = page.getByRole('textbox', { name: /Hours on hold/ });
  await hours.fill('soon');
  await save.click();
  await expect(page.getByText('Enter a whole number of hours.')).toBeVisible();
  await hours.fill('8');
  await page.getByLabel('Confirmation after a stop').fill('No more offers.');
  await page.getByLabel('Limit how many marketing templates').click();
  await page.getByLabel('Maximum number of messages').fill('many');
  await save.click();
  await expect(page.getByText('Enter a whole number of messages.')).toBeVisible();
  await page.getByLabel('Maximum number of messages').fill('3');
  await page.getByRole('combobox', { name: 'When a workflow sends to a customer on hold' }).click();
  await page.getByRole('option', { name: /^Wait/ }).click();
  await save.click();
  await expect(page.getByText('Consent settings saved')).toBeVisible();
  await reloadPage(page);
  await expect(stop).toHaveValue('Schluss\nEnde');
  await expect(hours).toHaveValue('8');
  expect(await api.get('/workspace/consent')).toMatchObject({
    stop_words: ['Schluss', 'Ende'],
    holds_on_echoes: true,
    echo_hold_hours: 8,
    hold_sends: 'wait',
    hold_deadlines: 'run',
    stop_confirmation: 'No more offers.',
    resume_confirmation: '',
    marketing_limit: { messages: 3, days: 7 },
  });

  await page.getByRole('button', { name: 'Fill in the default words' }).click();
  await expect(stop).toHaveValue(/^STOP\n/);
  await openPage(page, '/settings/audit-log');
  await expect(page.getByText('Changed the words that stop messages').first()).toBeVisible();
});
