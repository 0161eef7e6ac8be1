'use client';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { Check } from '#lib/messaging/connections/schema.ts';

const TITLES: Record<Check['id'], string> = {
  token: 'Access token',
  scopes: 'Scopes',
  accounts: 'Business accounts',
  numbers: 'Numbers',
  notifications: 'Notifications',
};

const ICONS = {
  ok: <CircleCheck aria-label="All checks passed" className="size-5 text-success" />,
  warning: <TriangleAlert aria-label="Needs attention" className="size-5 text-warning" />,
  failed: <CircleAlert aria-label="Not working" className="size-5 text-danger" />,
};

const CHECKS = 5;

/** Asks the platform what the connection can do and says what to do about the rest. */
export function HealthCheck({ connectionId }: { connectionId: string }) {
  const checks = useQuery({
    queryKey: ['checks', connectionId],
    queryFn: ({ signal }) => fetchJson<Check[]>(`/connections/${connectionId}/checks`, signal),
    staleTime: 0,
  });
  return (
    <Card
      title="Check-up"
      description="Checked with the platform just now."
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
      {checks.error && (
        <Callout tone="danger" live>
          {checks.error.message}
        </Callout>
      )}
      <ul aria-busy={checks.isFetching} className="flex flex-col divide-y divide-line">
        {checks.data?.map((check) => (
          <li key={check.id} className="flex min-h-16 gap-3 py-3">
            <span className="mt-0.5">{ICONS[check.result]}</span>
            <div className="min-w-0">
              <p className="font-medium">{TITLES[check.id]}</p>
              <p className="break-words text-muted">{check.what}</p>
              {check.fix && <p className="mt-1">{check.fix}</p>}
            </div>
          </li>
        )) ??
          (!checks.error &&
            Array.from({ length: CHECKS }, (_, index) => (
              <li key={index} className="flex min-h-16 items-center py-3">
                <Skeleton className="h-10 w-full" />
              </li>
            )))}
      </ul>
    </Card>
  );
}
