'use client';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Instant } from '#components/ui/relative-time.tsx';
import { Fact, Facts } from '#components/ui/table.tsx';
import type { ActionError, ActionResult } from '#lib/identity/auth/action-types.ts';
import type { TokenView } from '#lib/messaging/connections/schema.ts';
import { ConnectionFields, firstValues, type NewConnectionValues } from './connection-fields.tsx';

type Action<Input, Data = void> = (input: Input) => Promise<ActionResult<Data>>;

export interface TokenFormProps {
  /** The connection to reconnect; left out: a new one. */
  connectionId?: string | undefined;
  /** Ids of accounts that already have a connection. */
  taken: readonly string[];
  describeToken: Action<{ accessToken: string }, TokenView>;
  connectToken: Action<NewConnectionValues & { accessToken: string }, { id: string; problem: string | null }>;
  reconnectToken: Action<{ id: string; accessToken: string }>;
}

/** A pasted token: first its owner, then its use. */
export function TokenForm({ connectionId, taken, ...actions }: TokenFormProps) {
  const router = useRouter();
  const [accessToken, setAccessToken] = useState('');
  const [token, setToken] = useState<TokenView | null>(null);
  const [values, setValues] = useState<NewConnectionValues>(firstValues([], taken));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);
  const ask = async <Data,>(action: Promise<ActionResult<Data>>, then: (data: Data) => void) => {
    setBusy(true);
    const result = await action;
    setError(result.ok ? null : result.error);
    if (result.ok) then(result.data);
    setBusy(false);
  };
  const check = () =>
    ask(actions.describeToken({ accessToken }), (described) => {
      setToken(described);
      setValues(firstValues(described.accounts, taken));
    });
  const save = () =>
    connectionId === undefined
      ? ask(actions.connectToken({ ...values, accessToken }), ({ id, problem }) =>
          router.push(problem ? `/connections/${id}?unsubscribed=1` : `/connections/${id}`),
        )
      : ask(actions.reconnectToken({ id: connectionId, accessToken }), () =>
          router.push(`/connections/${connectionId}?reconnected=1`),
        );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (token ? save() : check());
  };
  const problem = error?.problems.find(({ path }) => path === 'access_token' || path === 'accessToken');
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-6">
      {error && (
        <Callout tone="danger" live>
          {error.message}
        </Callout>
      )}
      {token ? (
        <>
          <TokenFacts token={token} />
          {connectionId === undefined && (
            <ConnectionFields
              accounts={token.accounts}
              taken={taken}
              values={values}
              onChange={setValues}
              error={error}
            />
          )}
        </>
      ) : (
        <Field
          label="Access token"
          help="Stored encrypted and never shown again. Nothing is stored before you have seen whose token it is."
          error={problem?.message}
        >
          <Input
            type="password"
            value={accessToken}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            onChange={(event) => setAccessToken(event.target.value.trim())}
          />
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" variant="primary" loading={busy} disabled={accessToken === ''}>
          {token ? (connectionId === undefined ? 'Save connection' : 'Reconnect') : 'Check token'}
        </Button>
        {token && (
          <Button
            variant="ghost"
            onClick={() => {
              setToken(null);
              setError(null);
            }}
          >
            Use another token
          </Button>
        )}
        <HelpLink page="connectPlatform">How connections work</HelpLink>
      </div>
    </form>
  );
}

const HOLDER = { system_user: 'System user', person: 'Person' };

/** The owner of a token, before it is stored. */
const TokenFacts = ({ token: { app, holder, scopes, endsAt } }: { token: TokenView }) => (
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
