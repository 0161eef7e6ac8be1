'use client';
import { Cable } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { HelpLink } from '#components/help/help-link.tsx';
import { EmptyState } from '#components/ui/page.tsx';
import { ConnectButton, type StartLogin } from './connect-button.tsx';
import type { ConnectionRow, SignInSetup } from '#lib/screens/connection-types.ts';
import { HealthBadge, LastCheck } from './health.tsx';
import { type Recheck, useRecheck } from './use-recheck.ts';
import { WaysToConnect } from './ways-to-connect.tsx';

/** Connections with their health and the workflows that use them. */
export function ConnectionList({
  connections,
  canEdit,
  signIn,
  startLogin,
  recheck,
}: {
  connections: readonly ConnectionRow[];
  canEdit: boolean;
  signIn: SignInSetup;
  startLogin: StartLogin;
  recheck: Recheck;
}) {
  const checking = useRecheck(connections, recheck);
  if (connections.length === 0) {
    return (
      <EmptyState
        icon={<Cable />}
        title="No connections yet"
        actions={canEdit && <WaysToConnect signIn={signIn} startLogin={startLogin} />}
      >
        <p>
          {canEdit
            ? HOW_TO_CONNECT[signIn === 'missing' ? 'token' : 'signIn']
            : 'Ask an editor of the workspace to connect an account. Workflows send their messages through it.'}
        </p>
        <p className="mt-2">
          <HelpLink page="connectPlatform">Connect the real platform</HelpLink>
        </p>
      </EmptyState>
    );
  }
  return (
    <ul className="flex flex-col gap-3">
      {connections.map((connection) => (
        <li
          key={connection.id}
          className="relative rounded-lg border border-line bg-surface px-5 py-4 shadow-raised hover:bg-hover/50"
        >
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-lg font-semibold">
              <Link
                href={`/connections/${connection.id}`}
                className="after:absolute after:inset-0 hover:underline"
              >
                {connection.name}
              </Link>
            </h2>
            <HealthBadge connection={connection} checking={checking.has(connection.id)} />
          </div>
          <p className="text-muted">
            {connection.business_account_name ??
              connection.business_account_id ??
              'All accounts it can access'}
            {' · '}
            {usesText(connection)}
          </p>
          {!checking.has(connection.id) && <LastCheck connection={connection} />}
          {connection.status_reason && (
            <p
              className={
                connection.status === 'needs_reconnecting' ? 'mt-1 text-danger' : 'mt-1 text-warning'
              }
            >
              {connection.status_reason}
            </p>
          )}
          {connection.status !== 'connected' && canEdit && (
            <div className="relative z-10 mt-3 w-fit">
              <ConnectButton
                startLogin={startLogin}
                connectionId={connection.id}
                label="Reconnect"
                variant="secondary"
              />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

const HOW_TO_CONNECT = {
  signIn:
    'Sign in to the messaging platform, grant both scopes, and select the business account your workflows send from. Or use the access token of a system user.',
  token:
    'Paste the access token of a system user of your business, and select the business account your workflows send from.',
};

const SHOWN_NAMES = 3;

function usesText({ workflows }: ConnectionRow): string {
  if (workflows.length === 0) return 'not used by any workflow';
  const names = workflows.slice(0, SHOWN_NAMES).map(({ name }) => name);
  const more = workflows.length - names.length;
  return `used by ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
