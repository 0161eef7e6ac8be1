'use client';
import { useFailingWorkflows } from './use-failing-workflows.ts';

const MAX_SHOWN = 99;

/** Number of workflows that failed since the user last viewed them, at the navigation's section. */
export function FailingBadge({ className }: { className: string }) {
  const count = useFailingWorkflows();
  if (count === 0) return null;
  const words = `${count === 1 ? 'One workflow' : `${count} workflows`} failed since you last looked`;
  return (
    <span
      title={words}
      className={`inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-danger-soft px-1 text-xs font-semibold text-danger tabular-nums ${className}`}
    >
      <span aria-hidden>{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
