'use client';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { fetchEvents, toCurl, useSampleBody } from '#components/task-panel/samples.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock, CopyButton } from '#components/ui/code-block.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import { useHowToStart } from './use-how-to-start.ts';

const MAX_CURL_CHARACTERS = 1500;

const PAUSED =
  'The workflow is paused: what starts it is stored, and runs or can be replayed when it is active again.';

/** Next steps after publishing: start the workflow, and see the result. */
export function AfterPublish() {
  const editor = useEditor();
  const { publishedVersion, active } = useEditorState((state) => state.live);
  const howToStart = useHowToStart();
  return (
    <aside
      aria-label="After publishing"
      className="absolute inset-x-3 bottom-3 z-10 mx-auto flex max-h-[calc(100%-1.5rem)] max-w-xl animate-rise flex-col gap-3 overflow-y-auto rounded-lg border border-line bg-surface p-4 shadow-overlay sm:bottom-6"
    >
      <div className="flex items-start justify-between">
        <h2 className="font-semibold">Published. Try version {publishedVersion} now</h2>
        <IconButton
          label="Close"
          size="sm"
          className="-mt-1 -mr-2"
          onClick={() => editor.store.set({ isJustPublished: false })}
        >
          <X aria-hidden />
        </IconButton>
      </div>
      {howToStart === undefined ? (
        <ByRequest active={active} />
      ) : (
        <p className={active ? undefined : 'text-sm text-muted'}>{active ? howToStart : PAUSED}</p>
      )}
      <div className="flex flex-wrap gap-2 border-t border-line pt-3">
        <Link href={`/runs?workflow=${editor.workflowId}`} className={buttonClass({ size: 'sm' })}>
          See its runs
        </Link>
        <Link href={`/events?workflow=${editor.workflowId}`} className={buttonClass({ size: 'sm' })}>
          See its events
        </Link>
        <Link href={`/workflows/${editor.workflowId}/lists`} className={buttonClass({ size: 'sm' })}>
          Send to a list
        </Link>
        <SandboxPhoneLink className={buttonClass({ size: 'sm' })} />
      </div>
    </aside>
  );
}

function ByRequest({ active }: { active: boolean }) {
  const editor = useEditor();
  const curl = toCurl(editor.urls.production, useSampleBody(MAX_CURL_CHARACTERS));
  return (
    <>
      <div>
        <p className="text-sm font-medium">Production URL</p>
        <div className="mt-1 flex min-h-9 items-center gap-1 rounded-md border border-line bg-canvas pl-3">
          <code className="min-w-0 flex-1 truncate font-mono text-sm" title={editor.urls.production}>
            {editor.urls.production}
          </code>
          <CopyButton text={editor.urls.production} label="Copy Production URL" iconOnly />
        </div>
      </div>
      <details>
        <summary className="cursor-pointer text-sm font-medium">Send a request from a terminal</summary>
        <div className="mt-2">
          <CodeBlock label="curl command" code={curl} wrap maxHeightClass="max-h-40" />
        </div>
      </details>
      {active ? (
        <SendSample />
      ) : (
        <p className="text-sm text-muted">
          The workflow is paused: requests are stored, and run or can be replayed when it is active again.
        </p>
      )}
    </>
  );
}

const POLL_MS = 700;

type Sent = { at: number; known: ReadonlySet<string>; status: number | 'redirect' } | { problem: string };

/** Sends the sample to the production URL, as any caller would, and shows the outcome. */
function SendSample() {
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
