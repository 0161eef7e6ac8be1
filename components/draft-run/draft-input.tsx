'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { EVENT_KIND_WORDS } from '#components/events/event-kind-words.ts';
import { fetchEvents } from '#components/task-panel/fetch-sample.ts';
import { Field } from '#components/ui/field.tsx';
import { formatInstant } from '#components/ui/format-instant.ts';
import { SegmentedControl } from '#components/ui/segmented-control.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { Textarea } from '#components/ui/textarea.tsx';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';

const SOURCES = [
  { value: 'event', label: 'An event' },
  { value: 'sample', label: 'A sample I type' },
] as const;

type Source = (typeof SOURCES)[number]['value'];

/** Input of the draft run: the editor's event, another one, or typed JSON. */
export function useDraftInput() {
  const editor = useEditor();
  const sample = useEditorState((state) => state.sample);
  const { data, isPending } = useQuery({
    queryKey: ['listen', editor.workflowId],
    queryFn: ({ signal }) => fetchEvents(editor.workflowId, signal),
  });
  const events = (data?.events ?? []).filter(({ outcome }) => outcome !== 'rejected');
  const [source, setSource] = useState<Source>();
  const [eventId, setEventId] = useState<string>();
  const [text, setText] = useState(() => JSON.stringify(exampleBody(editor.document) ?? {}, null, 2));
  const listed = events.map(({ id, kind, receivedAt }) => ({ id, kind, receivedAt }));
  const options = (
    sample && !events.some(({ id }) => id === sample.eventId)
      ? [{ id: sample.eventId, kind: sample.kind, receivedAt: sample.receivedAt }, ...listed]
      : listed
  ).map(({ id, kind, receivedAt }) => ({
    value: id,
    label: `${EVENT_KIND_WORDS[kind]}, ${formatInstant(receivedAt)}`,
  }));
  const chosenEvent = eventId ?? sample?.eventId ?? options[0]?.value;
  const shown: Source = source ?? (options.length > 0 || isPending ? 'event' : 'sample');
  return {
    source: shown,
    setSource,
    options,
    isPending,
    eventId: chosenEvent,
    setEventId,
    text,
    setText,
    isReady: shown === 'sample' ? text.trim() !== '' : chosenEvent !== undefined,
    chosen: shown === 'sample' ? { sample_text: text } : { event_id: chosenEvent },
  };
}

export function DraftInput({
  input,
  error,
}: {
  input: ReturnType<typeof useDraftInput>;
  error: string | undefined;
}) {
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl
        label="Run with"
        className="self-start"
        options={SOURCES}
        value={input.source}
        onValueChange={input.setSource}
      />
      {input.source === 'sample' ? (
        <Field label="Sample" help="A JSON object. It is saved as a test event." error={error}>
          <Textarea code rows={8} value={input.text} onChange={({ target }) => input.setText(target.value)} />
        </Field>
      ) : input.isPending ? (
        <Skeleton className="h-9" />
      ) : input.options.length === 0 ? (
        <p className="text-sm text-muted">No events yet. Send one to the test URL, or type a sample.</p>
      ) : (
        <Field label="Event">
          <Select options={input.options} value={input.eventId} onValueChange={input.setEventId} />
        </Field>
      )}
    </div>
  );
}
