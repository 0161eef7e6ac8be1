'use client';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, ExternalLink, RotateCcw, Settings2, Square, X } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useEditor, useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { ReadProblem } from '#components/live/read-problem.tsx';
import { toOverlay } from '#components/runs/group-iterations.ts';
import { RunStatusLabel } from '#components/runs/run-status.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import { TextWithInstants } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import type { RunView } from '#lib/screens/run-types.ts';
import { DraftRunTasks } from './draft-run-tasks.tsx';
import { startDraftRunOrSay } from './start-draft-run.ts';

/** The run of the draft below the canvas, with its captured effects. */
export function DraftRunDock({ runId }: { runId: string }) {
  const live = useDraftRun(runId);
  const [isOpen, setIsOpen] = useState(true);
  return (
    <section
      aria-label="Run of the draft"
      className="flex max-h-[45%] shrink-0 flex-col border-t border-line bg-surface"
    >
      <Header runId={runId} run={live.data?.run} isOpen={isOpen} setIsOpen={setIsOpen} />
      {isOpen && (
        <div className="min-h-0 overflow-y-auto px-3 pb-3">
          {live.error && <ReadProblem error={live.error} retry={() => void live.refetch()} />}
          {live.data?.run.problem && (
            <p className="mb-2 break-words text-danger">
              <TextWithInstants text={live.data.run.problem} />
            </p>
          )}
          {live.data ? (
            <DraftRunTasks runId={runId} view={live.data} />
          ) : (
            !live.error && <Skeleton className="h-24" />
          )}
        </div>
      )}
    </section>
  );
}

function Header({
  runId,
  run,
  isOpen,
  setIsOpen,
}: {
  runId: string;
  run: RunView['run'] | undefined;
  isOpen: boolean;
  setIsOpen: (open: boolean) => void;
}) {
  const { editor } = useEditorContext();
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1">
      <h2 className="font-semibold">Run of the draft</h2>
      <span role="status">{run && <RunStatusLabel status={run.status} />}</span>
      <Effects />
      <div className="flex-1" />
      <div className="flex items-center gap-x-3 max-sm:order-1 max-sm:ml-auto">
        <Controls runId={runId} run={run} />
      </div>
      <Link
        href={`/runs/${runId}`}
        target="_blank"
        className="inline-flex items-center gap-1 text-sm text-accent hover:underline max-sm:hidden"
      >
        Open run <ExternalLink aria-hidden className="size-3.5" />
      </Link>
      <div className="flex">
        <IconButton
          label={isOpen ? 'Collapse the run' : 'Expand the run'}
          size="sm"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown aria-hidden /> : <ChevronUp aria-hidden />}
        </IconButton>
        <IconButton label="Close the run" size="sm" onClick={() => editor.store.set({ draftRun: undefined })}>
          <X aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

/** The effects that are let through, visible during the run. */
function Effects() {
  const effects = useEditorState((state) => state.draftRun?.effects);
  if (!effects) return null;
  return (
    <span className="flex flex-wrap gap-1 max-sm:order-1">
      {effects.send_to === null ? (
        <Badge>Messages are not sent</Badge>
      ) : (
        <Badge tone="warning">Messages sent to {effects.send_to}</Badge>
      )}
      {effects.call_services && <Badge tone="warning">Requests sent</Badge>}
    </span>
  );
}

function Controls({ runId, run }: { runId: string; run: RunView['run'] | undefined }) {
  const context = useEditorContext();
  const { editor, actions } = context;
  const [busy, setBusy] = useState(false);
  const during = async (work: () => Promise<void>) => {
    setBusy(true);
    await work();
    setBusy(false);
  };
  const stop = async () => {
    const result = await actions.cancelRun({ id: runId });
    if (!result.ok) toast.error(result.error.message);
  };
  const runAgain = async () => {
    const { draftRun } = editor.state;
    if (draftRun) await startDraftRunOrSay(context, { ...draftRun.effects, event_id: draftRun.eventId });
  };
  if (run && isOpenRun(run.status))
    return (
      <Button size="sm" icon={<Square aria-hidden />} loading={busy} onClick={() => void during(stop)}>
        Stop
      </Button>
    );
  return (
    <>
      <Button size="sm" icon={<RotateCcw aria-hidden />} loading={busy} onClick={() => void during(runAgain)}>
        Run again
      </Button>
      <IconButton
        label="Change the event and what is sent"
        size="sm"
        onClick={() => editor.store.set({ dialog: 'run_draft' })}
      >
        <Settings2 aria-hidden />
      </IconButton>
    </>
  );
}

const BUSY_POLL_MS = 500;
const WAITING_POLL_MS = 2000;

/** Polls a run of the draft, and shows each task's status on its card. */
function useDraftRun(runId: string) {
  const editor = useEditor();
  const query = useQuery({
    queryKey: ['run', runId, 'draft'],
    queryFn: ({ signal }) => fetchJson<RunView>(`/runs/${runId}/live`, signal),
    refetchInterval: ({ state: { data } }) => {
      if (data && !isOpenRun(data.run.status)) return false;
      return data?.run.status === 'waiting' ? WAITING_POLL_MS : BUSY_POLL_MS;
    },
  });
  const { data } = query;
  useEffect(() => {
    const { draftRun } = editor.state;
    if (!data || draftRun?.runId !== runId) return;
    editor.store.set({ draftRun: { ...draftRun, statuses: toOverlay(data.tasks) } });
  }, [editor, runId, data]);
  return query;
}
