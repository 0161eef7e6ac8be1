import { MessageSquareText } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { TemplatesScreen } from '#components/message-templates/templates-screen.tsx';
import { EmptyState, Page, PageHeader } from '#components/ui/page.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { deleteMessageTemplate } from './actions.ts';
import { listAllConnections } from '#lib/screens/connection-uses.ts';

export const metadata: Metadata = { title: 'Message templates' };

export default async function MessageTemplatesPage() {
  const ctx = await requireMember('viewer');
  const connections = await listAllConnections(ctx);
  return (
    <Page>
      {connections.length === 0 ? (
        <>
          <PageHeader title="Message templates" />
          <EmptyState
            icon={<MessageSquareText />}
            title="Connect an account"
            actions={
              <Link href="/connections" className={buttonClass({ variant: 'primary' })}>
                Go to Connections
              </Link>
            }
          >
            Message templates belong to a business account. Connect one to see and create templates here.
          </EmptyState>
        </>
      ) : (
        <TemplatesScreen
          connections={connections.map(({ id, name, business_account_name: account }) => ({
            id,
            name,
            account,
          }))}
          canEdit={hasRole(ctx.role, 'editor')}
          remove={deleteMessageTemplate}
        />
      )}
    </Page>
  );
}
