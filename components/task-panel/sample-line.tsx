'use client';
import { useQuery } from '@tanstack/react-query';
import { formatInstant } from '#components/ui/format-instant.ts';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { EVENT_KIND_WORDS } from '#components/events/event-kind-words.ts';
import type { EventKind } from '#lib/engine/event-types.ts';
import { fetchEvents, fetchSample } from './fetch-sample.ts';

/** Shows the sample event, and selects another one. */
export function SampleLine() {
  const editor = useEditor();
  const sample = useEditorState((state) => state.sample);
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
          <option value={sample.eventId}>{describe(sample.kind, sample.receivedAt)}</option>
        )}
        {!sample && <option value="">Select an event</option>}
        {events.map((event) => (
          <option key={event.id} value={event.id}>
            {describe(event.kind, event.receivedAt)}
          </option>
        ))}
      </select>
      {sample && <RelativeTime at={sample.receivedAt} />}
    </label>
  );
}

const describe = (kind: EventKind, at: string): string => `${EVENT_KIND_WORDS[kind]}, ${formatInstant(at)}`;
