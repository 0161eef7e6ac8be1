'use client';
import { useSearchParams } from 'next/navigation';
import { useEffect, useRef } from 'react';
import type { FormField } from '#lib/editor/canvas/form-fields.ts';
import type { CanvasProblem } from '#lib/editor/canvas/find-problems.ts';
import type { PickerOption } from '#lib/screens/editor-types.ts';
import { useEditorContext } from '#components/editor/editor-context.tsx';
import { ConnectButton } from '#components/connections/connect-button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { usePanel } from './panel-context.tsx';

/** Connects an account from inside a task, which opens again with the connection selected. */
export function ConnectHere({
  options,
  chosen,
  pick,
}: {
  options: readonly PickerOption[];
  chosen: PickerOption | undefined;
  pick: (connectionId: string) => void;
}) {
  const { editor, actions, flush } = useEditorContext();
  const { task } = usePanel();
  useReturn(options, pick);
  const startLogin = async ({ id }: { id?: string | undefined }) => {
    await flush();
    return actions.startLogin({ id, origin: { workflowId: editor.workflowId, taskId: task.id } });
  };
  if (options.length === 0) {
    return (
      <div className="mt-2 flex flex-col items-start gap-2 rounded-lg border border-line p-3">
        <p className="text-sm text-muted">
          Sign in to the messaging platform and select the business account to send from. You return to this
          task.
        </p>
        <ConnectButton startLogin={startLogin} size="sm" />
      </div>
    );
  }
  if (chosen?.badge && chosen.badge.tone === 'danger') {
    return (
      <div className="mt-2">
        <Callout tone="danger" title="This connection cannot send messages">
          <p className="mb-2">
            Sign in to the platform again. The connection keeps its name and stays in its workflows.
          </p>
          <ConnectButton
            startLogin={startLogin}
            connectionId={chosen.value}
            label="Reconnect"
            variant="secondary"
            size="sm"
          />
        </Callout>
      </div>
    );
  }
  return (
    <div className="mt-1 -ml-2.5">
      <ConnectButton startLogin={startLogin} label="Connect another account" variant="ghost" size="sm" />
    </div>
  );
}

/** After the login: the URL contains the new or renewed connection. */
function useReturn(options: readonly PickerOption[], pick: (connectionId: string) => void): void {
  const { editor } = useEditorContext();
  const { task, fields } = usePanel();
  const connectionId = useSearchParams().get('connection');
  const taken = useRef(false);
  const isThere = options.some(({ value }) => value === connectionId);
  useEffect(() => {
    if (connectionId === null || !isThere || taken.current) return;
    // Once, and not again after a reload.
    taken.current = true;
    window.history.replaceState(null, '', window.location.pathname);
    pick(connectionId);
    const next = findTypedProblem(task.id, editor.state.problems, fields);
    if (next !== undefined) editor.openTask(task.id, next);
  });
}

/** The first problem of a field to type: account and number are usually selected with the connection. */
const findTypedProblem = (
  taskId: number,
  problems: readonly CanvasProblem[],
  fields: readonly FormField[],
): string | undefined =>
  problems.find(
    (problem) =>
      problem.taskId === taskId &&
      fields.some(({ name, meta }) => problem.field === `settings.${name}` && meta.picks === undefined),
  )?.field;
