'use client';
import { Dialog } from '#components/ui/dialog.tsx';
import { Kbd } from '#components/ui/kbd.tsx';
import { useEditor } from './editor-context.tsx';

const SHORTCUTS: readonly { title: string; keys: readonly [keys: string, what: string][] }[] = [
  {
    title: 'Move about',
    keys: [
      ['Arrow keys', 'To the next task in that direction'],
      ['Enter', 'Open the task'],
      ['Esc', 'Close it, or choose nothing'],
      ['1', 'Show the whole drawing'],
      ['Shift Tab', 'Out of the canvas'],
    ],
  },
  {
    title: 'Draw',
    keys: [
      ['Tab or +', 'Add a task after the chosen one'],
      ['C', 'Connect the chosen task to another one'],
      ['F2', 'Rename'],
      ['D', 'Disable or enable'],
      ['Alt Arrow keys', 'Move the chosen tasks'],
      ['Delete', 'Delete tasks, notes or an edge'],
      ['L', 'Arrange all tasks'],
    ],
  },
  {
    title: 'Edit',
    keys: [
      ['Ctrl Z', 'Undo'],
      ['Ctrl Shift Z', 'Redo'],
      ['Ctrl C, X, V', 'Copy, cut, paste; also into other workflows'],
      ['Ctrl D', 'Duplicate'],
      ['Ctrl A', 'Choose everything'],
      ['Shift and drag', 'Choose what is in a frame'],
      ['Ctrl S', 'Save now; otherwise it happens by itself'],
    ],
  },
  {
    title: 'Write',
    keys: [
      ['{{', 'Offer variables while you write'],
      ['?', 'These keys'],
    ],
  },
];

/** Every key that the canvas knows. */
export function ShortcutsDialog() {
  const editor = useEditor();
  return (
    <Dialog
      open
      onOpenChange={() => editor.store.set({ dialog: null })}
      title="Keys of the canvas"
      description="On a Mac, ⌘ stands for Ctrl."
      size="lg"
    >
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
