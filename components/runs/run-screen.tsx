'use client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { Suspense, useMemo, useState } from 'react';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { FixLink, RivalsCallout } from './run-links.tsx';
import { Card } from '#components/ui/card.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import { RelativeTime, TextWithInstants } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { hasFailed, isOpenRun } from '#lib/engine/run-statuses.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { findMessageOf, UndeliveredCallout } from './delivery.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Conversations } from './conversations.tsx';
import { groupIterations } from './group-iterations.ts';
import type { ResolveAction } from './resolve-task-run.tsx';
import type { RetryActions, RetryFrom } from './retry-dialog.tsx';
import { RunCanvas } from './run-canvas.tsx';
import { RunHeader } from './run-header.tsx';
import { RunTimeline, taskRunKey, type TimeFrame, Track, TrackLegend } from './run-timeline.tsx';
import type { KnownWorkflow } from '#lib/workflows/workflow-names.ts';
import type { MessageView, RunView, TaskRunRow } from '#lib/screens/run-types.ts';
import { TaskRunPanel } from './task-run-panel.tsx';
import { useIsWide } from '#components/ui/browser-state.ts';

export interface RunActions extends RetryActions {
  cancelRun: (input: { id: string }) => Promise<ActionResult<void>>;
  resolveTaskRun: ResolveAction;
}

const RetryDialog = onDemand(async () => (await import('./retry-dialog.tsx')).RetryDialog);

const BUSY_POLL_MS = 1000;
const WAITING_POLL_MS = 4000;
/** Delivery statuses arrive after the end of a run. */
const OVER_POLL_MS = 5000;

/** A run with live updates. */
export function RunScreen({
  initial,
  graph,
  workflow,
  canEdit,
  actions,
}: {
  initial: RunView;
  /** Of the version that the run executes. */
  graph: WorkflowGraph;
  workflow: KnownWorkflow | undefined;
  canEdit: boolean;
  actions: RunActions;
}) {
  const router = useRouter();
  const [retryFrom, setRetryFrom] = useState<RetryFrom | null>(null);
  const live = useLiveRun(initial);
  const { run, tasks, messages, now } = live.view;
  const retried = (id: string) => {
    setRetryFrom(null);
    if (id === run.id) live.refresh();
    else router.push(`/runs/${id}`);
    toast.success(id === run.id ? 'Run resumed.' : 'New run started.');
  };
  const cancel = async () => {
    const result = await actions.cancelRun({ id: run.id });
    if (result.ok) live.refresh();
    else toast.error(result.error.message);
  };
  const startedMs = Date.parse(run.startedAt ?? run.finishedAt ?? now);
  const frame = { fromMs: Date.parse(run.createdAt), toMs: Date.parse(run.finishedAt ?? now) };
  return (
    <>
      <RunHeader
        run={run}
        burstEventIds={live.view.burstEventIds}
        workflow={workflow}
        canEdit={canEdit}
        askRetry={setRetryFrom}
        cancel={cancel}
      />
      {live.error && (
        <div className="mb-4">
          <ReadProblem error={live.error} retry={live.refresh} />
        </div>
      )}
      {run.problem && (
        <div className="mb-4">
          <Callout tone="danger" title="The run failed">
            <p className="line-clamp-3 break-words">
              <TextWithInstants text={run.problem} />
            </p>
            {run.advice !== null && <p className="mt-2">{run.advice}</p>}
            {canEdit && <FixLink place={run.fixPlace} />}
          </Callout>
        </div>
      )}
      <UndeliveredCallout messages={messages} />
      <RivalsCallout rivals={live.view.rivals} getsAnswer={live.view.getsAnswer} />
      {run.contentsRemovedAt !== null && (
        <div className="mb-4">
          <Callout tone="info" title="The contents of this run were removed">
            The workspace keeps what tasks received and returned for a limited time (Settings → Retention). It
            was removed <RelativeTime at={run.contentsRemovedAt} />, so the run can’t be retried.
          </Callout>
        </div>
      )}
      <RunBody
        runId={run.id}
        graph={graph}
        tasks={tasks}
        messages={messages}
        calls={live.view.calls}
        talks={live.view.talks}
        frame={frame}
        queued={{ fromMs: frame.fromMs, toMs: Math.max(frame.fromMs, startedMs) }}
        resolve={canEdit && !isOpenRun(run.status) ? actions.resolveTaskRun : undefined}
        refresh={live.refresh}
        more={live.more}
      />
      <Suspense>
        {retryFrom && (
          <RetryDialog
            runId={run.id}
            from={retryFrom}
            actions={actions}
            onClose={() => setRetryFrom(null)}
            onRetried={retried}
          />
        )}
      </Suspense>
    </>
  );
}

