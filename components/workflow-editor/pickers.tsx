'use client';
import { CommandPalette } from '#components/ui/command-palette.tsx';
import { connectTargets } from '#lib/editor/canvas/connect.ts';
import { findTask } from '#lib/editor/canvas/document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { focusTask } from '#components/editor/focus-task.ts';
import { groupOffers } from '#components/canvas/offer-groups.ts';
import { OfferIcon, TaskIcon } from '#components/canvas/task-icon.tsx';

/** The searchable list of tasks to add. */
export function TaskPicker() {
  const editor = useEditor();
  const spot = useEditorState((state) => state.pickingFor);
  if (!spot) return null;
  const close = () => {
    editor.store.set({ pickingFor: undefined });
    const back = editor.selectedTaskId;
    if (back !== undefined) focusTask(back);
  };
  return (
    <CommandPalette
      open
      onOpenChange={(open) => !open && close()}
      label="Add a task"
      placeholder="Search tasks"
      groups={(search) =>
        groupOffers(search).map(({ title, offers }) => ({
          heading: title,
          commands: offers.map((offer) => ({
            id: offer.id,
            label: offer.name,
            detail: offer.summary,
            icon: <OfferIcon offer={offer} size="sm" />,
            run: () => editor.addTask(offer.id, spot),
          })),
        }))
      }
    />
  );
}

/** The possible targets of a task's exits, for the keyboard. */
export function ConnectPicker() {
  const editor = useEditor();
  const from = useEditorState((state) => state.connectingFrom);
  const document = useEditorState((state) => state.history.present);
  const task = from === undefined ? undefined : findTask(document, from);
  if (!task) return null;
  const exits = exitsOf(task);
  const groups = exits.map(({ branch, label }) => ({
    heading: label === '' ? `From "${task.name}" to` : `From "${task.name}", ${label}, to`,
    commands: connectTargets(document, task.id, branch).map((target) => ({
      id: `${branch ?? ''}-${target.id}`,
      label: exits.length > 1 ? `${label} → ${target.name}` : target.name,
      icon: <TaskIcon task={target} size="sm" />,
      run: () => {
        editor.connect(task.id, target.id, branch);
        focusTask(task.id);
      },
    })),
  }));
  return (
    <CommandPalette
      open
      onOpenChange={(open) => {
        if (open) return;
        editor.store.set({ connectingFrom: undefined });
        focusTask(task.id);
      }}
      label="Connect to"
      placeholder="Search tasks to connect to"
      groups={groups}
    />
  );
}
