'use client';
import { useState, useTransition } from 'react';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { describeCallingWorkflows } from '#lib/workflows/trash/schema.ts';
import { FormDialog } from '#components/ui/form/form-dialog.tsx';

interface PauseDialogProps {
  name: string;
  /** Names of the workflows that call it. */
  calledBy?: readonly string[];
  /** @returns why it could not be paused */
  pause: (hold: boolean) => Promise<string | undefined>;
  close: () => void;
}

/** Asks whether webhooks are refused or held while a workflow is paused. */
export function PauseDialog({ name, calledBy = [], pause, close }: PauseDialogProps) {
  const [hold, setHold] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = () =>
    startTransition(async () => {
      const refusal = await pause(hold);
      if (refusal === undefined) close();
      else setProblem(refusal);
    });
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && close()}
      title="Pause workflow?"
      description={`Runs of “${name}” in progress continue. No new ones begin.`}
      submitLabel="Pause workflow"
      busy={busy}
      problem={problem}
      onSubmit={submit}
    >
      <Checkbox
        label="Hold webhooks, and run them in order afterwards"
        checked={hold}
        onCheckedChange={(checked) => setHold(checked)}
      />
      <p className="text-sm text-muted">
        {hold
          ? 'Callers get their usual response. Their runs wait, and begin in the order of their arrival when you resume the workflow.'
          : 'Callers get 409. Their events are saved, and you can replay them later.'}
      </p>
      {!hold &&
        describeCallingWorkflows(calledBy).map((text) => (
          <p key={text} className="text-sm text-muted">
            {text}
          </p>
        ))}
    </FormDialog>
  );
}
