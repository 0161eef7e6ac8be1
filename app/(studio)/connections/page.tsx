import type { Metadata } from 'next';
import { ConnectionList } from '#components/connections/connection-list.tsx';
import { SignInNotice, WaysToConnect } from '#components/connections/ways-to-connect.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { env } from '#lib/core/env.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { recheckConnections, startLogin } from './actions.ts';
import { explainLoginProblem } from '#lib/messaging/connections/login/login.ts';
import { signInSetupOf } from '#lib/screens/check-platform.ts';
import { listAllConnections, listConnectionUses } from '#lib/screens/connection-uses.ts';

export const metadata: Metadata = { title: 'Connections' };

export default async function ConnectionsPage({
  searchParams,
}: {
  searchParams: Promise<{ problem?: string | string[] }>;
}) {
  const ctx = await requireMember('viewer');
  const problem = explainLoginProblem((await searchParams).problem);
  const [connections, uses] = await Promise.all([listAllConnections(ctx), listConnectionUses(ctx)]);
  const canEdit = hasRole(ctx.role, 'editor');
  const signIn = signInSetupOf(env());
  return (
    <Page>
      <PageHeader
        title="Connections"
        description="The business accounts your workflows send messages from."
        actions={
          canEdit && connections.length > 0 && <WaysToConnect signIn={signIn} startLogin={startLogin} />
        }
      />
      {problem !== undefined && (
        <div className="mb-4">
          <Callout tone="danger" title="Not connected" live>
            {problem}
          </Callout>
        </div>
      )}
      {canEdit && (
        <div className="mb-4 empty:hidden">
          <SignInNotice signIn={signIn} />
        </div>
      )}
      <ConnectionList
        connections={connections.map((connection) => ({
          ...connection,
          workflows: uses.get(connection.id) ?? [],
        }))}
        canEdit={canEdit}
        signIn={signIn}
        startLogin={startLogin}
        recheck={recheckConnections}
      />
    </Page>
  );
}