interface RunBodyProps extends Pick<RunView, 'tasks' | 'messages' | 'calls' | 'talks'> {
  runId: string;
  graph: WorkflowGraph;
  frame: TimeFrame;
  /** When the run waited in the queue. */
  queued: TimeFrame;
  resolve: ResolveAction | undefined;
  refresh: () => void;
  more: { hasMore: boolean; loading: boolean; load: () => void };
}

function RunBody({ runId, graph, tasks, messages, calls, talks, ...props }: RunBodyProps) {
  const { frame, queued, resolve, refresh, more } = props;
  const isWide = useIsWide();
  const [chosen, setChosen] = useState<string | null>(null);
  const nodes = useMemo(() => groupIterations(tasks), [tasks]);
  const shownKey = chosen ?? (isWide ? firstToLookAt(tasks, messages) : null);
  const shown = tasks.find((task) => taskRunKey(task) === shownKey);
  const panel = shown && (
    <TaskRunPanel
      key={taskRunKey(shown)}
      runId={runId}
      task={shown}
      message={findMessageOf(messages, shown.taskId, shown.iteration)}
      resolve={resolve}
      onResolved={refresh}
    />
  );
  const chooseTask = (taskId: number) => {
    const runsOfTask = tasks.filter((task) => task.taskId === taskId);
    const first = firstToLookAt(runsOfTask, messages);
    if (first) setChosen(first);
  };
  return (
    <div className="flex flex-col gap-4">
      <RunCanvas
        graph={graph}
        tasks={tasks}
        calls={calls}
        selectedTaskId={shown?.taskId}
        onSelect={chooseTask}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          {talks && <Conversations runId={runId} tasks={tasks} messages={messages} />}
          <Card title="Timeline">
            <div className="@container -mx-3">
              <div className="flex flex-col gap-1 px-3 py-2">
                <span className="text-muted">Queued</span>
                <Track segments={[{ kind: 'queued', ...queued }]} frame={frame} tone="neutral" />
              </div>
              {tasks.length === 0 && <p className="px-3 text-muted">No task has started.</p>}
              <RunTimeline
                nodes={nodes}
                messages={messages}
                calls={calls}
                frame={frame}
                selected={shownKey}
                onSelect={(task) => setChosen(taskRunKey(task))}
              />
              <TrackLegend frame={frame} />
            </div>
            {more.hasMore && (
              <LoadMore
                hasMore
                loading={more.loading}
                onLoadMore={more.load}
                shown={`${tasks.length} task runs`}
              />
            )}
          </Card>
        </div>
        {shown && isWide && (
          <div className="sticky top-4">
            <Card title={titleOf(shown)}>{panel}</Card>
          </div>
        )}
        {shown && !isWide && (
          <Dialog open onOpenChange={(open) => !open && setChosen(null)} title={titleOf(shown)} size="lg">
            {panel}
          </Dialog>
        )}
      </div>
    </div>
  );
}

function titleOf({ name, iteration }: TaskRunRow): string {
  const items = iteration.map((index) => `item ${index + 1}`).join(', ');
  return items ? `${name} (${items})` : name;
}

/** The task that needs attention, or the last one. */
function firstToLookAt(tasks: readonly TaskRunRow[], messages: readonly MessageView[]): string | null {
  const undelivered = messages.filter(({ status }) => status === 'failed');
  const isUndelivered = ({ taskId, iteration }: TaskRunRow): boolean =>
    findMessageOf(undelivered, taskId, iteration) !== undefined;
  const wrong = tasks.find(({ status }) => hasFailed(status)) ?? tasks.find(isUndelivered);
  const last = tasks.filter(({ status }) => status !== 'skipped').at(-1);
  const task = wrong ?? last;
  return task ? taskRunKey(task) : null;
}

function useLiveRun(initial: RunView) {
  const { id } = initial.run;
  const query = useInfiniteQuery({
    queryKey: ['run', id],
    queryFn: ({ pageParam, signal }) => fetchJson<RunView>(`/runs/${id}/live?offset=${pageParam}`, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset ?? undefined,
    initialData: { pages: [initial], pageParams: [0] },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollEveryMs(state.data?.pages[0]),
  });
  const pages = query.data.pages;
  const tasks = useMemo(() => pages.flatMap((page) => page.tasks), [pages]);
  return {
    view: { ...(pages[0] ?? initial), tasks },
    error: query.error,
    refresh: () => void query.refetch(),
    more: {
      hasMore: query.hasNextPage,
      loading: query.isFetchingNextPage,
      load: () => void query.fetchNextPage(),
    },
  };
}

function pollEveryMs(view: RunView | undefined): number | false {
  if (!view) return OVER_POLL_MS;
  if (view.run.status === 'waiting') return WAITING_POLL_MS;
  if (isOpenRun(view.run.status)) return BUSY_POLL_MS;
  const isOnTheWay = view.messages.some(({ status }) => status !== 'read' && status !== 'failed');
  return isOnTheWay ? OVER_POLL_MS : false;
}
