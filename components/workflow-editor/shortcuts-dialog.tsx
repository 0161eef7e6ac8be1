'use client';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { Kbd } from '#components/ui/kbd.tsx';
import { useEditor } from '#components/editor/editor-context.tsx';

const SHORTCUTS: readonly { title: string; keys: readonly [keys: string, what: string][] }[] = [
  {
    title: 'Navigate',
    keys: [
      ['Arrow keys', 'Go to the next task in that direction'],
      ['Enter', 'Open the task'],
      ['Esc', 'Close the task or clear the selection'],
      ['1', 'Fit the workflow to the screen'],
      ['Ctrl F', 'Find a task or note'],
      ['Wheel, two fingers', 'Move the canvas (with Shift: sideways)'],
      ['Ctrl Wheel, pinch', 'Zoom'],
      ['Shift Tab', 'Leave the canvas'],
    ],
  },
  {
    title: 'Draw',
    keys: [
      ['Tab or +', 'Add a task after the selected one'],
      ['C', 'Connect the selected task to another one'],
      ['F2', 'Rename'],
      ['D', 'Skip or run the selected tasks'],
      ['Alt Arrow keys', 'Move the selected tasks'],
      ['Delete', 'Delete tasks, notes or an edge'],
      ['L', 'Arrange all tasks'],
    ],
  },
  {
    title: 'Edit',
    keys: [
      ['Ctrl Z', 'Undo'],
      ['Ctrl Shift Z', 'Redo'],
      ['Ctrl C, X, V', 'Copy, cut, paste (also between workflows)'],
      ['Ctrl D', 'Duplicate'],
      ['Ctrl A', 'Select all'],
      ['Shift and drag', 'Select an area'],
      ['Ctrl S', 'Save now (drafts are saved automatically)'],
    ],
  },
  {
    title: 'Write',
    keys: [
      ['{{', 'Suggest variables while you type'],
      ['?', 'Show keyboard shortcuts'],
    ],
  },
];

/** All keyboard shortcuts of the canvas. */
export function ShortcutsDialog() {
  const editor = useEditor();
  return (
    <Dialog open onOpenChange={() => editor.store.set({ dialog: null })} title="Keyboard shortcuts" size="lg">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {SHORTCUTS.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-1.5 font-semibold">{title}</h3>
            <dl className="flex flex-col gap-1.5">
              {keys.map(([shortcut, what]) => (
                <div key={shortcut} className="flex items-baseline justify-between gap-4">
                  <dt className="shrink-0">
                    <Kbd>{shortcut}</Kbd>
                  </dt>
                  <dd className="text-right text-muted">{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
