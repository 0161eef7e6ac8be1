import { CircleAlert } from 'lucide-react';
import Link from 'next/link';
import { TextWithInstants } from '#components/ui/relative-time.tsx';
import { type BrokenWorkflow, type Failures, MAX_FAILURES_COUNTED } from '#lib/workflows/row-schema.ts';

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

/** Failures since the user last viewed them, with the error of the first failed task. */
export const FailuresNote = ({ workflowId, failures }: { workflowId: string; failures: Failures }) => (
  <p className="mt-1 flex min-w-0 items-baseline gap-2 text-sm">
    <Link
      href={`/runs?workflow=${workflowId}&status=failed`}
      prefetch={false}
      title="Runs that failed since you last looked"
      className="shrink-0 rounded-sm bg-danger-soft px-1.5 font-medium text-danger hover:underline"
    >
      {failures.count >= MAX_FAILURES_COUNTED ? `${MAX_FAILURES_COUNTED}+` : failures.count} failed
    </Link>
    <Link
      href={`/runs/${failures.runId}`}
      prefetch={false}
      title={`${failures.reason}\n${failures.advice}`}
      className="truncate text-danger hover:underline"
    >
      {failures.taskName !== null && `${failures.taskName}: `}
      <TextWithInstants text={failures.reason} />
    </Link>
  </p>
);
