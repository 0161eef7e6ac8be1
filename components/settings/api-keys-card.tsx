'use client';
import { KeyRound, Trash2 } from 'lucide-react';
import { type FormEvent, useState, useTransition } from 'react';
import { showActionError } from '#components/shell/show-action-error.ts';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Input } from '#components/ui/input.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { ApiKey } from '#lib/identity/api-keys/schema.ts';

export interface ApiKeysCardProps {
  keys: readonly ApiKey[];
  baseUrl: string;
  create: (input: { name: string }) => Promise<ActionResult<{ key: string }>>;
  revoke: (input: { id: string }) => Promise<ActionResult<void>>;
}

/** Keys for programs that use the REST API. */
export function ApiKeysCard({ keys, baseUrl, create, revoke }: ApiKeysCardProps) {
  const [name, setName] = useState('');
  const [made, setMade] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, startTransition] = useTransition();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const created = await create({ name });
      setProblem(created.ok ? undefined : (created.error.problems[0]?.message ?? created.error.message));
      if (!created.ok) return;
      setMade(created.data.key);
      setName('');
    });
  };
  const revokeKey = async ({ id }: ApiKey) => {
    const revoked = await revoke({ id });
    if (!revoked.ok) showActionError(revoked.error);
  };
  return (
    <Card
      title="API keys"
      description="A key can do what an editor can do in this workspace."
      actions={
        <a
          href="/api/v1/openapi.json"
          className="text-sm font-medium text-accent underline underline-offset-2"
          target="_blank"
          rel="noreferrer"
        >
          OpenAPI description
        </a>
      }
    >
      <form onSubmit={submit} className="mb-4 flex items-end gap-2">
        <Field label="New key" error={problem} className="flex-1">
          <Input
            value={name}
            placeholder="e.g. Shop"
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="primary" loading={busy} disabled={name.trim() === ''}>
          Create key
        </Button>
      </form>
      {made && (
        <div className="mb-4">
          <Callout tone="success" live title="Copy the key now. You won’t see it again.">
            <div className="mt-2 flex flex-col gap-2">
              <CodeBlock label="API key" code={made} wrap />
              <CodeBlock
                label="example"
                code={`curl -H "Authorization: Bearer ${made}" ${baseUrl}/api/v1/workflows`}
                wrap
              />
            </div>
          </Callout>
        </div>
      )}
      {keys.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <KeyRound aria-hidden className="size-4" />
          No API keys yet.
        </p>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {keys.map((key) => (
            <li key={key.id} className="flex items-center gap-3 py-3">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{key.name}</p>
                <p className="text-sm text-muted">
                  <code className="font-mono">{key.prefix}…</code> · made <RelativeTime at={key.created_at} />{' '}
                  ·{' '}
                  {key.last_used_at ? (
                    <>
                      used <RelativeTime at={key.last_used_at} />
                    </>
                  ) : (
                    'never used'
                  )}
                </p>
              </div>
              <ConfirmDialog
                title={`Revoke “${key.name}”?`}
                description="Programs that use it stop working immediately. This cannot be undone."
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
