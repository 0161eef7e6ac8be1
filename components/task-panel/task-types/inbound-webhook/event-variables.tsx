'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { shortValue } from '#lib/editor/canvas/short-value.ts';
import { readSampleJson } from '#lib/editor/canvas/sample-scope.ts';
import { listVariables } from '#lib/variables/variable-names.ts';
import { fetchSample } from '#components/task-panel/fetch-sample.ts';
import { usePanel } from '#components/task-panel/panel-context.tsx';

const MAX_SHOWN = 200;

/** The variables of a request for later tasks. */
export function EventVariables({ eventId }: { eventId: string }) {
  const editor = useEditor();
  const { task } = usePanel();
  const { data, error } = useQuery({
    queryKey: ['sample', editor.workflowId, eventId],
    queryFn: ({ signal }) => fetchSample(editor.workflowId, eventId, signal),
    staleTime: Infinity,
  });
  const variables = useMemo(() => {
    const body = readSampleJson(data?.bodyText);
    return body === undefined ? [] : listVariables(task.id, body, MAX_SHOWN + 1);
  }, [data, task.id]);
  if (error) return <p className="text-sm text-danger">{error.message}</p>;
  if (!data) return <Spinner />;
  if (variables.length === 0) return <p className="text-sm text-muted">The body has no fields.</p>;
  return (
    <dl
      className="flex max-h-64 flex-col gap-0.5 overflow-y-auto text-sm"
      tabIndex={0}
      aria-label="Variables"
    >
      {variables.slice(0, MAX_SHOWN).map(({ path, value }) => (
        <div key={path} className="flex justify-between gap-3">
          <dt className="max-w-[60%] shrink-0 truncate font-mono text-xs leading-5" title={`{{${path}}}`}>
            {path}
          </dt>
          <dd className="min-w-0 truncate text-muted">{shortValue(value) || 'empty'}</dd>
        </div>
      ))}
      {variables.length > MAX_SHOWN && <p className="text-muted">… and more</p>}
    </dl>
  );
}
