'use client';
import { StickyNote } from 'lucide-react';
import { TaskIcon } from '#components/canvas/task-icon.tsx';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { focusNote, focusTask } from '#components/editor/focus-task.ts';
import { noteNodeId, taskNodeId } from '#components/editor/node-ids.ts';
import { CommandPalette } from '#components/ui/command-palette.tsx';
import { listTexts } from '#lib/editor/canvas/list-texts.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { offerOf } from '#lib/tasks/offers.ts';

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
