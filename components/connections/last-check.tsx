import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { Connection } from '#lib/messaging/connections/schema.ts';

/** Time of the last successful check, and the problem of later ones. */
export function LastCheck({ connection }: { connection: Pick<Connection, 'checked_at' | 'check_problem'> }) {
  const { checked_at: checkedAt, check_problem: problem } = connection;
  return (
    <p className="text-sm text-muted">
      {problem !== null && `Could not be checked: ${problem.replace(/\.$/, '')}. `}
      {checkedAt !== null && (
        <>
          Last checked <RelativeTime at={checkedAt} />
        </>
      )}
    </p>
  );
}
