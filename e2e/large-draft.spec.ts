// Workflows of several megabytes: saved up to the limit; above it the screen reports it, and undo fixes it.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import type { SavedWorkflow } from './seed.ts';

const TEXT = 'x'.repeat(60_000);

test('a workflow of 2.5 MB is saved; twice as much is refused in words', async ({ page, api }) => {
  const tasks = Array.from({ length: 42 }, (_, index) => ({
    id: 2 + index,
    type: 'set_variables',
    name: `Text ${index}`,
    settings: { variables: [{ name: 'text', value: TEXT }] },
    position: { x: 320, y: index * 90 },
  }));
  const { id } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Large',
    tasks: [{ id: 1, type: 'inbound_webhook', settings: {}, position: { x: 0, y: 0 } }, ...tasks],
    edges: tasks.map((task) => ({ from: 1, to: task.id })),
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}`);
  const name = page.getByLabel('Workflow name');
  await name.fill('Large and renamed');
  await name.press('Enter');
  const nameNow = async () => (await api.get<SavedWorkflow>(`/workflows/${id}`)).name;
  await expect.poll(nameNow).toBe('Large and renamed');
  await canvas.isSaved();

  await canvas.task('Inbound webhook').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('ControlOrMeta+v');
  await expect(
    page.getByText(/Could not save: The workflow has .* MB, more than the limit of 4 MB/),
  ).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await canvas.isSaved();
  expect((await api.get<SavedWorkflow>(`/workflows/${id}`)).tasks).toHaveLength(43);
});
