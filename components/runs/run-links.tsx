import { PencilRuler } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '#components/ui/button-class.ts';
import type { FixPlace } from '#lib/screens/run-types.ts';

/** Leads to the page on which the reason of a failure is removed. */
export const FixLink = ({ place }: { place: FixPlace | null }) =>
  place && (
    <p className="mt-2">
      <Link href={place.href} className="text-accent underline hover:no-underline">
        {place.label}
      </Link>
    </p>
  );

/** Link from an event, or from a run and its relevant task, to the editor with its values as the sample. */
export function OpenInEditor({
  workflowId,
  eventId,
  taskId,
}: {
  workflowId: string;
  eventId: string;
  /** The task to open. */
  taskId?: number | undefined;
}) {
  const query = new URLSearchParams({
    event: eventId,
    ...(taskId === undefined ? {} : { task: String(taskId) }),
  });
  const label = 'Open in the editor with this event as the sample';
  return (
    <Link
      href={`/workflows/${workflowId}?${query.toString()}`}
      prefetch={false}
      title={label}
      aria-label={label}
      className={buttonClass()}
    >
      <PencilRuler aria-hidden /> Open in the editor
    </Link>
  );
}
