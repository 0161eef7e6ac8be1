import type { Metadata } from 'next';
import { AuditLog } from '#components/settings/audit-log.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { moreAuditEntries } from '../actions.ts';

export const metadata: Metadata = { title: 'Audit log' };

const FIRST_PAGE = 50;

export default async function AuditLogPage() {
  const ctx = await requireMember('owner');
  return <AuditLog first={await listAuditEntries(ctx, { limit: FIRST_PAGE })} loadMore={moreAuditEntries} />;
}
