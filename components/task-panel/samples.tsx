'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ListenAnswer } from '#components/editor/editor-actions.ts';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { EVENT_KIND_WORDS } from '#components/events/event-words.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { formatInstant } from '#components/ui/format.ts';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { RelativeTime, useZone } from '#components/ui/relative-time.tsx';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';
import type { Sample } from '#lib/editor/canvas/sample-scope.ts';
import type { EventKind } from '#lib/engine/event-types.ts';

const EXAMPLE_BODY = '{"order_id": 1042, "status": "paid", "phone": "491700000000"}';

/** An example body: the sample's, else one from the variables that the workflow reads. */
export function useSampleBody(maxCharacters: number): string {
  const sample = useEditorState((state) => state.sample);
  const document = useEditorState((state) => state.history.present);
  const example = useMemo(() => {
    const body = exampleBody(document);
    return body ? JSON.stringify(body, null, 2) : EXAMPLE_BODY;
  }, [document]);
  return sample && sample.bodyText.length <= maxCharacters ? sample.bodyText : example;
}

/** A curl command for a webhook. */
export const toCurl = (url: string, body: string): string =>
  `curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`;

/** The newest events of a workflow. */
export const fetchEvents = (workflowId: string, signal?: AbortSignal): Promise<ListenAnswer> =>
  fetchJson(`/workflows/${workflowId}/events`, signal);

/** One event as a sample. @throws Error with the reason when it is none */
export const fetchSample = (workflowId: string, eventId: string, signal?: AbortSignal): Promise<Sample> =>
  fetchJson(`/workflows/${workflowId}/sample?event=${encodeURIComponent(eventId)}`, signal);

/** Shows the sample event, and selects another one. */
export function SampleLine() {
  const editor = useEditor();
  const sample = useEditorState((state) => state.sample);
  const zone = useZone();
  const { data } = useQuery({
    queryKey: ['listen', editor.workflowId],
    queryFn: ({ signal }) => fetchEvents(editor.workflowId, signal),
    enabled: editor.canEdit,
  });
  const events = data?.events.filter(({ outcome }) => outcome !== 'rejected') ?? [];
  if (!sample && events.length === 0)
    return <span>No events yet. Send one to the test URL to see its values here.</span>;
  return (
    <label className="flex items-center gap-2">
      <span className="shrink-0">Values from</span>
      <select
        aria-label="Sample event"
        className="h-7 min-w-0 flex-1 rounded-md border border-line bg-raised px-1 text-ink"
        value={sample?.eventId ?? ''}
        onChange={(event) => {
          void fetchSample(editor.workflowId, event.target.value).then(
            (chosen) => editor.store.set({ sample: chosen, triedOutputs: {} }),
            (error: Error) => toast.error(error.message),
          );
        }}
      >
        {sample && !events.some(({ id }) => id === sample.eventId) && (
          <option value={sample.eventId}>{describeEvent(sample, zone)}</option>
        )}
        {!sample && <option value="">Select an event</option>}
        {events.map((event) => (
          <option key={event.id} value={event.id}>
            {describeEvent(event, zone)}
          </option>
        ))}
      </select>
      {sample && <RelativeTime at={sample.receivedAt} />}
    </label>
  );
}

/** An event in a list to choose from: its kind, and when it was received. */
export const describeEvent = (
  { kind, receivedAt }: { kind: EventKind; receivedAt: string },
  zone: string,
): string => `${EVENT_KIND_WORDS[kind]}, ${formatInstant(receivedAt, zone)}`;
