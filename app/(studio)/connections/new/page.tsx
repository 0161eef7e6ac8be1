import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ConnectButton } from '#components/connections/connect-button.tsx';
import { SaveLoginForm } from '#components/connections/save-login-form.tsx';
import { TokenForm } from '#components/connections/token-form.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { type MemberContext, requireMember } from '#lib/identity/auth/session.ts';
import { listLoginAccounts } from '#lib/messaging/connections/login/save-login.ts';
import type { BusinessAccountView } from '#lib/messaging/connections/schema.ts';
import { isLastingRefusal } from '#lib/messaging/platform/platform-error.ts';
import { AppError } from '#lib/core/errors.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { connectToken, describeToken, reconnectToken, saveLogin, startLogin } from '../actions.ts';
import { listAllConnections } from '#lib/screens/connection-uses.ts';

export const metadata: Metadata = { title: 'New connection' };

const BACK = { href: '/connections', label: 'Connections' };

export default async function NewConnectionPage({
  searchParams,
}: {
  searchParams: Promise<{ login?: string | string[]; reconnect?: string | string[] }>;
}) {
  const ctx = await requireMember('editor');
  const { login, reconnect } = await searchParams;
  const connections = await listAllConnections(ctx);
  const taken = connections.flatMap(({ business_account_id: id }) => (id === null ? [] : [id]));
  if (typeof login === 'string') return <AfterLogin ctx={ctx} loginId={login} taken={taken} />;
  const connection = connections.find(({ id }) => id === reconnect);
  if (reconnect !== undefined && !connection) notFound();
  return (
    <Page narrow>
      <PageHeader
        title={connection ? `Replace the token of “${connection.name}”` : 'New connection'}
        back={connection ? { href: `/connections/${connection.id}`, label: connection.name } : BACK}
        description="Paste the access token of a system user of your business. It needs no sign-in at the platform."
      />
      <TokenForm
        connectionId={connection?.id}
        taken={taken}
        describeToken={describeToken}
        connectToken={connectToken}
        reconnectToken={reconnectToken}
      />
    </Page>
  );
}

interface AfterLoginProps {
  ctx: MemberContext;
  loginId: string;
  taken: readonly string[];
}

/** The last step of a login at the platform. */
async function AfterLogin({ ctx, loginId, taken }: AfterLoginProps) {
  const { accounts, problem } = await findAccounts(ctx, loginId);
  return (
    <Page narrow>
      <PageHeader
        title="New connection"
        back={BACK}
        description="You are signed in to the platform. Select the business account for this connection."
      />
      {accounts ? (
        <SaveLoginForm
          loginId={loginId}
          accounts={accounts}
          problem={problem}
          taken={taken}
          saveLogin={saveLogin}
        />
      ) : (
        <Callout
          tone="danger"
          title="This sign-in cannot be used"
          actions={<ConnectButton startLogin={startLogin} />}
        >
          {problem}
        </Callout>
      )}
    </Page>
  );
}

interface FoundAccounts {
  /** Undefined: the sign-in is not usable. */
  accounts?: BusinessAccountView[];
  problem?: string;
}

/** The accounts to choose from, or why the platform lists none. */
async function findAccounts(ctx: MemberContext, loginId: string): Promise<FoundAccounts> {
  try {
    return { accounts: await listLoginAccounts(toMessagingContext(ctx), { loginId, userId: ctx.user.id }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = error.message;
    return isLastingRefusal(error.cause) ? { accounts: [], problem } : { problem };
  }
}
