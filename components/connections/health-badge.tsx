import { CircleCheck, CircleDashed, Clock3, Unplug } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import type { Connection } from '#lib/messaging/connections/schema.ts';

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
