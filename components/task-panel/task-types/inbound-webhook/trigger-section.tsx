'use client';
import { HelpLink } from '#components/help/help-link.tsx';
import { useState } from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { SegmentedControl } from '#components/ui/segmented-control.tsx';
import { PayloadDrift } from '#components/workflows/payload-drift.tsx';
import { Curl } from './curl.tsx';
import { FormPage } from './form-page.tsx';
import { Listen, type ListenWords } from './listen.tsx';
import { MessageTrigger } from './message-trigger.tsx';
import { useMessageSources } from './use-message-sources.ts';

const STARTS = [
  { value: 'request', label: 'When a request arrives' },
  { value: 'message', label: 'When a message arrives' },
] as const;
type Start = (typeof STARTS)[number]['value'];

const LISTEN_WORDS: Record<Start, ListenWords> = {
  request: {
    title: 'Requests',
    empty: 'No requests yet. Send a request to the test URL: it appears here right away.',
  },
  message: {
    title: 'Messages',
    empty:
      'No messages yet. Start on messages, then write to the number from a phone: the message appears here right away. Until the workflow is published, it runs nothing.',
  },
};

/** What starts the workflow, and what arrives while one looks. */
export function TriggerSection() {
  const editor = useEditor();
  const sources = useMessageSources();
  const [chosen, setChosen] = useState<Start>();
  // As it is when the panel opens; it stays when the messages are stopped.
  if (chosen === undefined && sources)
    setChosen(sources.some(({ filter }) => filter !== null) ? 'message' : 'request');
  const start = chosen ?? 'request';
  return (
    <section aria-label="Start" className="flex flex-col gap-4">
      <SegmentedControl
        label="What starts the workflow"
        options={STARTS}
        value={start}
        onValueChange={setChosen}
        className="max-w-full flex-wrap self-start"
      />
      {start === 'request' ? (
        <Urls />
      ) : (
        <>
          <MessageTrigger />
          <p>
            <HelpLink page="conversations">Conversations: ask and wait</HelpLink>
          </p>
          {editor.canEdit && <Dashboard />}
        </>
      )}
      <PayloadDrift workflowId={editor.workflowId} />
      {editor.canEdit && (
        <>
          {start === 'request' && (
            <>
              <Curl />
              <FormPage />
            </>
          )}
          <Listen words={LISTEN_WORDS[start]} />
        </>
      )}
    </section>
  );
}

/** What goes into the platform's dashboard where no connection is to be subscribed. */
function Dashboard() {
  const { production, verifyToken } = useEditor().urls;
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">Use the platform’s dashboard instead</summary>
      <div className="mt-2 flex flex-col gap-2">
        <p className="text-sm text-muted">
          Enter these as callback URL and verify token. Each notification runs the workflow with the same
          fields, whatever is selected above.
        </p>
        <CodeBlock label="callback URL" code={production} wrap />
        <CodeBlock label="verify token" code={verifyToken} wrap />
      </div>
    </details>
  );
}

/** Both URLs of the trigger. */
function Urls() {
  const { production, test } = useEditor().urls;
  return (
    <section aria-label="URLs" className="flex flex-col gap-4">
      <Url
        label="Production URL"
        help="Runs the workflow while it is published and active."
        url={production}
      />
      <Url label="Test URL" help="For testing: shows the request and runs nothing." url={test} />
      <p>
        <HelpLink page="webhooks">Receive webhooks safely</HelpLink>
      </p>
    </section>
  );
}

function Url({ label, help, url }: { label: string; help: string; url: string }) {
  const { canEdit } = useEditor();
  return (
    <div>
      <p className="text-sm font-medium">{label}</p>
      <div className="mt-1 flex min-h-9 items-center gap-1 rounded-md border border-line bg-canvas pl-3">
        <code className="min-w-0 flex-1 truncate font-mono text-sm" title={url}>
          {url}
        </code>
        {canEdit && <CopyButton text={url} label={`Copy ${label}`} iconOnly />}
      </div>
      <p className="mt-1 text-sm text-muted">{help}</p>
    </div>
  );
}
