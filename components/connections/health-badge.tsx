import { CircleCheck, Clock3, Unplug } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import type { ConnectionStatus } from '#lib/messaging/connections/schema.ts';

/** Whether a connection can be used, in a word. */
export function HealthBadge({ status }: { status: ConnectionStatus }) {
  switch (status) {
    case 'connected':
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
