'use client';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { fetchEvents } from '#components/task-panel/fetch-sample.ts';
import { useSampleBody } from '#components/task-panel/use-sample-body.ts';
import { Button } from '#components/ui/button.tsx';
import { Spinner } from '#components/ui/spinner.tsx';

const POLL_MS = 700;

type Sent = { at: number; known: ReadonlySet<string>; status: number | 'redirect' } | { problem: string };

/** Sends the sample to the production URL, as any caller would, and shows the outcome. */
export function SendSample() {
  const editor = useEditor();
  const hasSample = useEditorState((state) => state.sample !== undefined);
  const body = useSampleBody(Infinity);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<Sent>();
  const send = async () => {
    setBusy(true);
    setSent(undefined);
    setSent(await post(editor.workflowId, editor.urls.production, body));
    setBusy(false);
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" size="sm" loading={busy} onClick={() => void send()}>
          {hasSample ? 'Send the sample now' : 'Send an example now'}
        </Button>
        <p className="min-w-0 flex-1 basis-48 text-sm text-muted">
          This runs the workflow and sends real requests and messages.
        </p>
      </div>
      {sent && (
        <div role="status" className="text-sm">
          {'problem' in sent ? <p className="text-danger">{sent.problem}</p> : <Outcome {...sent} />}
        </div>
      )}
    </div>
  );
}

/** The caller's response, and the run that the request started. */
function Outcome({ at, known, status }: Exclude<Sent, { problem: string }>) {
  const editor = useEditor();
  const { data } = useQuery({
    queryKey: ['sent-sample', editor.workflowId, at],
    queryFn: async ({ signal }) => {
      const { events } = await fetchEvents(editor.workflowId, signal);
      return events.find(({ id, kind }) => kind === 'production' && !known.has(id)) ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : POLL_MS),
  });
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {status === 'redirect' ? 'The caller was redirected.' : `The caller got status ${status}.`}
      {!data && (
        <span className="flex items-center gap-1.5 text-muted">
          <Spinner label={null} /> Waiting for the run
        </span>
      )}
      {data?.runId != null && (
        <Link href={`/runs/${data.runId}`} className="font-medium text-accent underline">
          Open the run
        </Link>
      )}
      {data?.runId === null && (
        <Link href={`/events/${data.id}`} className="font-medium text-accent underline">
          Open the event
        </Link>
      )}
    </p>
  );
}

async function post(workflowId: string, url: string, body: string): Promise<Sent> {
  try {
    const { events } = await fetchEvents(workflowId);
    // To this page's own origin: the public URL may be for other networks only.
    const answer = await fetch(new URL(url).pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      credentials: 'omit',
      redirect: 'manual',
    });
    const status = answer.type === 'opaqueredirect' ? 'redirect' : answer.status;
    return { at: Date.now(), known: new Set(events.map(({ id }) => id)), status };
  } catch {
    return { problem: 'The server cannot be reached. Try again in a moment.' };
  }
}
