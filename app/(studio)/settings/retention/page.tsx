import type { Metadata } from 'next';
import { ErasuresCard } from '#components/settings/erasures-card.tsx';
import { RetentionForm } from '#components/settings/retention-form.tsx';
import { StoredTable } from '#components/settings/stored-table.tsx';
import { env } from '#lib/core/env.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { findRetention } from '#lib/identity/workspaces/retention.ts';
import { RETENTION_DEFAULTS } from '#lib/identity/workspaces/schema.ts';
import { listErasures } from '#lib/workflows/erasure/erase-customer.ts';
import { SAMPLE_EVENTS } from '#lib/workflows/newest-events.ts';
import { readStored } from '#lib/workflows/retention/read-stored.ts';
import { previewDeletions, saveRetention } from './actions.ts';

export const metadata: Metadata = { title: 'Retention' };

const RECEIPTS = 25;

export default async function RetentionPage() {
  const ctx = await requireMember('owner');
  const [{ retention, isChosen }, stored, erasures] = await Promise.all([
    findRetention(ctx),
    readStored(ctx),
    listErasures(ctx, { limit: RECEIPTS }),
  ]);
  return (
    <div className="flex flex-col gap-6">
      <RetentionForm
        key={JSON.stringify(retention)}
        saved={retention}
        isChosen={isChosen}
        defaults={RETENTION_DEFAULTS}
        sampleEvents={SAMPLE_EVENTS}
        save={saveRetention}
        preview={previewDeletions}
      />
      <StoredTable stored={stored} mediaDays={env().MEDIA_RETENTION_DAYS} />
      <ErasuresCard erasures={erasures.data} hasMore={erasures.next_cursor !== null} />
    </div>
  );
}
