import type { Metadata } from 'next';
import { InstallationHealth, MessagingLimits } from '#components/health/installation-health.tsx';
import { LiveData } from '#components/shell/live-data.tsx';
import { env } from '#lib/core/env.ts';
import { VERSION } from '#lib/core/version.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { listHealthChecks } from '#lib/screens/list-health-checks.ts';

export const metadata: Metadata = { title: 'Health' };

export default async function HealthPage() {
  const ctx = await requireMember('viewer');
  return (
    <LiveData>
      <div className="flex flex-col gap-4">
        <InstallationHealth checks={await listHealthChecks(ctx, env())} version={VERSION} />
        <MessagingLimits />
      </div>
    </LiveData>
  );
}
