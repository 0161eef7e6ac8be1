'use client';
import { HelpLink } from '#components/help/help-link.tsx';
import { useEditor } from '#components/editor/editor-context.tsx';
import type { SettingFields } from '#components/task-panel/task-types/task-look.ts';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { PayloadDrift } from '#components/workflows/payload-drift.tsx';
import { Listen, type ListenWords } from './listen.tsx';
import { MessageTrigger } from './message-trigger.tsx';
import { START_FIELDS, useStart } from './start-fields.ts';

/** Workflows started by messages have no caller to respond to. */
const RESPONSE_FIELDS = ['response_type', 'response_body', 'response_format', 'redirect_url'];

const LISTEN_WORDS: ListenWords = {
  title: 'Messages',
  empty:
    'No messages yet. Write to the number from a phone: the message appears here right away. Until the workflow is published, it runs nothing.',
};

/** Responses and callers, or the messages that start the workflow. */
export function TriggerForm({ Fields }: { Fields: SettingFields }) {
  const editor = useEditor();
  const { start } = useStart();
  if (start === 'request') return <Fields hidden={START_FIELDS} />;
  return (
    <>
      <MessageTrigger Fields={Fields} />
      <p>
        <HelpLink page="conversations">Conversations: ask and wait</HelpLink>
      </p>
      {editor.canEdit && <Dashboard />}
      <PayloadDrift workflowId={editor.workflowId} />
      {editor.canEdit && <Listen words={LISTEN_WORDS} />}
      <Fields hidden={[...START_FIELDS, ...RESPONSE_FIELDS]} />
    </>
  );
}

/** Values for the platform's dashboard, where no connection can be subscribed. */
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
