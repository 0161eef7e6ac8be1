'use client';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { ConfirmDialog, Dialog } from '#components/ui/overlay/dialog.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { findTask } from '#lib/editor/canvas/document.ts';
import type { CanvasProblem } from '#lib/editor/canvas/find-problems.ts';
import { diffGraphs } from '#lib/workflows/diff-graphs.ts';
import { describeCallingWorkflows } from '#lib/workflows/trash/schema.ts';
import { DiffList } from './diff-list.tsx';
import { LiveBadge } from './live-status.tsx';
import { useHowToStart } from './use-how-to-start.ts';
import { reloadFacts, useFreshFacts } from './use-platform-facts.ts';

/** The changes to publish, and the problems that prevent publishing. */
export function PublishDialog() {
  const { editor } = useEditorContext();
  const howToStart = useHowToStart();
  useFreshFacts();
  return (
    <Dialog
      open
      onOpenChange={() => editor.store.set({ dialog: null })}
      title="Publish"
      description={['Your customers get this version.', howToStart].filter(Boolean).join(' ')}
      footer={<PublishButton />}
    >
      <div className="flex flex-col gap-5">
        <div className="flex">
          <LiveBadge />
        </div>
        <Problems />
        <Unchecked />
        <Changes />
      </div>
    </Dialog>
  );
}

function PublishButton() {
  const { editor, actions, flush } = useEditorContext();
  const [busy, setBusy] = useState(false);
  const hasErrors = useEditorState((state) => state.problems.some(({ severity }) => severity === 'error'));
  const hasNothing = useEditorState(
    ({ live, changeCount }) => live.publishedGraph !== null && changeCount === 0,
  );
  const publish = async () => {
    setBusy(true);
    try {
      if (!(await flush())) return void toast.error('The draft could not be saved, so it was not published.');
      const input = { id: editor.workflowId, draft_revision: editor.state.revision };
      const result = await actions.publish(input);
      if (!result.ok) {
        await reloadFacts(editor, actions);
        const [problem] = result.error.problems;
        return void toast.error(result.error.message, problem ? { description: problem.message } : {});
      }
      editor.store.set({ live: result.data.live, dialog: null, isJustPublished: true });
      editor.closeTask();
      for (const warning of result.data.warnings) toast.error(warning);
    } catch {
      toast.error('The server cannot be reached. Try again in a moment.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="primary"
      loading={busy}
      disabled={hasErrors || hasNothing}
      onClick={() => void publish()}
    >
      {hasNothing ? 'Nothing to publish' : 'Publish workflow'}
    </Button>
  );
}

function Problems() {
  const problems = useEditorState((state) => state.problems);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  if (problems.length === 0) return <Callout tone="success">No problems found.</Callout>;
  return (
    <>
      {errors.length > 0 && (
        <section aria-label="Problems">
          <h3 className="mb-1 font-semibold">Fix before publishing</h3>
          <ProblemList problems={errors} />
        </section>
      )}
      {warnings.length > 0 && (
        <section aria-label="Warnings">
          <h3 className="mb-1 font-semibold">Check before publishing</h3>
          <ProblemList problems={warnings} />
        </section>
      )}
    </>
  );
}

/** Failed checks do not prevent publishing. */
function Unchecked() {
  const unchecked = useEditorState((state) => state.unchecked);
  if (unchecked.length === 0) return null;
  return (
    <Callout tone="warning" title="Not checked with the platform">
      {unchecked.map(({ name, reason }) => (
        <p key={name}>
          “{name}”: {reason.replace(/\.$/, '')}. You can publish anyway.
        </p>
      ))}
    </Callout>
  );
}

function ProblemList({ problems }: { problems: readonly CanvasProblem[] }) {
  const { editor } = useEditorContext();
  return (
    <ul className="flex flex-col">
      {problems.map(({ taskId, field, message, severity }, index) => {
        const task = taskId === undefined ? undefined : findTask(editor.document, taskId);
        const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
        return (
          <li key={index}>
            <button
              type="button"
              disabled={!task}
              onClick={() => {
                editor.store.set({ dialog: null });
                if (task) editor.openTask(task.id, field);
              }}
              className="flex w-full items-baseline gap-2 rounded-md px-2 py-1 text-left enabled:hover:bg-hover"
            >
              <Icon
                aria-hidden
                className={`size-4 shrink-0 translate-y-0.5 ${severity === 'error' ? 'text-danger' : 'text-warning'}`}
              />
              <span>
                {task && <strong className="font-medium">{task.name}: </strong>}
                {message}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Changes() {
  const document = useEditorState((state) => state.history.present);
  const published = useEditorState((state) => state.live.publishedGraph);
  const diff = useMemo(() => published && diffGraphs(document, published), [document, published]);
  if (!diff)
    return <p className="text-muted">This is the first version. Publishing also activates the workflow.</p>;
  return (
    <section aria-label="Changes since the published version">
      <h3 className="mb-1 font-semibold">Changes since the published version</h3>
      <DiffList diff={diff} none="The draft is the same as the published version." />
    </section>
  );
}

/** Confirms before the production URL stops accepting events. */
export function UnpublishDialog() {
  const { editor, actions } = useEditorContext();
  const calledBy = useEditorState((state) => state.live.calledBy);
  return (
    <ConfirmDialog
      open
      onOpenChange={() => editor.store.set({ dialog: null })}
      title="Unpublish this workflow?"
      description={[
        'Callers get 409 until you publish again. Events are saved and can be replayed. Runs in progress continue.',
        ...describeCallingWorkflows(calledBy),
      ].join(' ')}
      confirmLabel="Unpublish"
      danger
      onConfirm={async () => {
        const result = await actions.unpublish({ id: editor.workflowId });
        if (result.ok) editor.store.set({ live: result.data, isJustPublished: false });
        else toast.error(result.error.message);
      }}
    />
  );
}
