import type { Metadata } from 'next';
import {
  MaskingCard,
  RunLimitCard,
  WebhookRateCard,
  WorkspaceForm,
} from '#components/settings/workspace-cards.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { env } from '#lib/core/env.ts';
import { getWebhookRate } from '#lib/identity/workspaces/workspace-settings.ts';
import { getWorkspaceRunLimit } from '#lib/workflows/lifecycle.ts';
import { limitWebhooks, limitWorkspaceRuns, maskNumbers, rename } from '../actions.ts';

export const metadata: Metadata = { title: 'Workspace' };

export default async function WorkspacePage() {
  const ctx = await requireMember('owner');
  const { workspaceName, masksNumbers } = ctx;
  const [{ requests_per_second: requestsPerSecond }, { max_concurrent_runs: maxConcurrentRuns }] =
    await Promise.all([getWebhookRate(ctx), getWorkspaceRunLimit(ctx)]);
  return (
    <div className="flex flex-col gap-6">
      <WorkspaceForm name={workspaceName} rename={rename} />
      <MaskingCard masksNumbers={masksNumbers} change={maskNumbers} />
      <WebhookRateCard
        requestsPerSecond={requestsPerSecond}
        serverDefault={env().WEBHOOK_RATE_PER_SECOND}
        change={limitWebhooks}
      />
      <RunLimitCard maxConcurrentRuns={maxConcurrentRuns} change={limitWorkspaceRuns} />
    </div>
  );
}
