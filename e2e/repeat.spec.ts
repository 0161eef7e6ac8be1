// What an edge back is drawn for: a loop until a condition is met.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import type { SavedWorkflow } from './seed.ts';

test('an edge back is offered as a loop, by mouse and by keyboard; cancelled, nothing changes', async ({
  page,
  api,
}) => {
  const at = (x: number) => ({ position: { x: x * 344, y: 0 } });
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name: 'Until there is a place',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Start', settings: {}, ...at(0) },
      {
        id: 2,
        type: 'set_variables',
        name: 'Look',
        settings: { variables: [{ name: 'at', value: '{{$now}}' }] },
        ...at(1),
      },
      {
        id: 3,
        type: 'if_condition',
        name: 'Free?',
        settings: { conditions: [{ left: '{{task_4_round}}', operator: 'at_least', right: '3' }] },
        ...at(2),
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${workflow.id}`);
  const dialog = page.getByRole('alertdialog', { name: 'Repeat until a condition is met?' });

  await canvas.connect('Free?', 'Look', 'false');
  await expect(dialog).toContainText('Look, Free?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled();
  await expect(canvas.edges()).toHaveCount(2);

  await canvas.openTask('Free?');
  await page.keyboard.press('Escape');
  await expect(canvas.task('Free?')).toBeFocused();
  await page.keyboard.press('c');
  await canvas.pick('False → back to Look');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Add the loop' }).press('Enter');
  await expect(canvas.panel.getByRole('textbox', { name: 'Task name' })).toHaveValue('Loop');
  await expect(canvas.chosen('Repeat')).toContainText('Until a condition is met');
});
