'use client';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, Clock3, RefreshCw, Unplug } from 'lucide-react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { CheckList } from '#components/ui/check-list.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { Check, Connection } from '#lib/messaging/connections/schema.ts';

export interface HealthBadgeProps {
  connection: Pick<Connection, 'status' | 'checked_at' | 'check_problem'>;
  /** A check is in progress: the earlier state is not shown as healthy. */
  checking?: boolean;
}

/** Whether a connection can be used; green only after a successful last check. */
export function HealthBadge({ connection, checking = false }: HealthBadgeProps) {
  const { status, checked_at: checkedAt, check_problem: problem } = connection;
  switch (status) {
    case 'connected':
      if (checking || problem !== null || checkedAt === null) {
        return (
          <span title={problem ?? ''}>
            <Badge icon={<CircleDashed aria-hidden />}>{checking ? 'Checking…' : 'Not checked'}</Badge>
          </span>
        );
      }
      return (
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          Connected
        </Badge>
      );
    case 'expires_soon':
      return (
        <Badge tone="warning" icon={<Clock3 aria-hidden />}>
          Expires soon
        </Badge>
      );
    case 'needs_reconnecting':
      return (
        <Badge tone="danger" icon={<Unplug aria-hidden />}>
          Needs reconnecting
        </Badge>
      );
  }
}

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

const TITLES: Record<Check['id'], string> = {
  token: 'Access token',
  scopes: 'Scopes',
  accounts: 'Business accounts',
  numbers: 'Numbers',
  sending: 'Sending',
  notifications: 'Notifications',
};

/** Checks with the platform what the connection can do, and shows fixes for the rest. */
export function HealthCheck({ connectionId }: { connectionId: string }) {
  const checks = useQuery({
    queryKey: ['checks', connectionId],
    queryFn: ({ signal }) => fetchJson<Check[]>(`/connections/${connectionId}/checks`, signal),
    staleTime: 0,
  });
  return (
    <Card
      title="Health check"
      description={checks.isFetching ? 'Asking the platform…' : 'Checked with the platform just now.'}
      actions={
        <Button
          size="sm"
          icon={<RefreshCw aria-hidden />}
          loading={checks.isFetching}
          onClick={() => void checks.refetch()}
        >
          Check again
        </Button>
      }
    >
      {checks.error ? (
        <Callout tone="danger" live>
          {checks.error.message}
        </Callout>
      ) : (
        <CheckList
          items={checks.data?.map((check) => ({ ...check, title: TITLES[check.id] }))}
          expected={Object.keys(TITLES).length}
          busy={checks.isFetching}
        />
      )}
    </Card>
  );
}
