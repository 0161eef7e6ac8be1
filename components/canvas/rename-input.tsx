'use client';
import { use, useState } from 'react';
import { CanvasMode } from './canvas-mode.ts';
import { focusTask } from '#components/editor/focus-task.ts';

/** Renames a task in place: Enter saves, Escape cancels. */
export function RenameInput({ taskId, name }: { taskId: number; name: string }) {
  const editor = use(CanvasMode);
  const [text, setText] = useState(name);
  const end = (kept: string) => {
    editor?.rename(taskId, kept);
    focusTask(taskId);
  };
  return (
    <input
      autoFocus
      aria-label="Task name"
      value={text}
      maxLength={200}
      className="nodrag w-full rounded-sm border border-accent bg-raised px-1 font-medium outline-none"
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => editor?.rename(taskId, text)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') end(text);
        if (event.key === 'Escape') end(name);
      }}
    />
  );
}
