'use client';
import { useMemo, useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { SegmentedControl } from '#components/ui/segmented-control.tsx';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';

const EXAMPLE_BODY = '{"order_id": 1042, "status": "paid", "phone": "491700000000"}';
const MAX_CURL_CHARACTERS = 1500;

const CURL_URLS = [
  { value: 'test', label: 'Test URL' },
  { value: 'production', label: 'Production URL' },
] as const;

/** A call with what the workflow reads in it: the sample's body, else one made from its variables. */
export function Curl() {
  const editor = useEditor();
  const sample = useEditorState((state) => state.sample);
  const document = useEditorState((state) => state.history.present);
  const isLive = useEditorState(({ live }) => live.publishedVersion !== null && live.active);
  const [chosen, setChosen] = useState<'test' | 'production'>();
  const url = chosen ?? (isLive ? 'production' : 'test');
  const example = useMemo(() => {
    const body = exampleBody(document);
    return body ? JSON.stringify(body, null, 2) : EXAMPLE_BODY;
  }, [document]);
  const body = sample && sample.bodyText.length < MAX_CURL_CHARACTERS ? sample.bodyText : example;
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

const toCurl = (url: string, body: string): string =>
  `curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`;
