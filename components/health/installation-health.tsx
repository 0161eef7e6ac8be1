'use client';
import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '#components/live/fetch-json.ts';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { CheckList } from '#components/ui/check-list.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { HealthCheck } from '#lib/screens/health-types.ts';
import { HEALTH_PATH } from './health-path.ts';

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
const REFRESH_MS = 5000;

/** Whether this installation runs workflows at the moment. */
export function InstallationHealth({ checks, version }: { checks: HealthCheck[]; version: string }) {
  const { data, error, isFetching } = useQuery({
    queryKey: ['installation-health'],
    queryFn: ({ signal }) => fetchJson<HealthCheck[]>(HEALTH_PATH, signal),
    initialData: checks,
    refetchInterval: REFRESH_MS,
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
