import { PencilRuler } from 'lucide-react';
import Link from 'next/link';
import { nameCustomer } from '#components/live/customer-words.ts';
import { buttonClass } from '#components/ui/button-class.ts';
import { Callout } from '#components/ui/callout.tsx';
import type { RunCustomer } from '#lib/runs/schema.ts';
import type { FixPlace, RunView } from '#lib/screens/run-types.ts';

/** Leads to the page on which the reason of a failure is removed. */
export const FixLink = ({ place }: { place: FixPlace | null }) =>
  place && (
    <p className="mt-2">
      <Link href={place.href} className="text-accent underline hover:no-underline">
        {place.label}
      </Link>
    </p>
  );

/** Whom a run is about, with a link to their page. */
export const RunCustomerLink = ({ customer }: { customer: RunCustomer }) => (
  <Link
    href={`/customers/${customer.id}`}
    prefetch={false}
    className="block truncate text-accent tabular-nums underline hover:no-underline"
  >
    {nameCustomer(customer)}
  </Link>
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

/** The other runs that wait for an answer of the same customer, and which one gets it. */
export function RivalsCallout({ rivals, getsAnswer }: Pick<RunView, 'rivals' | 'getsAnswer'>) {
  if (rivals.length === 0) return null;
  const count = rivals.length === 1 ? 'Another run waits' : `${rivals.length} other runs wait`;
  return (
    <div className="mb-4">
      <Callout tone="info" title={`${count} for an answer of the same customer`}>
        <p>
          {getsAnswer ? 'The next answer continues this run' : 'The next answer does not continue this run'}
          {rivals.some((rival) => rival.getsAnswer) && getsAnswer && ', and others'}. A tap on a button or a
          row of a list always answers its own question.
        </p>
        <ul className="mt-1">
          {rivals.map((rival) => (
            <li key={rival.runId}>
              <Link href={`/runs/${rival.runId}`} className="text-accent underline hover:no-underline">
                {rival.name}
              </Link>
              {rival.getsAnswer && ': gets the next answer'}
            </li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}
