'use client';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { TextWithInstants } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { findExit } from '#lib/tasks/exits.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { TryResult } from '#lib/editor/canvas/sample-scope.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { usePanel } from './panel-context.tsx';
import { SampleLine } from './samples.tsx';

/** Executes this task alone with the sample and shows its output. */
export function TrySection() {
  const { editor, actions, flush } = useEditorContext();
  const { task } = usePanel();
  const sample = useEditorState((state) => state.sample);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<TryResult>();
  const [question, setQuestion] = useState<string>();
  const run = async (confirmed: boolean) => {
    setBusy(true);
    try {
      if (!(await flush()))
        return void toast.error('The draft could not be saved, so the task was not tested.');
      const answer = await actions.tryTask({
        id: editor.workflowId,
        task_id: task.id,
        event_id: sample?.eventId,
        tried: { ...editor.state.triedOutputs },
        confirmed,
      });
      if (!answer.ok) return setResult({ kind: 'failed', ...answer.error, detailsText: undefined });
      if (answer.data.kind === 'asks') return setQuestion(answer.data.question);
      setResult(answer.data);
      if (answer.data.kind === 'succeeded') {
        const triedOutputs = { ...editor.state.triedOutputs, [task.id]: answer.data.outputText };
        editor.store.set({ triedOutputs });
      }
    } catch {
      toast.error('The server cannot be reached. Try again in a moment.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-label="Test this task" className="flex flex-col gap-2.5">
      <h2 className="font-semibold">Test this task</h2>
      <p className="text-sm text-muted">
        Runs only this task. Its output then appears in the variables of later tasks, until you select another
        sample event.
      </p>
      <div className="text-sm text-muted">
        <SampleLine />
      </div>
      <Button
        size="sm"
        loading={busy}
        icon={<FlaskConical aria-hidden />}
        className="self-start"
        onClick={() => void run(false)}
      >
        Test this task
      </Button>
      {result && <Outcome task={task} result={result} />}
      <ConfirmDialog
        open={question !== undefined}
        onOpenChange={(open) => !open && setQuestion(undefined)}
        title={`Run "${task.name}" for real?`}
        description={question}
        confirmLabel="Run it"
        onConfirm={() => run(true)}
      />
    </section>
  );
}

function Outcome({ task, result }: { task: WorkflowTask; result: TryResult }) {
  if (result.kind === 'asks') return null;
  if (result.kind === 'failed') {
    return (
      <Callout tone="danger" live title="It failed">
        <TextWithInstants text={result.message} />
        {result.detailsText !== undefined && (
          <CodeBlock label="details" code={pretty(result.detailsText)} wrap maxHeightClass="max-h-40" />
        )}
      </Callout>
    );
  }
  return (
    <Callout tone="success" live title={result.runText}>
      {result.branch !== undefined && (
        <p className="mb-1">Branch: "{findExit(task, result.branch).label}".</p>
      )}
      <CodeBlock
        label="output"
        code={pretty(withoutSecretIds(result.outputText))}
        wrap
        maxHeightClass="max-h-60"
      />
    </Callout>
  );
}

/** Only where parsing and formatting changes no digit. */
function pretty(text: string): string {
  try {
    const value = JSON.parse(text) as unknown;
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
