'use client';
import { HelpLink } from '#components/help/help-link.tsx';
import { useEditor } from '#components/editor/editor-context.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { SegmentedControl } from '#components/ui/segmented-control.tsx';
import { PayloadDrift } from '#components/workflows/payload-drift.tsx';
import { Curl } from './curl.tsx';
import { FormPage } from './form-page.tsx';
import { Listen, type ListenWords } from './listen.tsx';
import { useStart } from './start-fields.ts';

const STARTS = [
  { value: 'request', label: 'When a request arrives' },
  { value: 'messages', label: 'When a message arrives' },
] as const;

const LISTEN_WORDS: ListenWords = {
  title: 'Requests',
  empty: 'No requests yet. Send a request to the test URL: it appears here right away.',
};

/** What starts the workflow: requests, with their URLs, or messages, with the form below. */
export function TriggerSection() {
  const editor = useEditor();
  const { start, setStart } = useStart();
  return (
    <section aria-label="Start" className="flex flex-col gap-4">
      {editor.canEdit && (
        <div data-field="settings.starts_on">
          <SegmentedControl
            label="What starts the workflow"
            options={STARTS}
            value={start}
            onValueChange={setStart}
            className="max-w-full flex-wrap self-start"
          />
        </div>
      )}
      {start === 'request' && (
        <>
          <Urls />
          <PayloadDrift workflowId={editor.workflowId} />
          {editor.canEdit && (
            <>
              <Curl />
              <FormPage />
              <Listen words={LISTEN_WORDS} />
            </>
          )}
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
