'use client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { EVENT_KIND_WORDS } from '#components/events/event-kind-words.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import type { ListenedEvent } from '#lib/editor/canvas/sample-types.ts';
import { EventVariables } from './event-variables.tsx';
import { fetchEvents, fetchSample } from '#components/task-panel/fetch-sample.ts';

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
