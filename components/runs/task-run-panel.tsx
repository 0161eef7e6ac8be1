'use client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { FixLink } from './run-links.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { RelativeTime, TextWithInstants } from '#components/ui/relative-time.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import { MessageDelivery } from './delivery.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { JsonView } from './json-view.tsx';
import { ResolveTaskRun, type ResolveAction } from './resolve-task-run.tsx';
import { describeWait } from '#lib/runs/list-waits.ts';
import { RunStatusLabel, WaitEnd } from './run-status.tsx';
import type {
  CallerResponse,
  MessageView,
  SettingView,
  TaskRunDetail,
  TaskRunRow,
} from '#lib/screens/run-types.ts';

const CapturedEffects = onDemand(async () => (await import('./captured-effects.tsx')).CapturedEffects);

export interface TaskRunPanelProps {
  runId: string;
  task: TaskRunRow;
  message: MessageView | undefined;
  /** Undefined for viewers, and while the run is open. */
  resolve: ResolveAction | undefined;
  onResolved: () => void;
}

/** One task run: input, output and problems. */
export function TaskRunPanel({ runId, task, message, resolve, onResolved }: TaskRunPanelProps) {
  const iteration = task.iteration.join('.');
  const detail = useQuery({
    queryKey: ['task-run', runId, task.taskId, iteration, task.status, task.attempt],
    queryFn: ({ signal }) =>
      fetchJson<TaskRunDetail>(`/runs/${runId}/tasks/${task.taskId}?iteration=${iteration}`, signal),
    placeholderData: (previous, query) => (query?.queryKey[2] === task.taskId ? previous : undefined),
  });
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <RunStatusLabel status={task.status} />
        {task.startedAt && (
          <span className="text-sm text-muted">
            started <RelativeTime at={task.startedAt} />
          </span>
        )}
        {task.status === 'waiting' && task.resumeAt && (
          <span className="text-sm text-muted">
            <WaitEnd waitsFor={describeWait(task.runText)} at={task.resumeAt} />
          </span>
        )}
      </div>
      {task.runText && task.status !== 'failed' && task.captured.length === 0 && (
        <p>
          <TextWithInstants text={task.runText} />
        </p>
      )}
      {task.status === 'outcome_unknown' && (
        <ResolveTaskRun runId={runId} task={task} resolve={resolve} onResolved={onResolved} />
      )}
      {task.captured.length > 0 && (
        <Part title="Not sent (test run)">
          <Suspense fallback={<Skeleton className="h-40" />}>
            <CapturedEffects captured={task.captured} />
          </Suspense>
        </Part>
      )}
      {message && (
        <Part title="Message">
          <MessageDelivery message={message} />
        </Part>
      )}
      {detail.error ? (
        <ReadProblem error={detail.error} retry={() => void detail.refetch()} />
      ) : detail.data ? (
        <Detail detail={detail.data} />
      ) : (
        <>
          <Skeleton className="h-28" />
          <Skeleton className="h-40" />
        </>
      )}
    </div>
  );
}

function Detail({ detail }: { detail: TaskRunDetail }) {
  return (
    <>
      {detail.error && (
        <Part title="Error">
          <Callout tone="danger">
            <p className="break-words">
              <TextWithInstants text={detail.error.message} />
            </p>
            <FixLink place={detail.fixPlace} />
            <p className="mt-1 font-mono text-xs text-muted">{detail.error.code}</p>
          </Callout>
          {detail.errorDetails && <JsonView json={detail.errorDetails} label="error details" />}
        </Part>
      )}
      {detail.attempts.length > 0 && (
        <Part title="Earlier attempts">
          <ol className="flex flex-col gap-1 text-sm">
            {detail.attempts.map((attempt) => (
              <li key={attempt.attempt}>
                <span className="text-muted">
                  {attempt.attempt}. <RelativeTime at={attempt.started_at} />:
                </span>{' '}
                <TextWithInstants text={attempt.error.message} />
              </li>
            ))}
          </ol>
        </Part>
      )}
      {detail.settings.length > 0 && (
        <Part title="Input">
          <dl className="flex flex-col gap-3">
            {detail.settings.map((setting) => (
              <Setting key={setting.name} setting={setting} />
            ))}
          </dl>
        </Part>
      )}
      {detail.response && (
        <Part title="Response to the caller">
          <Response response={detail.response} />
        </Part>
      )}
      {detail.output !== null && (
        <Part title="Output">
          <JsonView json={detail.output} label="output" />
          {detail.isCut && (
            <p className="text-sm text-muted">Too long to show here. Use the API to get all of it.</p>
          )}
        </Part>
      )}
    </>
  );
}

function Response({ response: { status, contentType, body } }: { response: CallerResponse }) {
  const isRedirect = contentType === null;
  return (
    <>
      <p className="text-sm">
        {status}
        {isRedirect ? ' redirect to' : <span className="text-muted"> {contentType}</span>}
      </p>
      <CodeBlock
        code={body}
        label={isRedirect ? 'Redirect URL' : 'Response body'}
        wrap
        maxHeightClass="max-h-56"
      />
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex min-w-0 flex-col gap-2">
    <h3 className="text-sm font-semibold text-muted">{title}</h3>
    {children}
  </section>
);

const LONG_CHARACTERS = 80;

function Setting({ setting }: { setting: SettingView }) {
  const shown = setting.filled ?? setting.drawn;
  const isLong = shown.includes('\n') || shown.length > LONG_CHARACTERS;
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{setting.label}</dt>
      <dd className="min-w-0">
        {isLong ? <CodeBlock code={shown} label={setting.label} wrap maxHeightClass="max-h-56" /> : shown}
        {setting.filled !== null && (
          <p className="mt-0.5 font-mono text-xs break-words text-muted">from {setting.drawn}</p>
        )}
      </dd>
    </div>
  );
}
