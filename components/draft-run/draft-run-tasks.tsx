'use client';
import { Pin, PinOff, Play } from 'lucide-react';
import { useState } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { findMessageOf } from '#components/runs/delivery.tsx';
import { RunStatusLabel } from '#components/runs/run-status.tsx';
import { TaskRunPanel } from '#components/runs/task-run-panel.tsx';
import { cx } from '#components/ui/cx.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import type { RunView, TaskRunRow } from '#lib/screens/run-types.ts';
import { startDraftRunOrSay } from './start-draft-run.ts';

const keyOf = ({ taskId, iteration }: TaskRunRow): string => `${taskId}@${iteration.join('.')}`;

/** The tasks of the run in the order of their start, and the selected one. */
export function DraftRunTasks({ runId, view }: { runId: string; view: RunView }) {
  const [chosen, setChosen] = useState<string>();
  const openTaskId = useEditorState((state) => state.openTaskId);
  const tasks = view.tasks.filter(({ status }) => status !== 'skipped');
  if (tasks.length === 0) return <p className="text-muted">Waiting in the queue.</p>;
  const shown =
    tasks.find((task) => keyOf(task) === chosen) ??
    tasks.find(({ taskId }) => taskId === openTaskId) ??
    tasks.find(({ status }) => status === 'failed') ??
    tasks.find(({ captured }) => captured.length > 0) ??
    tasks.at(-1);
  return (
    <div className="grid items-start gap-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <ol aria-label="Tasks of the run" className="flex flex-col">
        {tasks.map((task) => (
          <li key={keyOf(task)} className="flex items-center gap-1">
            <button
              type="button"
              aria-pressed={task === shown}
              onClick={() => setChosen(keyOf(task))}
              className={cx(
                'flex min-w-0 flex-1 items-center gap-3 rounded-md px-2 py-1.5 text-left',
                task === shown ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <span className="min-w-0 flex-1 truncate">
                {task.name}
                {task.iteration.length > 0 && (
                  <span className="text-muted">
                    {' '}
                    · item {task.iteration.map((index) => index + 1).join('.')}
                  </span>
                )}
              </span>
              <RunStatusLabel status={task.status} />
            </button>
            <TaskActions runId={runId} task={task} isRunOver={!isOpenRun(view.run.status)} />
          </li>
        ))}
      </ol>
      {shown && (
        <div className="min-w-0">
          <TaskRunPanel
            key={keyOf(shown)}
            runId={runId}
            task={shown}
            message={findMessageOf(view.messages, shown.taskId, shown.iteration)}
            resolve={undefined}
            onResolved={() => undefined}
          />
        </div>
      )}
    </div>
  );
}

function TaskActions({
  runId,
  task: { taskId, name, status, loops, isTrigger },
  isRunOver,
}: {
  runId: string;
  task: TaskRunRow;
  isRunOver: boolean;
}) {
  const context = useEditorContext();
  const { editor, actions } = context;
  const isPinned = useEditorState((state) => state.pinned.has(taskId));
  const runFromHere = () => {
    const { draftRun } = editor.state;
    if (draftRun)
      void startDraftRunOrSay(context, { ...draftRun.effects, from: { run_id: runId, task_id: taskId } });
  };
  const togglePin = async () => {
    const id = editor.workflowId;
    const result = isPinned
      ? await actions.unpinOutput({ id, task_id: taskId })
      : await actions.pinOutput({ id, task_id: taskId, run_id: runId });
    if (!result.ok) return void toast.error(result.error.message);
    const pinned = new Set(editor.state.pinned);
    if (isPinned) pinned.delete(taskId);
    else pinned.add(taskId);
    editor.store.set({ pinned });
  };
  return (
    <span className="flex shrink-0">
      {!isTrigger && (
        <IconButton
          label={isPinned ? `Unpin the output of ${name}` : `Pin the output of ${name}`}
          size="sm"
          disabled={!isPinned && (status !== 'succeeded' || !isRunOver)}
          onClick={() => void togglePin()}
        >
          {isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
        </IconButton>
      )}
      <IconButton
        label={loops.length > 0 ? `Run from the loop around ${name}` : `Run from ${name} on`}
        size="sm"
        disabled={!isRunOver}
        onClick={runFromHere}
      >
        <Play aria-hidden />
      </IconButton>
    </span>
  );
}
