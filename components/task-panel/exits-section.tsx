'use client';
import { edgeKey } from '#lib/engine/graph.ts';
import { Plus, X } from 'lucide-react';
import { useMemo } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { disconnect } from '#lib/editor/canvas/commands.ts';
import { connectTargets } from '#lib/editor/canvas/connect.ts';
import { findTask } from '#lib/editor/canvas/document.ts';
import { type Exit, exitsOf } from '#lib/tasks/exits.ts';
import { usePanel } from './panel-context.tsx';

/** The task's edges by exit: the accessible alternative to drawing them. */
export function ExitsSection() {
  const { task } = usePanel();
  return (
    <section aria-label="Next tasks" className="flex flex-col gap-3">
      <h2 className="font-semibold">Next tasks</h2>
      {exitsOf(task).map((exit) => (
        <ExitRow key={exit.branch ?? ''} exit={exit} />
      ))}
    </section>
  );
}

function ExitRow({ exit: { branch, label } }: { exit: Exit }) {
  const editor = useEditor();
  const { task, canEdit } = usePanel();
  const document = useEditorState((state) => state.history.present);
  const edges = document.edges.filter((edge) => edge.from === task.id && edge.branch === branch);
  const targets = useMemo(() => connectTargets(document, task.id, branch), [document, task.id, branch]);
  const where = label === '' ? 'after this task' : `after "${label}"`;
  return (
    <div className="flex flex-col gap-1.5">
      {label !== '' && <p className="text-sm font-medium">{label}</p>}
      {edges.map((edge) => {
        const target = findTask(document, edge.to);
        return (
          <div
            key={edgeKey(edge)}
            className="flex min-h-9 items-center justify-between rounded-md border border-line pl-3"
          >
            <button
              type="button"
              className="min-w-0 truncate text-left"
              onClick={() => editor.openTask(edge.to)}
            >
              {target?.name ?? edge.to}
            </button>
            {canEdit && (
              <IconButton
                label={`Disconnect from "${target?.name ?? edge.to}"`}
                size="sm"
                onClick={() => editor.run('Disconnect', (drawn) => disconnect(drawn, [edgeKey(edge)]))}
              >
                <X aria-hidden />
              </IconButton>
            )}
          </div>
        );
      })}
      {canEdit && (
        <div className="flex gap-2">
          <Button
            size="sm"
            icon={<Plus aria-hidden />}
            className="h-9"
            onClick={() => editor.store.set({ pickingFor: { kind: 'after', from: task.id, branch } })}
          >
            Add a task
          </Button>
          {targets.length > 0 && (
            <Select
              aria-label={`Connect to, ${where}`}
              placeholder="Connect to…"
              value=""
              options={targets.map((target) => ({ value: String(target.id), label: target.name }))}
              onValueChange={(id) => editor.connect(task.id, Number(id), branch)}
            />
          )}
        </div>
      )}
    </div>
  );
}
