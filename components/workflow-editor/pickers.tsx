'use client';
import { StickyNote } from 'lucide-react';
import { groupOffers } from '#components/canvas/offer-groups.ts';
import { OfferIcon, TaskIcon } from '#components/canvas/task-icon.tsx';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { focusNote, focusTask } from '#components/editor/focus.ts';
import { noteNodeId, taskNodeId } from '#components/editor/node-ids.ts';
import { CommandPalette } from '#components/ui/overlay/command-palette.tsx';
import { connectTargets } from '#lib/editor/canvas/connect.ts';
import { findRepeatOffer } from '#lib/editor/canvas/repeat.ts';
import { findTask, listTexts } from '#lib/editor/canvas/document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { offerOf } from '#lib/tasks/offers.ts';

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
  const connect = (target: number, branch: string | undefined) => () => {
    editor.connect(task.id, target, branch);
    focusTask(task.id);
  };
  const backs = exits.flatMap(({ branch, label }) =>
    document.tasks
      .filter(({ id }) => findRepeatOffer(document, { from: task.id, to: id, branch }))
      .map((target) => ({
        id: `back-${branch ?? ''}-${target.id}`,
        label: exits.length > 1 ? `${label} → back to ${target.name}` : `Back to ${target.name}`,
        keywords: ['repeat', 'until', 'again'],
        icon: <TaskIcon task={target} size="sm" />,
        run: connect(target.id, branch),
      })),
  );
  const groups = exits.map(({ branch, label }) => ({
    heading: label === '' ? `From "${task.name}" to` : `From "${task.name}", ${label}, to`,
    commands: connectTargets(document, task.id, branch).map((target) => ({
      id: `${branch ?? ''}-${target.id}`,
      label: exits.length > 1 ? `${label} → ${target.name}` : target.name,
      icon: <TaskIcon task={target} size="sm" />,
      run: connect(target.id, branch),
    })),
  }));
  if (backs.length > 0) groups.push({ heading: 'Repeat until a condition is met', commands: backs });
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

/** Finds tasks by name, type, number and settings, and notes by text; goes to the selected one. */
export function FindPicker() {
  const editor = useEditor();
  const { tasks, notes } = useEditorState((state) => state.history.present);
  const taskCommands = tasks.map((task) => {
    const { id, type, name, settings } = task;
    const kind = findTaskKind(type)?.name ?? type;
    const action = offerOf(task)?.name ?? kind;
    return {
      id: taskNodeId(id),
      label: name,
      hint: action === name ? `Task ${id}` : `${action} · task ${id}`,
      keywords: [kind, action, `task_${id}`, ...listTexts(settings)],
      icon: <TaskIcon task={task} size="sm" />,
      run: () => {
        editor.goTo(taskNodeId(id));
        focusTask(id);
      },
    };
  });
  const noteCommands = notes.map(({ id, text }) => ({
    id: noteNodeId(id),
    label: text.trim().split('\n')[0] || 'Empty note',
    keywords: [text],
    icon: <StickyNote />,
    run: () => {
      editor.goTo(noteNodeId(id));
      focusNote(id);
    },
  }));
  return (
    <CommandPalette
      open
      onOpenChange={() => editor.store.set({ dialog: null })}
      label="Find on the canvas"
      placeholder="Find a task or note by its name or content"
      groups={[
        { heading: 'Tasks', commands: taskCommands },
        { heading: 'Notes', commands: noteCommands },
      ].filter(({ commands }) => commands.length > 0)}
    />
  );
}
