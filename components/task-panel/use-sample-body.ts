import { useMemo } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { exampleBody } from '#lib/editor/canvas/example-body.ts';

const EXAMPLE_BODY = '{"order_id": 1042, "status": "paid", "phone": "491700000000"}';

/** An example body: the sample's, else one from the variables that the workflow reads. */
export function useSampleBody(maxCharacters: number): string {
  const sample = useEditorState((state) => state.sample);
  const document = useEditorState((state) => state.history.present);
  const example = useMemo(() => {
    const body = exampleBody(document);
    return body ? JSON.stringify(body, null, 2) : EXAMPLE_BODY;
  }, [document]);
  return sample && sample.bodyText.length <= maxCharacters ? sample.bodyText : example;
}

/** A curl command for a webhook. */
export const toCurl = (url: string, body: string): string =>
  `curl -X POST '${url}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`;
