'use client';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Fact, Facts } from '#components/ui/facts.tsx';
import { Instant } from '#components/ui/relative-time.tsx';
import type { TokenView } from '#lib/messaging/connections/schema.ts';

const HOLDER = { system_user: 'System user', person: 'Person' };

/** For whom a token is, before it is stored. */
export const TokenFacts = ({ token: { app, holder, scopes, endsAt } }: { token: TokenView }) => (
  <Card title="This token">
    <Facts>
      <Fact label="App">{app ?? 'The platform does not say'}</Fact>
      <Fact label={HOLDER[holder.kind]}>{holder.name ?? 'The platform does not say'}</Fact>
      <Fact label="Expires">{endsAt === null ? 'Never' : <Instant at={endsAt} />}</Fact>
      <Fact label="Scopes">
        <span className="break-words">{scopes.join(', ') || 'none'}</span>
      </Fact>
    </Facts>
    {endsAt !== null && (
      <Callout tone="warning">
        The token is exchanged for a new one before it expires, if the platform allows it. The token of a
        system user can be generated so that it never expires.
      </Callout>
    )}
  </Card>
);
