import Link from 'next/link';
import { TextWithInstants } from '#components/ui/text-with-instants.tsx';
import { type Failures, MAX_FAILURES_COUNTED } from '#lib/workflows/failures/failure-types.ts';

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
