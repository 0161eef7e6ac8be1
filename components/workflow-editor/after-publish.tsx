'use client';
import { X } from 'lucide-react';
import Link from 'next/link';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { SandboxPhoneLink } from '#components/shell/sandbox-phone.tsx';
import { toCurl, useSampleBody } from '#components/task-panel/use-sample-body.ts';
import { buttonClass } from '#components/ui/button-class.ts';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { useHowToStart } from './use-how-to-start.ts';
import { SendSample } from './send-sample.tsx';

const MAX_CURL_CHARACTERS = 1500;

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
      {howToStart ? <ByMessage words={howToStart.words} active={active} /> : <ByRequest active={active} />}
      <div className="flex flex-wrap gap-2 border-t border-line pt-3">
        <Link href={`/runs?workflow=${editor.workflowId}`} className={buttonClass({ size: 'sm' })}>
          See its runs
        </Link>
        <Link href={`/events?workflow=${editor.workflowId}`} className={buttonClass({ size: 'sm' })}>
          See its events
        </Link>
        <SandboxPhoneLink className={buttonClass({ size: 'sm' })} />
      </div>
    </aside>
  );
}

function ByMessage({ words, active }: { words: string; active: boolean }) {
  return (
    <p className={active ? undefined : 'text-sm text-muted'}>
      {active
        ? words
        : 'The workflow is paused: messages are stored, and can be replayed when it is active again.'}
    </p>
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
          The workflow is paused: requests are stored, and can be replayed when it is active again.
        </p>
      )}
    </>
  );
}
