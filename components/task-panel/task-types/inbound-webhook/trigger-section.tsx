'use client';
import { useMemo, useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { HelpLink } from '#components/help/help-link.tsx';
import { Listen, type ListenWords } from '#components/task-panel/listen.tsx';
import { toCurl, useSampleBody } from '#components/task-panel/samples.tsx';
import { CodeBlock, CopyButton } from '#components/ui/code-block.tsx';
import { SegmentedControl } from '#components/ui/form/segmented-control.tsx';
import { PayloadDrift } from '#components/workflows/payload-drift.tsx';
import { findTrigger } from '#lib/editor/canvas/document.ts';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';
import { formPage } from '#lib/editor/canvas/form-page.ts';

const LISTEN_WORDS: ListenWords = {
  title: 'Requests',
  empty: 'No requests yet. Send a request to the test URL: it appears here right away.',
};

/** The URLs that start the workflow, ways to call them, and the requests that arrive. */
export function TriggerSection() {
  const editor = useEditor();
  return (
    <section aria-label="Start" className="flex flex-col gap-4">
      <Urls />
      <PayloadDrift workflowId={editor.workflowId} />
      {editor.canEdit && (
        <>
          <Curl />
          <FormPage />
          <Listen words={LISTEN_WORDS} />
        </>
      )}
    </section>
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

const MAX_CURL_CHARACTERS = 1500;

const CURL_URLS = [
  { value: 'test', label: 'Test URL' },
  { value: 'production', label: 'Production URL' },
] as const;

/** A curl command with the workflow's input: the sample's body, else an example. */
function Curl() {
  const editor = useEditor();
  const body = useSampleBody(MAX_CURL_CHARACTERS);
  const isLive = useEditorState(({ live }) => live.publishedVersion !== null && live.active);
  const [chosen, setChosen] = useState<'test' | 'production'>();
  const url = chosen ?? (isLive ? 'production' : 'test');
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">Send a request from a terminal</summary>
      <div className="mt-2 flex flex-col items-start gap-2">
        <SegmentedControl label="Send to" options={CURL_URLS} value={url} onValueChange={setChosen} />
        <div className="w-full">
          <CodeBlock
            label="curl command"
            code={toCurl(editor.urls[url], body)}
            wrap
            maxHeightClass="max-h-60"
          />
        </div>
        {url === 'production' && !isLive && (
          <p className="text-sm text-muted">
            Publish first. Until then the production URL stores events but runs nothing.
          </p>
        )}
      </div>
    </details>
  );
}

/** A form with the workflow's input fields, for the user's own website. */
function FormPage() {
  const editor = useEditor();
  const document = useEditorState((state) => state.history.present);
  const html = useMemo(() => {
    const body = exampleBody(document);
    const { response_type: type, redirect_url: redirectUrl } = findTrigger(document)?.settings ?? {};
    const isRedirect = type === 'redirect' && typeof redirectUrl === 'string';
    return (
      body && formPage({ url: editor.urls.production, body, redirectUrl: isRedirect ? redirectUrl : '' })
    );
  }, [document, editor.urls.production]);
  if (!html) return null;
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">Send a form from a website</summary>
      <div className="mt-2 flex flex-col gap-2">
        <p className="text-sm text-muted">
          A plain HTML form does not send JSON. Paste this into your page: its script sends the fields as JSON
          and then opens the redirect URL, if the trigger has one. Anyone who visits the page can see the
          production URL.
        </p>
        <CodeBlock label="form" code={html} wrap maxHeightClass="max-h-60" />
      </div>
    </details>
  );
}
