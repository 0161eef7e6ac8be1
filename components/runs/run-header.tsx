'use client';
import { Ban, RotateCcw } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { Fact, Facts } from '#components/ui/table.tsx';
import { PageHeader } from '#components/ui/page.tsx';
import { Deadline, RelativeTime } from '#components/ui/relative-time.tsx';
import { formatDuration } from '#components/ui/format.ts';
import { OpenInEditor, RunCustomerLink } from './run-links.tsx';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import type { KnownWorkflow } from '#lib/workflows/workflow-names.ts';
import type { RetryFrom } from './retry-dialog.tsx';
import { hasNoTime } from '#lib/runs/list-waits.ts';
import { describeGate, RunDeliveryLabel, RunStatusLabel } from './run-status.tsx';
import type { RunView } from '#lib/screens/run-types.ts';

export interface RunHeaderProps {
  run: RunView['run'];
  burstEventIds: RunView['burstEventIds'];
  workflow: KnownWorkflow | undefined;
  canEdit: boolean;
  askRetry: (from: RetryFrom) => void;
  cancel: () => Promise<void>;
}

/** The run's workflow, status and actions. */
export function RunHeader({ run, burstEventIds, workflow, canEdit, askRetry, cancel }: RunHeaderProps) {
  return (
    <>
      <PageHeader
        title={workflow?.name ?? 'Run of a deleted workflow'}
        back={{ href: '/runs', label: 'Runs' }}
        actions={
          canEdit && (
            <>
              {workflow?.isDeleted === false && (
                <OpenInEditor workflowId={run.workflowId} eventId={run.eventId} taskId={run.error?.task_id} />
              )}
              {run.contentsRemovedAt === null && <Actions run={run} askRetry={askRetry} cancel={cancel} />}
            </>
          )
        }
      />
      <Facts>
        {workflow?.isDeleted === true && <Fact label="Workflow">Deleted</Fact>}
        <Fact label="Status">
          <span className="flex flex-wrap gap-x-3">
            <RunStatusLabel status={run.status} />
            <RunDeliveryLabel delivery={run.delivery} />
          </span>
        </Fact>
        {run.customer && (
          <Fact label="Customer">
            <RunCustomerLink customer={run.customer} />
          </Fact>
        )}
        <Fact label="Arrived">
          <RelativeTime at={run.createdAt} />
        </Fact>
        {run.startedAt && (
          <Fact label="Queued for">
            {formatDuration(Math.max(0, Date.parse(run.startedAt) - Date.parse(run.createdAt)))}
          </Fact>
        )}
        {run.finishedAt && (
          <Fact label="Took">
            {formatDuration(Date.parse(run.finishedAt) - Date.parse(run.startedAt ?? run.createdAt))}
          </Fact>
        )}
        {run.waitsForRuns !== null && <Fact label="Queued">{describeGate(run.waitsForRuns)}</Fact>}
        {run.waitsForQuietUntil && (
          <Fact label="Collects webhooks">
            until <Deadline at={run.waitsForQuietUntil} />, longer while more arrive
          </Fact>
        )}
        {run.waitsForRun && (
          <Fact label="Waits for run">
            <Link href={`/runs/${run.waitsForRun}`} className="font-mono text-sm text-accent hover:underline">
              {run.waitsForRun.slice(-12)}
            </Link>{' '}
            with the same value of “Run in order by”
          </Fact>
        )}
        {run.status === 'waiting' &&
          run.resumeAt &&
          (hasNoTime(run.waitsFor) ? (
            <Fact label="Waiting">{run.waitsFor?.replace('Waiting ', '')}</Fact>
          ) : (
            <Fact label={run.waitsFor ?? 'Waiting'}>
              until <Deadline at={run.resumeAt} />
            </Fact>
          ))}
        <Fact label="Version">
          <Link href={`/workflows/${run.workflowId}`} className="text-accent hover:underline">
            {run.version === null ? 'Draft' : `v${run.version}`}
            {run.draftRevision === 0 && ', test run'}
          </Link>
        </Fact>
        <Fact label="Event">
          <Link href={`/events/${run.eventId}`} className="font-mono text-sm text-accent hover:underline">
            {run.eventId.slice(-12)}
          </Link>
        </Fact>
        {burstEventIds.length > 0 && <Burst eventIds={burstEventIds} />}
        {run.retryOf && (
          <Fact label="Retry of">
            <Link href={`/runs/${run.retryOf}`} className="font-mono text-sm text-accent hover:underline">
              {run.retryOf.slice(-12)}
            </Link>
          </Fact>
        )}
        {run.calledBy && (
          <Fact label="Called by">
            {run.callerName === null ? (
              'A run that was removed'
            ) : (
              <Link href={`/runs/${run.calledBy}`} className="text-accent hover:underline">
                A run of “{run.callerName}”
              </Link>
            )}
          </Fact>
        )}
        {run.awaited && <Fact label="Caller">waited for the result</Fact>}
      </Facts>
    </>
  );
}

/** The webhooks that became this run. */
const Burst = ({ eventIds }: { eventIds: readonly string[] }) => (
  <Fact label="Burst">
    <details>
      <summary className="cursor-pointer">
        {eventIds.length === 1 ? '1 webhook' : `${eventIds.length} webhooks`}
      </summary>
      <ol className="mt-1 flex max-h-60 flex-col gap-1 overflow-y-auto">
        {eventIds.map((id) => (
          <li key={id}>
            <Link href={`/events/${id}`} className="font-mono text-sm text-accent hover:underline">
              {id.slice(-12)}
            </Link>
          </li>
        ))}
      </ol>
    </details>
  </Fact>
);

function Actions({ run, askRetry, cancel }: Pick<RunHeaderProps, 'run' | 'askRetry' | 'cancel'>) {
  if (isOpenRun(run.status)) {
    return (
      <ConfirmDialog
        trigger={<Button icon={<Ban aria-hidden />}>Cancel run</Button>}
        title="Cancel this run?"
        description="No further tasks start, also in the runs that it called and waits for. A task in progress may still complete. You can retry the run later."
        confirmLabel="Cancel run"
        danger
        onConfirm={cancel}
      />
    );
  }
  return (
    <>
      {run.draftRevision === null && (
        <Button icon={<RotateCcw aria-hidden />} onClick={() => askRetry('start')}>
          Start again
        </Button>
      )}
      {run.status !== 'succeeded' && (
        <Button variant="primary" icon={<RotateCcw aria-hidden />} onClick={() => askRetry('failed_task')}>
          Retry from the failed task
        </Button>
      )}
    </>
  );
}
