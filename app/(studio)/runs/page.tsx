import type { Metadata } from 'next';
import { ExportDialog } from '#components/exports/export-dialog.tsx';
import { MarkLooked } from '#components/runs/mark-looked.tsx';
import { CustomerOfRuns, RunsScreen } from '#components/runs/runs-screen.tsx';
import { Page, PageHeader } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { listWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { cancelRuns, lookAtWorkflow, retryRuns } from './actions.ts';
import { readCustomerName } from '#lib/screens/read-customers.ts';
import { runFilterSchema, readRuns } from '#lib/screens/read-runs.ts';

export const metadata: Metadata = { title: 'Runs' };

export default async function RunsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const ctx = await requireMember('viewer');
  const filter = runFilterSchema.parse({ ...(await searchParams), cursor: undefined });
  const [firstPage, workflows, customerName] = await Promise.all([
    readRuns(ctx, filter),
    listWorkflowNames(ctx),
    filter.customer === undefined ? null : readCustomerName(ctx, filter.customer),
  ]);
  return (
    <Page>
      <PageHeader
        title="Runs"
        description="Every workflow run, newest first."
        actions={<ExportDialog kind="runs" />}
      />
      {filter.workflow !== undefined && <MarkLooked workflowId={filter.workflow} look={lookAtWorkflow} />}
      {filter.customer !== undefined && <CustomerOfRuns id={filter.customer} name={customerName} />}
      <RunsScreen
        firstPage={firstPage}
        workflows={workflows}
        canEdit={hasRole(ctx.role, 'editor')}
        retryRuns={retryRuns}
        cancelRuns={cancelRuns}
      />
    </Page>
  );
}
