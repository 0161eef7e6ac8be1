'use client';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, CornerDownRight } from 'lucide-react';
import { useState } from 'react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Link } from '#components/ui/link.tsx';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import type { CalledRunView, RunView } from '#lib/screens/run-types.ts';
import { RunStatusLabel } from './run-status.tsx';

const OPEN_POLL_MS = 2000;

/** The runs that a task has called, each with a link and, expanded, its tasks. */
export const CalledRuns = ({ calls }: { calls: readonly CalledRunView[] }) =>
  calls.length > 0 && (
    <ul aria-label="Called runs" className="ml-4 border-l border-line pl-2">
      {calls.map((call) => (
        <CalledRun key={call.runId} call={call} />
      ))}
    </ul>
  );

function CalledRun({ call: { runId, workflowName, status } }: { call: CalledRunView }) {
  const [isExpanded, setExpanded] = useState(false);
  const Chevron = isExpanded ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md px-2 py-1.5 text-sm">
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-label={`Tasks of “${workflowName}”`}
          onClick={() => setExpanded(!isExpanded)}
          className="rounded-sm p-0.5 text-muted hover:bg-hover"
        >
          <Chevron aria-hidden className="size-4" />
        </button>
        <Link href={`/runs/${runId}`} className="min-w-0 flex-1 truncate text-accent hover:underline">
          Run of “{workflowName}”
        </Link>
        <RunStatusLabel status={status} />
      </div>
      {isExpanded && <Tasks runId={runId} />}
    </li>
  );
}

function Tasks({ runId }: { runId: string }) {
  const { data, error } = useQuery({
    queryKey: ['called-run', runId],
    queryFn: ({ signal }) => fetchJson<RunView>(`/runs/${runId}/live?offset=0`, signal),
    refetchInterval: ({ state }) => (state.data && isOpenRun(state.data.run.status) ? OPEN_POLL_MS : false),
  });
  if (error) return <p className="ml-8 pb-1.5 text-sm text-danger">{error.message}</p>;
  if (!data) return <p className="ml-8 pb-1.5 text-sm text-muted">Loading…</p>;
  const tasks = data.tasks.filter(({ iteration }) => iteration.length === 0);
  return (
    <ul className="ml-6 pb-1.5">
      {tasks.length === 0 && <li className="px-2 text-sm text-muted">Waiting in the queue.</li>}
      {tasks.map(({ taskId, name, status }) => (
        <li key={taskId}>
          <div className="flex items-center gap-2 px-2 py-1 text-sm">
            <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <RunStatusLabel status={status} />
          </div>
          <CalledRuns calls={data.calls.filter((call) => call.taskId === taskId)} />
        </li>
      ))}
    </ul>
  );
}
