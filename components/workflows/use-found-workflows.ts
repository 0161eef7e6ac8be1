import { useEffect, useState } from 'react';
import type { FoundWorkflow } from '#lib/workflows/row-schema.ts';
import type { WorkflowActions } from './workflow-actions-types.ts';

const PAUSE_MS = 200;
const NOTHING: ReadonlyMap<string, FoundWorkflow> = new Map();

/** What the server finds for a search in tasks and URLs, by workflow; nothing while it is asked for the first time. */
export function useFoundWorkflows(
  search: string,
  ask: WorkflowActions['search'],
): ReadonlyMap<string, FoundWorkflow> {
  const [found, setFound] = useState({ text: '', workflows: NOTHING });
  const text = search.trim();
  useEffect(() => {
    if (text.length < 2) return;
    let isWanted = true;
    const timer = setTimeout(() => {
      // Without an answer the names are searched all the same.
      ask({ text }).then(
        (answer) => {
          if (!isWanted || !answer.ok) return;
          setFound({ text, workflows: new Map(answer.data.map((each) => [each.id, each])) });
        },
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, ask]);
  return found.text === text ? found.workflows : NOTHING;
}
