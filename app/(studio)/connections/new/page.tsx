import type { Metadata } from 'next';
import { ConnectButton } from '#components/connections/connect-button.tsx';
import { SaveLoginForm } from '#components/connections/save-login-form.tsx';
import { Page } from '#components/shell/page.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { type MemberContext, requireMember } from '#lib/identity/auth/session.ts';
import { listLoginAccounts } from '#lib/messaging/connections/save-login.ts';
import type { BusinessAccountView } from '#lib/messaging/connections/schema.ts';
import { AppError } from '#lib/core/errors.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { saveLogin, startLogin } from '../actions.ts';
import { listAllConnections } from '#lib/screens/connection-uses.ts';

export const metadata: Metadata = { title: 'New connection' };

export default async function NewConnectionPage({
  searchParams,
}: {
  searchParams: Promise<{ login?: string | string[] }>;
}) {
  const ctx = await requireMember('editor');
  const { login } = await searchParams;
  const loginId = typeof login === 'string' ? login : '';
  const accounts = await findAccounts(ctx, loginId);
  const connections = await listAllConnections(ctx);
  const taken = connections.flatMap(({ business_account_id: id }) => (id === null ? [] : [id]));
  return (
    <Page narrow>
      <PageHeader
        title="New connection"
        back={{ href: '/connections', label: 'Connections' }}
        description="You are signed in to the platform. Select the business account for this connection."
      />
      {typeof accounts === 'string' ? (
        <Callout
          tone="danger"
          title="This sign-in cannot be used"
          actions={<ConnectButton startLogin={startLogin} />}
        >
          {accounts}
        </Callout>
      ) : (
        <SaveLoginForm loginId={loginId} accounts={accounts} taken={taken} saveLogin={saveLogin} />
      )}
    </Page>
  );
}

/** The accounts to choose from, or why there are none. */
async function findAccounts(ctx: MemberContext, loginId: string): Promise<BusinessAccountView[] | string> {
  try {
    return await listLoginAccounts(toMessagingContext(ctx), { loginId, userId: ctx.user.id });
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
