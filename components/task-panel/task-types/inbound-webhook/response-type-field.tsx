'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { fetchJson } from '#components/live/fetch-json.ts';
import { ChoiceField } from '#components/task-panel/choice-field.tsx';
import { usePanel } from '#components/task-panel/panel-context.tsx';
import type { SettingFieldProps } from '#components/task-panel/setting-field-props.ts';
import { Callout } from '#components/ui/callout.tsx';
import { formatDuration } from '#components/ui/format.ts';
import { listAnsweringTasks } from '#lib/workflows/graph-paths.ts';
import type { ReplyTimes as Times } from '#lib/workflows/reply-times.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';

/** The type of response; below it, for after-workflow responses, the waiting times. */
export function ResponseTypeField(props: SettingFieldProps) {
  const { type, settings } = usePanel().task;
  return (
    <div className="flex flex-col gap-2">
      <ChoiceField {...props} />
      {findTaskKind(type)?.answersAfterRun?.(settings) && <ReplyTimes />}
    </div>
  );
}

/** Expected waiting time of after-workflow callers, from the workflow's runs, and the task that sends the response. */
function ReplyTimes() {
  const editor = useEditor();
  const document = useEditorState((state) => state.history.present);
  const { data, isError } = useQuery({
    queryKey: ['reply-times', editor.workflowId],
    queryFn: ({ signal }) => fetchJson<Times>(`/workflows/${editor.workflowId}/reply-times`, signal),
    staleTime: 30_000,
  });
  const names = useMemo(() => {
    const answering = new Set(listAnsweringTasks(document));
    return document.tasks.filter(({ id }) => answering.has(id)).map(({ name }) => `“${name}”`);
  }, [document]);
  return (
    <div className="flex flex-col gap-2 text-sm text-muted">
      {names.length > 0 && (
        <p>The caller is answered when the run reaches {names.join(' or ')}, and does not wait with it.</p>
      )}
      {isError && <p>How long runs took could not be loaded.</p>}
      {data && <Measured times={data} />}
    </div>
  );
}

function Measured({ times: { runs, p50Ms, p95Ms, late, limitMs } }: { times: Times }) {
  const limit = formatDuration(limitMs);
  if (runs === 0)
    return (
      <p>
        Callers wait at most {limit}, then they get 202, and the run continues. There are no runs yet to say
        how long this workflow takes.
      </p>
    );
  return (
    <>
      <p>
        {runs === 1
          ? `The last run had its answer after ${formatDuration(p50Ms)}.`
          : `Of the last ${runs} runs, half had their answer within ${formatDuration(p50Ms)}, and 95 of 100 within ${formatDuration(p95Ms)}.`}{' '}
        Callers wait at most {limit}.
      </p>
      {(late > 0 || p95Ms > limitMs) && (
        <Callout tone="warning" title="Some callers get no answer in time">
          {late === 0
            ? `Runs take longer than the ${limit} that callers wait.`
            : `${late} of them got no answer within ${limit} and got 202 instead.`}{' '}
          Answer immediately, or add a Delay before the tasks that take long: the caller is answered there.
        </Callout>
      )}
    </>
  );
}
