import type { Metadata } from 'next';
import { SecretsCard } from '#components/settings/secrets-card.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { listSecrets } from '#lib/workflows/secrets/secrets.ts';
import { addSecret, deleteSecret, replaceSecret } from '../actions.ts';

export const metadata: Metadata = { title: 'Secrets' };

export default async function SecretsPage() {
  const ctx = await requireMember('viewer');
  const secrets = await listSecrets(ctx);
  if (!hasRole(ctx.role, 'editor')) return <SecretsCard secrets={secrets.map(({ name }) => ({ name }))} />;
  return (
    <SecretsCard
      secrets={secrets.map(({ name, ...details }) => ({ name, details }))}
      actions={{ add: addSecret, replace: replaceSecret, remove: deleteSecret }}
    />
  );
}
