import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { TemplateForm } from '#components/message-templates/template-form.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { listAllConnections } from '#lib/screens/connection-uses.ts';
import { createMessageTemplate } from '../actions.ts';

export const metadata: Metadata = { title: 'New message template' };

export default async function NewMessageTemplatePage({
  searchParams,
}: {
  searchParams: Promise<{ connection?: string | string[] }>;
}) {
  const ctx = await requireMember('editor');
  const { connection } = await searchParams;
  const connections = await listAllConnections(ctx);
  const chosen = connections.find(({ id }) => id === connection) ?? connections[0];
  if (!chosen) redirect('/message-templates');
  return (
    <Page>
      <PageHeader
        title="New message template"
        back={{ href: `/message-templates?connection=${chosen.id}`, label: 'Message templates' }}
        description={`For ${chosen.business_account_name ?? chosen.name}. The platform reviews it, which takes 24 to 48 hours.`}
      />
      <TemplateForm
        connectionId={chosen.id}
        senderName={chosen.business_account_name ?? chosen.name}
        create={createMessageTemplate}
      />
    </Page>
  );
}
