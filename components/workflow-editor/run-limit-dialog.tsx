'use client';
import { useState, useTransition } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';

/** Limits how many runs of the workflow are executed at once. It counts at once, without publishing. */
export function RunLimitDialog() {
  const { editor, actions } = useEditorContext();
  const limit = useEditorState((state) => state.live.maxConcurrentRuns);
  const [text, setText] = useState(limit === null ? '' : String(limit));
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const close = () => editor.store.set({ dialog: null });
  const submit = () =>
    startTransition(async () => {
      const max_concurrent_runs = text.trim() === '' ? null : Number(text);
      const saved = await actions.limitRuns({ id: editor.workflowId, max_concurrent_runs });
      if (!saved.ok) return setProblem(saved.error.problems[0]?.message ?? saved.error.message);
      editor.store.set({ live: saved.data });
      toast.success(
        max_concurrent_runs === null
          ? 'Runs are not limited'
          : `Runs at once: at most ${max_concurrent_runs}`,
      );
      close();
    });
  return (
    <FormDialog
      open
      noValidate
      onOpenChange={(open) => !open && close()}
      title="Limit runs"
      description="Further runs wait in the order of their arrival. A run that waits, for an answer or a delay, counts. The limit applies at once, to runs that arrive from now on."
      submitLabel="Save limit"
      busy={busy}
      onSubmit={submit}
    >
      <Field label="Runs at once" help="Empty: no limit." error={problem}>
        <Input
          inputMode="numeric"
          value={text}
          maxLength={4}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
      </Field>
    </FormDialog>
  );
}
