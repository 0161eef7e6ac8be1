'use client';
import { useState, useTransition } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { ProviderCheck } from '#lib/identity/sign-in-policy/schema.ts';

export interface ProviderCardProps {
  /** Null: none is set up. */
  provider: {
    name: string;
    issuer: string;
    scopes: string;
    groupsClaim: string;
    sessionHours: number;
  } | null;
  check: (input: Record<string, never>) => Promise<ActionResult<ProviderCheck>>;
}

/** The configured identity provider, and a button to check it. */
export function ProviderCard({ provider, check }: ProviderCardProps) {
  const [result, setResult] = useState<ActionResult<ProviderCheck> | null>(null);
  const [busy, startTransition] = useTransition();
  const run = () =>
    startTransition(async () => {
      setResult(await check({}));
    });
  const title = 'Identity provider';
  if (!provider)
    return (
      <Card title={title} description="People can sign in with an OpenID Connect provider.">
        <Callout tone="info" title="No identity provider is set up">
          Ask your administrator to set one up. Then you can require it for signing in, and its groups can
          decide roles.
          <p className="mt-1">
            <HelpLink page="identityProvider">How to set up an identity provider</HelpLink>
          </p>
        </Callout>
      </Card>
    );
  const facts = [
    ['Name', provider.name],
    ['Issuer', provider.issuer],
    ['Scopes', provider.scopes],
    ['Groups claim', provider.groupsClaim],
    ['Sessions last', `${provider.sessionHours} ${provider.sessionHours === 1 ? 'hour' : 'hours'}`],
  ] as const;
  return (
    <Card
      title={title}
      description="Set by your administrator."
      footer={
        <Button loading={busy} onClick={run}>
          Check connection
        </Button>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 [&_dd]:break-words [&_dt]:text-muted">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {result && (
        <div className="mt-4">
          {result.ok && result.data.ok ? (
            <Callout tone="success" title={result.data.message} live>
              {result.data.notes.join(' ') || 'Scopes and claims are as expected.'}
            </Callout>
          ) : (
            <Callout tone="danger" live>
              {result.ok ? result.data.message : result.error.message}
            </Callout>
          )}
        </div>
      )}
    </Card>
  );
}
