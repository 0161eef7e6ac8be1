'use client';
import { useEffect } from 'react';
import { announceLook } from '#components/shell/failing-badge.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

/** The user views the runs of a workflow: earlier failures are not new any more. */
export function MarkLooked({
  workflowId,
  look,
}: {
  workflowId: string;
  look: (input: { id: string }) => Promise<ActionResult<void>>;
}) {
  useEffect(() => {
    void look({ id: workflowId }).then(announceLook, () => undefined);
  }, [workflowId, look]);
  return null;
}
