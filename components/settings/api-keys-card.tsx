'use client';
import { KeyRound, Trash2 } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { showActionError } from '#components/ui/overlay/toaster.tsx';
import { HelpLink } from '#components/help/help-link.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/overlay/dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ApiKey } from '#lib/identity/api-keys/schema.ts';
import { SCOPE_LABELS } from '#lib/identity/api-keys/scopes.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { CreateKeyDialog, type CreateKeyDialogProps } from './create-key-dialog.tsx';

export interface ApiKeysCardProps extends CreateKeyDialogProps {
  keys: readonly ApiKey[];
  /** When the list was read, ISO 8601. */
  now: string;
  revoke: (input: { id: string }) => Promise<ActionResult<void>>;
}

/** Keys for programs that use the REST API, and for assistants. */
export function ApiKeysCard({ keys, now, baseUrl, create, revoke }: ApiKeysCardProps) {
  const revokeKey = async ({ id }: ApiKey) => {
    const revoked = await revoke({ id });
    if (!revoked.ok) showActionError(revoked.error);
  };
  return (
    <Card
      title="API keys"
      description={
        <>
          For programs and assistants. See the{' '}
          <Link href="/api-reference" className="font-medium text-accent underline underline-offset-2">
            API reference
          </Link>
          . <HelpLink page="api">Conventions of the API</HelpLink>
        </>
      }
      actions={<CreateKeyDialog baseUrl={baseUrl} create={create} />}
    >
      {keys.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <KeyRound aria-hidden className="size-4" />
          No API keys yet.
        </p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {keys.map((key) => (
            <li key={key.id} className="flex items-start gap-3 py-3">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="min-w-0 font-medium wrap-anywhere">{key.name}</span>
                  <Badge>{SCOPE_LABELS[key.scope]}</Badge>
                  {stateOf(key, now)}
                </p>
                <p className="mt-0.5 text-sm text-muted">
                  <code className="font-mono">{key.prefix}…</code> · created{' '}
                  <RelativeTime at={key.created_at} />
                  {key.created_by && <span className="wrap-anywhere"> by {key.created_by}</span>} ·{' '}
                  {key.last_used_at ? (
                    <>
                      last used <RelativeTime at={key.last_used_at} />
                    </>
                  ) : (
                    'never used'
                  )}{' '}
                  · {expiryOf(key, now)}
                </p>
              </div>
              <ConfirmDialog
                title={`Revoke “${key.name}”?`}
                description="Programs that use it, or a key that it created, stop working immediately. This cannot be undone."
                confirmLabel="Revoke key"
                danger
                onConfirm={() => revokeKey(key)}
                trigger={
                  <IconButton label={`Revoke ${key.name}`} size="sm">
                    <Trash2 aria-hidden />
                  </IconButton>
                }
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const hasExpired = ({ expires_at }: ApiKey, now: string): boolean => expires_at !== null && expires_at <= now;

/** Why its effective scope is smaller than its scope. */
function stateOf(key: ApiKey, now: string): ReactNode {
  if (hasExpired(key, now)) return <Badge tone="warning">Expired</Badge>;
  if (key.effective_scope === null) return <Badge tone="danger">Its creator has left</Badge>;
  if (key.effective_scope === key.scope) return null;
  return <Badge tone="warning">Limited to {SCOPE_LABELS[key.effective_scope]} by its creator’s role</Badge>;
}

function expiryOf(key: ApiKey, now: string): ReactNode {
  if (key.expires_at === null) return 'never expires';
  return (
    <>
      {hasExpired(key, now) ? 'expired' : 'expires'} <RelativeTime at={key.expires_at} />
    </>
  );
}
