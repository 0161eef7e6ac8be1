'use client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { EVENT_KIND_WORDS } from '#components/events/event-words.tsx';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import { fetchEvents, fetchSample } from '#components/task-panel/samples.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { type ListenedEvent, readSampleJson } from '#lib/editor/canvas/sample-scope.ts';
import { shortValue } from '#lib/editor/canvas/variable-tree.ts';
import { listVariables } from '#lib/variables/variable-names.ts';

const POLL_MS = 1500;
/** Outcomes caused by a mistake in the request or the trigger. */
const FAILED: ReadonlySet<string> = new Set(['rejected', 'response_failed']);

export interface ListenWords {
  title: string;
  empty: string;
}

/** Requests as they arrive; the first event becomes the sample. */
export function Listen({ words }: { words: ListenWords }) {
  const editor = useEditor();
  const [openId, setOpenId] = useState<string>();
  const seen = useRef<string>(undefined);
  const { data, isPending, isError } = useQuery({
    queryKey: ['listen', editor.workflowId],
    queryFn: ({ signal }) => fetchEvents(editor.workflowId, signal),
    refetchInterval: POLL_MS,
  });
  const newest = data?.events[0]?.id;
  useEffect(() => {
    if (newest === undefined || newest === seen.current) return;
    const isNew = seen.current !== undefined || !editor.state.sample;
    seen.current = newest;
    if (!isNew) return;
    setOpenId(newest);
    if (!editor.state.sample) void makeSample(editor, newest, true);
  }, [editor, newest]);
  return (
    <div>
      <h2 className="mb-1.5 flex items-center gap-2 text-sm font-medium">
        {words.title}
        <span className="inline-flex items-center gap-1.5 font-normal text-muted">
          <span aria-hidden className="size-2 animate-breathe rounded-full bg-success" />
          listening
        </span>
      </h2>
      {isPending && <Spinner />}
      {isError && <p className="text-sm text-danger">The events could not be loaded. Retrying.</p>}
      {data?.events.length === 0 && (
        <p className="rounded-md border border-dashed border-line-strong/60 px-3 py-4 text-center text-sm text-muted">
          {words.empty}
        </p>
      )}
      <ul aria-live="polite" aria-label={words.title} className="flex flex-col gap-1.5">
        {data?.events.map((event) => (
          <Request
            key={event.id}
            event={event}
            isOpen={openId === event.id}
            toggle={() => setOpenId(openId === event.id ? undefined : event.id)}
          />
        ))}
      </ul>
    </div>
  );
}

async function makeSample(
  editor: ReturnType<typeof useEditor>,
  eventId: string,
  isQuiet = false,
): Promise<void> {
  try {
    const sample = await fetchSample(editor.workflowId, eventId);
    editor.store.set({ sample, triedOutputs: {} });
    if (!isQuiet) toast.success('Variables now show the values of this event.');
  } catch (error) {
    if (!isQuiet) toast.error((error as Error).message);
  }
}

function Request({ event, isOpen, toggle }: { event: ListenedEvent; isOpen: boolean; toggle: () => void }) {
  const editor = useEditor();
  const isSample = useEditorState(({ sample }) => sample?.eventId === event.id);
  return (
    <li className="rounded-md border border-line" data-event-id={event.id}>
      <div className="flex items-center gap-2 py-1 pr-1 pl-2.5">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 text-left text-sm [&>*]:whitespace-nowrap"
        >
          <Badge tone={event.kind === 'test' ? 'info' : 'accent'}>{EVENT_KIND_WORDS[event.kind]}</Badge>
          <RelativeTime at={event.receivedAt} />
          {event.outcome === 'rejected' && <Badge tone="danger">rejected</Badge>}
          {event.outcome === 'not_active' && <Badge tone="warning">stored, not run</Badge>}
          {event.outcome === 'collected' && <Badge tone="neutral">joined a run</Badge>}
          {event.outcome === 'duplicate' && <Badge tone="neutral">duplicate</Badge>}
          {event.outcome === 'response_failed' && <Badge tone="danger">response failed</Badge>}
        </button>
        {isSample ? (
          <Badge tone="success">Sample</Badge>
        ) : (
          event.outcome !== 'rejected' && (
            <Button variant="ghost" size="sm" onClick={() => void makeSample(editor, event.id)}>
              Use as sample
            </Button>
          )
        )}
      </div>
      {isOpen && (
        <div className="border-t border-line p-2.5">
          {event.reason !== null && (
            <p className={`mb-1 text-sm ${FAILED.has(event.outcome) ? 'text-danger' : 'text-muted'}`}>
              {event.reason}
            </p>
          )}
          {event.outcome !== 'rejected' && <EventVariables eventId={event.id} />}
        </div>
      )}
    </li>
  );
}

const MAX_SHOWN = 200;

/** The variables of a request for later tasks. */
function EventVariables({ eventId }: { eventId: string }) {
  const editor = useEditor();
  const { task } = usePanel();
  const { data, error } = useQuery({
    queryKey: ['sample', editor.workflowId, eventId],
    queryFn: ({ signal }) => fetchSample(editor.workflowId, eventId, signal),
    staleTime: Infinity,
  });
  const variables = useMemo(() => {
    const body = readSampleJson(data?.bodyText);
    return body === undefined ? [] : listVariables(task.id, body, MAX_SHOWN + 1);
  }, [data, task.id]);
  if (error) return <p className="text-sm text-danger">{error.message}</p>;
  if (!data) return <Spinner />;
  if (variables.length === 0) return <p className="text-sm text-muted">The body has no fields.</p>;
  return (
    <dl
      className="flex max-h-64 flex-col gap-0.5 overflow-y-auto text-sm"
      tabIndex={0}
      aria-label="Variables"
    >
      {variables.slice(0, MAX_SHOWN).map(({ path, value }) => (
        <div key={path} className="flex justify-between gap-3">
          <dt className="max-w-[60%] shrink-0 truncate font-mono text-xs leading-5" title={`{{${path}}}`}>
            {path}
          </dt>
          <dd className="min-w-0 truncate text-muted">{shortValue(value) || 'empty'}</dd>
        </div>
      ))}
      {variables.length > MAX_SHOWN && <p className="text-muted">… and more</p>}
    </dl>
  );
}
