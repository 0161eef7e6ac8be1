'use client';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { CheckList } from '#components/ui/check-list.tsx';
import type { Check } from '#lib/messaging/connections/schema.ts';

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
