import type { Metadata } from 'next';
import { ApiKeysCard } from '#components/settings/api-keys-card.tsx';
import { listApiKeys } from '#lib/identity/api-keys/api-keys.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { createKey, revokeKey } from '../actions.ts';

export const metadata: Metadata = { title: 'API keys' };

const MOST_SHOWN = 100;

export default async function ApiKeysPage() {
  const ctx = await requireMember('owner');
  const { data } = await listApiKeys(ctx, { limit: MOST_SHOWN });
  const now = new Date().toISOString();
  return <ApiKeysCard keys={data} now={now} baseUrl={ctx.baseUrl} create={createKey} revoke={revokeKey} />;
}
