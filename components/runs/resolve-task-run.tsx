'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { TaskRunRow } from '#lib/screens/run-types.ts';

export type ResolveAction = (input: {
  id: string;
  task_id: number;
  iteration: number[];
  as: 'done' | 'resend';
}) => Promise<ActionResult<void>>;

/** Resolves a task with an unknown outcome: the user has to find out whether it happened. */
export function ResolveTaskRun({
  runId,
  task,
  resolve,
  onResolved,
}: {
  runId: string;
  task: TaskRunRow;
  resolve: ResolveAction | undefined;
  onResolved: () => void;
}) {
  const [busy, setBusy] = useState<'done' | 'resend' | null>(null);
  const choose = async (as: 'done' | 'resend') => {
    if (!resolve) return;
    setBusy(as);
    const { taskId, iteration } = task;
    const result = await resolve({ id: runId, task_id: taskId, iteration: [...iteration], as });
    setBusy(null);
    if (!result.ok) {
      toast.error(result.error.message);
      return;
    }
    toast.success(as === 'done' ? 'Marked as done.' : 'The task runs again.');
    onResolved();
  };
  return (
    <Callout tone="warning" title="Outcome unknown">
      <p>
        The connection was lost before the platform answered. Patchbay does not repeat it automatically, so
        that the customer does not get it twice. Check whether it arrived, then choose.
      </p>
      {resolve ? (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            size="sm"
            loading={busy === 'done'}
            disabled={busy !== null}
            onClick={() => void choose('done')}
          >
            It was sent: mark as done
          </Button>
          <Button
            size="sm"
            loading={busy === 'resend'}
            disabled={busy !== null}
            onClick={() => void choose('resend')}
          >
            It was not sent: send again
          </Button>
        </div>
      ) : (
        <p className="mt-2 text-muted">Once the run has ended, an editor or owner can resolve this here.</p>
      )}
    </Callout>
  );
}
