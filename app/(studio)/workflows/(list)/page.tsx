import { LayoutTemplate, Trash2, Workflow } from 'lucide-react';
import type { Metadata } from 'next';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, Page, PageHeader } from '#components/ui/page.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { HelpLink } from '#components/help/help-link.tsx';
import { NewWorkflowButtons } from '#components/workflows/new-workflow-buttons.tsx';
import { FirstWorkflow } from '#components/workflows/first-workflow.tsx';
import { WorkflowList } from '#components/workflows/workflow-list.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { readWorkflows, workflowFilterSchema } from '#lib/screens/read-workflows.ts';
import { SENDING_STARTERS, STARTERS } from '#lib/editor/starters/starters.ts';
import { startLogin } from '../../connections/actions.ts';
import { listOptions } from '../[id]/actions.ts';
import * as actions from '../actions.ts';

export const metadata: Metadata = { title: 'Workflows' };

const ACTIONS = { ...actions, listOptions, startLogin };
const GALLERY_ACTIONS = {
  createBlank: actions.createBlank,
  create: actions.createFromStarter,
  listOptions,
  startLogin,
};

export default async function WorkflowsPage({ searchParams }: PageProps<'/workflows'>) {
  const ctx = await requireMember('viewer');
  const firstPage = await readWorkflows(ctx, workflowFilterSchema.parse({}));
  const canEdit = hasRole(ctx.role, 'editor');
  const wanted = await searchParams;
  const initiallyOpen =
    wanted.create !== undefined ? 'create' : wanted.import !== undefined ? 'import' : null;
  return (
    <Page>
      <PageHeader
        title="Workflows"
        actions={
          canEdit && (
            <>
              <Link href="/workflows/trash" className={buttonClass({ variant: 'ghost' })}>
                <Trash2 aria-hidden />
                Trash
              </Link>
              <Link href="/gallery" className={buttonClass({ variant: 'ghost' })}>
                <LayoutTemplate aria-hidden />
                Gallery
              </Link>
              <NewWorkflowButtons actions={ACTIONS} initiallyOpen={initiallyOpen} />
            </>
          )
        }
      />
      {firstPage.total === 0 ? (
        <>
          <EmptyState
            icon={<Workflow />}
            title="No workflows yet"
            actions={
              canEdit && (
                <>
                  <Link href="/gallery" className={buttonClass({ variant: 'primary' })}>
                    <LayoutTemplate aria-hidden />
                    Browse the gallery
                  </Link>
                  <p className="w-full">
                    <HelpLink page="firstFlow">First flow in five minutes</HelpLink>
                  </p>
                </>
              )
            }
          >
            A workflow receives webhooks and sends messages. Start from one in the gallery, or create your
            own.
          </EmptyState>
          {canEdit && (
            <FirstWorkflow starters={STARTERS} senders={SENDING_STARTERS} actions={GALLERY_ACTIONS} />
          )}
        </>
      ) : (
        <WorkflowList firstPage={firstPage} canEdit={canEdit} actions={ACTIONS} />
      )}
    </Page>
  );
}
