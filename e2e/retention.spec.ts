// An owner chooses how long data is kept, sees what that would delete, and finds the change in the audit log.
import { expect, test } from './fixtures.ts';
import { openPage, reloadPage } from './open-page.ts';

const DEFAULTS = { bodies_days: 30, runs_days: 90, messages_days: 90, audit_days: 400 };

test.afterEach(({ api }) => api.put('/workspace/retention', DEFAULTS));

test('retention is chosen with a look at what goes, and a wrong number says where', async ({ page, api }) => {
  await api.put('/workspace/retention', { ...DEFAULTS, bodies_days: null });
  await openPage(page, '/settings/retention');
  const contents = page.getByRole('textbox', { name: 'Contents of events and runs' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(contents).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'Audit log' })).toHaveValue('400');
  await expect(page.getByRole('region', { name: 'Stored data' }).getByRole('row')).toHaveCount(8);

  await contents.fill('ten');
  await save.click();
  await expect(page.getByText('Enter a whole number of days')).toBeVisible();
  await contents.fill('0');
  await save.click();
  await expect(page.getByText('Enter a whole number of days from 1')).toBeVisible();

  await contents.fill('14');
  await save.click();
  const question = page.getByRole('alertdialog', { name: 'Save retention?' });
  await expect(question).toContainText('Nothing is that old now.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await reloadPage(page);
  await expect(contents).toHaveValue('');

  await contents.fill('14');
  await save.click();
  await question.getByRole('button', { name: 'Save retention' }).click();
  await expect(page.getByText('Retention saved')).toBeVisible();
  await reloadPage(page);
  await expect(contents).toHaveValue('14');

  // Keeping it for longer deletes nothing, so nothing is asked.
  await contents.fill('60');
  await save.click();
  await expect(page.getByText('Retention saved')).toBeVisible();
  await openPage(page, '/settings/audit-log');
  await expect(page.getByText('Changed the retention').first()).toBeVisible();
  await expect(page.getByText('bodies 60 days, runs 90 days').first()).toBeVisible();
});
