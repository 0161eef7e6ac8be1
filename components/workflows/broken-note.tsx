import { CircleAlert } from 'lucide-react';
import Link from 'next/link';
import type { BrokenWorkflow } from '#lib/workflows/row-schema.ts';

/** The problem that makes a published workflow fail, with a link to the task to fix. */
export const BrokenNote = ({ workflowId, broken }: { workflowId: string; broken: BrokenWorkflow }) => (
  <p className="mt-1 flex items-start gap-1.5 text-sm text-danger">
    <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span className="min-w-0">
      <Link
        href={`/workflows/${workflowId}?task=${broken.taskId}`}
        className="rounded-sm font-medium hover:underline"
      >
        Fix “{broken.taskName}”
      </Link>
      : {broken.message}
      {broken.count > 1 && ` And ${broken.count - 1} more.`}
    </span>
  </p>
);
