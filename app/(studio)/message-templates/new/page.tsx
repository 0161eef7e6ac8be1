import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { findUneditable, toDraft } from '#components/message-templates/template-draft.ts';
import { TemplateForm } from '#components/message-templates/template-form.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { getMessageTemplate } from '#lib/messaging/message-templates/list-message-templates.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { listAllConnections } from '#lib/screens/connection-uses.ts';
import { createMessageTemplate, updateMessageTemplate } from '../actions.ts';

export const metadata: Metadata = { title: 'Message template' };

/** `?copy=` starts with another template's content, `?edit=` replaces a template's. */
export default async function NewMessageTemplatePage({ searchParams }: PageProps<'/message-templates/new'>) {
  const ctx = await requireMember('editor');
  const { connection, copy, edit } = await searchParams;
  const connections = await listAllConnections(ctx);
  const chosen = connections.find(({ id }) => id === connection) ?? connections[0];
  if (!chosen) redirect('/message-templates');
  const sourceId = [edit, copy].find((each) => typeof each === 'string');
  const source =
    typeof sourceId === 'string'
      ? await getMessageTemplate(toMessagingContext(ctx), { id: chosen.id, templateId: sourceId })
      : undefined;
  // The list says why; what the form does not know would be lost.
  if (source && findUneditable(source.components).length > 0)
    redirect(`/message-templates?connection=${chosen.id}`);
  const isEdit = typeof edit === 'string';
  const account = chosen.business_account_name ?? chosen.name;
  return (
    <Page>
      <PageHeader
        title={isEdit ? 'Edit message template' : 'New message template'}
        back={{ href: `/message-templates?connection=${chosen.id}`, label: 'Message templates' }}
        description={
          isEdit
            ? 'The platform reviews it again. An approved template can be edited once a day.'
            : `For ${account}. The platform reviews it, which takes 24 to 48 hours.`
        }
      />
      <TemplateForm
        connectionId={chosen.id}
        senderName={account}
        initial={source && { ...toDraft(source), ...(isEdit ? {} : { name: `${source.name}_copy` }) }}
        templateId={isEdit ? edit : undefined}
        create={createMessageTemplate}
        update={updateMessageTemplate}
      />
    </Page>
  );
}
