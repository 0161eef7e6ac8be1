import type { Metadata } from 'next';
import { ConnectButton } from '#components/connections/connect-button.tsx';
import { TokenLink } from '#components/connections/token-link.tsx';
import { ConnectionList } from '#components/connections/connection-list.tsx';
import { Page } from '#components/shell/page.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { recheckConnections, startLogin } from './actions.ts';
import { explainLoginProblem } from '#lib/messaging/connections/login-problems.ts';
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
  return (
    <Page>
      <PageHeader
        title="Connections"
        description="The business accounts your workflows send messages from."
        actions={
          canEdit &&
          connections.length > 0 && (
            <>
              <TokenLink />
              <ConnectButton startLogin={startLogin} />
            </>
          )
        }
      />
      {problem !== undefined && (
        <div className="mb-4">
          <Callout tone="danger" title="Not connected" live>
            {problem}
          </Callout>
        </div>
      )}
      <ConnectionList
        connections={connections.map((connection) => ({
          ...connection,
          workflows: uses.get(connection.id) ?? [],
        }))}
        canEdit={canEdit}
        startLogin={startLogin}
        recheck={recheckConnections}
      />
    </Page>
  );
}
