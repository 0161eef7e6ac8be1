'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Dialog, DialogClose } from '#components/ui/overlay/dialog.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { RetryPlan } from '#lib/runs/change-run.ts';

export type RetryFrom = 'failed_task' | 'start';

export interface RetryActions {
  planRetry: (input: { id: string; from: RetryFrom }) => Promise<ActionResult<RetryPlan>>;
  retryRun: (input: { id: string; from: RetryFrom }) => Promise<ActionResult<{ id: string }>>;
}

const WHY: Record<RetryPlan['tasks'][number]['why'], string> = {
  succeeded: 'already succeeded; will run again',
  outcome_unknown: 'may already have run; will run again',
  failed: 'failed last time; will run again',
  cancelled: 'was cancelled; will run now',
};

/** Shows what would be repeated, and confirms. */
export function RetryDialog({
  runId,
  from,
  actions,
  onClose,
  onRetried,
}: {
  runId: string;
  from: RetryFrom;
  actions: RetryActions;
  onClose: () => void;
  onRetried: (id: string) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const plan = useQuery({
    queryKey: ['retry-plan', runId, from],
    queryFn: async () => {
      const result = await actions.planRetry({ id: runId, from });
      if (!result.ok) throw new Error(result.error.message);
      return result.data;
    },
    gcTime: 0,
  });
  const retry = async () => {
    setBusy(true);
    const result = await actions.retryRun({ id: runId, from });
    setBusy(false);
    if (result.ok) onRetried(result.data.id);
    else setProblem(result.error.message);
  };
  const failure = problem ?? plan.error?.message;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={from === 'start' ? 'Start again' : 'Retry from the failed task'}
      description={
        from === 'start'
          ? 'Starts a new run of the published version with the same event.'
          : 'The same run resumes. Tasks that succeeded are not repeated.'
      }
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" loading={busy} disabled={plan.isPending} onClick={() => void retry()}>
            {from === 'start' ? 'Start again' : 'Retry'}
          </Button>
        </>
      }
    >
      <div className="flex min-h-20 flex-col gap-3">
        {failure && (
          <Callout tone="danger" live>
            {failure}
          </Callout>
        )}
        {plan.isPending ? <Skeleton className="h-16" /> : plan.data && <Plan plan={plan.data} />}
      </div>
    </Dialog>
  );
}

function Plan({ plan }: { plan: RetryPlan }) {
  if (plan.tasks.length === 0) return <p>No message is sent again and no request is repeated.</p>;
  return (
    <>
      <p>These would be sent or called again:</p>
      <ul className="flex flex-col gap-2">
        {plan.tasks.map((task) => (
          <li key={`${task.taskId}${task.why}`} className="rounded-md border border-line px-3 py-2">
            <p className="font-medium">
              {task.name}
              {task.times > 1 && <span className="text-muted"> × {task.times}</span>}
            </p>
            <p className="text-sm text-muted">
              {WHY[task.why]}
              {task.recipients.length > 0 && ` (to ${task.recipients.join(', ')})`}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
