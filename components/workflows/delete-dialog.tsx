'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LiveData } from '#components/shell/live-data.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';
import { type DeletionPreview, describeDeletion } from '#lib/workflows/trash/schema.ts';

interface DeleteDialogProps {
  row: WorkflowRow;
  preview: () => Promise<ActionResult<DeletionPreview>>;
  remove: (cancelsRuns: boolean) => void;
  close: () => void;
}

/** Shows the effects of deleting a workflow on its callers, customers and runs, and confirms. */
export function DeleteDialog(props: DeleteDialogProps) {
  // The list itself loads no data.
  return (
    <LiveData>
      <Question {...props} />
    </LiveData>
  );
}

function Question({ row, preview, remove, close }: DeleteDialogProps) {
  const [cancelsRuns, setCancelsRuns] = useState(false);
  const { data, isPending, error } = useQuery({
    queryKey: ['deletion', row.id],
    gcTime: 0,
    queryFn: preview,
  });
  const known = data?.ok ? data.data : undefined;
  const problem =
    data?.ok === false ? data.error.message : error && 'The server cannot be reached. Try again.';
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Delete workflow?"
      description={`“${row.name}” moves to the trash.`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="danger"
            disabled={!known}
            onClick={() => {
              remove(cancelsRuns);
              close();
            }}
          >
            Delete workflow
          </Button>
        </>
      }
    >
      <div aria-live="polite" className="flex min-h-24 flex-col gap-3">
        {isPending && <Spinner label="Counting its runs" />}
        {problem && <Callout tone="danger">{problem}</Callout>}
        {known && (
          <ul className="flex list-disc flex-col gap-1.5 pl-5">
            {describeDeletion(known, cancelsRuns).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        {known && known.runsInProgress > 0 && (
          <Checkbox
            label={known.runsInProgress === 1 ? 'Cancel the run in progress' : 'Cancel the runs in progress'}
            checked={cancelsRuns}
            onCheckedChange={(checked) => setCancelsRuns(checked)}
          />
        )}
      </div>
    </Dialog>
  );
}
