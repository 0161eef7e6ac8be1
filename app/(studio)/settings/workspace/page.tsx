import type { Metadata } from 'next';
import { MaskingCard, WebhookRateCard, WorkspaceForm } from '#components/settings/workspace-cards.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { env } from '#lib/core/env.ts';
import { getWebhookRate } from '#lib/identity/workspaces/workspace-settings.ts';
import { limitWebhooks, maskNumbers, rename } from '../actions.ts';

export const metadata: Metadata = { title: 'Workspace' };

export default async function WorkspacePage() {
  const ctx = await requireMember('owner');
  const { workspaceName, masksNumbers } = ctx;
  const { requests_per_second: requestsPerSecond } = await getWebhookRate(ctx);
  return (
    <div className="flex flex-col gap-6">
      <WorkspaceForm name={workspaceName} rename={rename} />
      <MaskingCard masksNumbers={masksNumbers} change={maskNumbers} />
      <WebhookRateCard
        requestsPerSecond={requestsPerSecond}
        serverDefault={env().WEBHOOK_RATE_PER_SECOND}
        change={limitWebhooks}
      />
    </div>
  );
}
