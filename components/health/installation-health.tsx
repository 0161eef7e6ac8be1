'use client';
import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { CheckList } from '#components/ui/check-list.tsx';
import { Skeleton } from '#components/ui/loading.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { MessagingLimit } from '#lib/messaging/limits/list-limits.ts';
import { describeUse } from '#lib/messaging/schema/number-words.ts';
import type { HealthCheck } from '#lib/screens/health-types.ts';
import { HEALTH_PATH, LIMITS_PATH } from './health-notice.tsx';

const TITLES: Record<HealthCheck['id'], string> = {
  database: 'Database',
  workers: 'Workers',
  queue: 'Queue',
  disk: 'Disk',
  keys: 'Encryption keys',
  connections: 'Database connections',
  platform: 'Messaging platform',
  notifications: 'Notifications of the app',
};
const CHECKS_REFRESH_MS = 5000;

/** Whether this installation runs workflows at the moment. */
export function InstallationHealth({ checks, version }: { checks: HealthCheck[]; version: string }) {
  const { data, error, isFetching } = useQuery({
    queryKey: ['installation-health'],
    queryFn: ({ signal }) => fetchJson<HealthCheck[]>(HEALTH_PATH, signal),
    initialData: checks,
    refetchInterval: CHECKS_REFRESH_MS,
  });
  return (
    <Card
      title="Health"
      description="What this installation needs in order to run workflows. Updates automatically."
    >
      {error && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      <CheckList
        items={data.map(({ at, what, ...check }) => ({
          ...check,
          title: TITLES[check.id],
          what:
            at === null ? (
              what
            ) : (
              <>
                {what} <RelativeTime at={at} />.
              </>
            ),
        }))}
        expected={checks.length}
        busy={isFetching}
      />
      <p className="mt-4 text-sm text-muted">Patchbay {version}</p>
    </Card>
  );
}

const LIMITS_REFRESH_MS = 30_000;

/** How many customers this workspace messaged first in the last 24 hours, against each limit of the platform. */
export function MessagingLimits() {
  const { data, error } = useQuery({
    queryKey: ['messaging-limits'],
    queryFn: ({ signal }) => fetchJson<MessagingLimit[]>(LIMITS_PATH, signal),
    refetchInterval: LIMITS_REFRESH_MS,
  });
  return (
    <Card
      title="Messaging limits"
      description="How many customers you messaged first: with a message template, while they had not written to you in the last 24 hours."
    >
      {error && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      {!data && !error && <Skeleton className="h-16" />}
      {data?.length === 0 && (
        <p className="text-muted">
          The limits of your phone numbers appear here when you connect an account.
        </p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {data?.map((limit) => (
          <li key={limit.id} className="flex min-h-14 flex-col justify-center py-2.5">
            <p className="font-medium">{limit.name}</p>
            <p className="text-muted tabular-nums">
              {describeUse(limit)}
              {limit.numbers > 1 && ` · ${limit.numbers} phone numbers`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
