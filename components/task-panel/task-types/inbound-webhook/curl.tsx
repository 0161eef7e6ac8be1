'use client';
import { useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { SegmentedControl } from '#components/ui/segmented-control.tsx';
import { toCurl, useSampleBody } from '#components/task-panel/use-sample-body.ts';

const MAX_CURL_CHARACTERS = 1500;

const CURL_URLS = [
  { value: 'test', label: 'Test URL' },
  { value: 'production', label: 'Production URL' },
] as const;

/** A curl command with the workflow's input: the sample's body, else an example. */
export function Curl() {
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
