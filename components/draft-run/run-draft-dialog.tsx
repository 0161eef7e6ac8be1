'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEditor, useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { describeEvent, fetchEvents } from '#components/task-panel/samples.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input, Textarea } from '#components/ui/form/input.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useZone } from '#components/ui/relative-time.tsx';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import { startDraftRun } from './start-draft-run.ts';

/** Selects the input of the draft run, and the effects to let through. */
export function RunDraftDialog() {
  const context = useEditorContext();
  const { editor } = context;
  const last = useEditorState((state) => state.draftRun?.effects);
  const input = useDraftInput();
  const [sends, setSends] = useState(last !== undefined && last.send_to !== null);
  const [ownNumber, setOwnNumber] = useState(() => last?.send_to ?? readOwnNumber());
  const [callsServices, setCallsServices] = useState(last?.call_services ?? false);
  const [problem, setProblem] = useState<ActionError>();
  const [busy, setBusy] = useState(false);
  const close = () => editor.store.set({ dialog: null });
  const run = async () => {
    if (sends && ownNumber.trim() === '') {
      const missing = { path: 'send_to', message: 'Enter your number.' };
      return setProblem({ code: 'invalid_request', message: missing.message, problems: [missing] });
    }
    setBusy(true);
    if (sends) saveOwnNumber(ownNumber);
    const request = { ...input.chosen, send_to: sends ? ownNumber : null, call_services: callsServices };
    const refused = await startDraftRun(context, request);
    setBusy(false);
    setProblem(refused);
  };
  const problemAt = (path: string) => problem?.problems.find((each) => each.path === path)?.message;
  const inForm = problemAt('send_to') ?? problemAt('body');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="Run the draft"
      description="Runs the workflow as it is on the canvas, without publishing it."
      size="lg"
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" loading={busy} disabled={!input.isReady} onClick={() => void run()}>
            Run draft
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <DraftInput input={input} error={problemAt('body')} />
        <DraftEffects
          {...{ sends, setSends, ownNumber, setOwnNumber, callsServices, setCallsServices }}
          error={problemAt('send_to')}
        />
        {problem && inForm === undefined && (
          <Callout tone="danger" live>
            {problem.message}
          </Callout>
        )}
      </div>
    </Dialog>
  );
}

const KEY = 'patchbay.own-number';

/** The last number used in this browser. */
function readOwnNumber(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

function saveOwnNumber(number: string): void {
  try {
    localStorage.setItem(KEY, number);
  } catch {
    // Without storage, the browser asks again next time.
  }
}

export interface DraftEffectsProps {
  sends: boolean;
  setSends: (sends: boolean) => void;
  ownNumber: string;
  setOwnNumber: (number: string) => void;
  callsServices: boolean;
  setCallsServices: (calls: boolean) => void;
  error: string | undefined;
}

/** Side effects to let through in a run of the draft; none by default. */
const DraftEffects = ({ sends, setSends, callsServices, setCallsServices, ...props }: DraftEffectsProps) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-2 text-sm font-medium">What is sent</legend>
    <p className="text-sm text-muted">
      Messages, and requests that change something, are shown to you instead of being sent. Nothing is sent
      unless you choose it here. Requests that only read (GET) are made.
    </p>
    <Checkbox
      label="Send messages for real, to my own number"
      help="All messages of this run go to your number, whoever they are addressed to."
      checked={sends}
      onCheckedChange={setSends}
    />
    {sends && (
      <Field label="Your number" help="With its country code." error={props.error} required>
        <Input
          type="tel"
          autoComplete="tel"
          value={props.ownNumber}
          onChange={({ target }) => props.setOwnNumber(target.value)}
        />
      </Field>
    )}
    <Checkbox
      label="Send HTTP requests that change something (POST, PUT, PATCH, DELETE)"
      checked={callsServices}
      onCheckedChange={setCallsServices}
    />
  </fieldset>
);

const SOURCES = [
  { value: 'event', label: 'An event' },
  { value: 'sample', label: 'A sample I type' },
] as const;

type Source = (typeof SOURCES)[number]['value'];

/** Input of the draft run: the editor's event, another one, or typed JSON. */
function useDraftInput() {
  const editor = useEditor();
  const sample = useEditorState((state) => state.sample);
  const zone = useZone();
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
  ).map((event) => ({ value: event.id, label: describeEvent(event, zone) }));
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

function DraftInput({
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
