import type { Metadata } from 'next';
import { RetentionForm } from '#components/settings/retention-form.tsx';
import { StoredTable } from '#components/settings/stored-table.tsx';
import { env } from '#lib/core/env.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { findRetention } from '#lib/identity/workspaces/retention.ts';
import { RETENTION_DEFAULTS } from '#lib/identity/workspaces/schema.ts';
import { SAMPLE_EVENTS } from '#lib/workflows/newest-events.ts';
import { readStored } from '#lib/workflows/retention/read-stored.ts';
import { previewDeletions, saveRetention } from './actions.ts';

export const metadata: Metadata = { title: 'Retention' };

export default async function RetentionPage() {
  const ctx = await requireMember('owner');
  const [{ retention, isChosen }, stored] = await Promise.all([findRetention(ctx), readStored(ctx)]);
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
    </div>
  );
}
