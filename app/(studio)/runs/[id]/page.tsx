import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { RunScreen } from '#components/runs/run-screen.tsx';
import { Page, RemovedPage } from '#components/ui/page.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { executedVersion } from '#lib/engine/draft-run.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { nullIfMissing } from '#lib/core/errors.ts';
import { explainMissing } from '#lib/identity/workspaces/retention.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { MarkLooked } from '#components/runs/mark-looked.tsx';
import { cancelRun, lookAtWorkflow, planRetry, resolveTaskRun, retryRun } from '../actions.ts';
import { readRun } from '#lib/screens/read-run.ts';

export const metadata: Metadata = { title: 'Run' };

export default async function RunPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await requireMember('viewer');
  const { id } = await params;
  const view = await readRun(ctx, id).catch(nullIfMissing);
  if (view === null) {
    const why = await explainMissing(ctx, 'runs', id);
    if (why === undefined) notFound();
    return (
      <RemovedPage noun="Run" back={{ href: '/runs', label: 'Runs' }}>
        {why}
      </RemovedPage>
    );
  }
  const { nodes } = await loadGraph(ctx.db.$client, view.run.workflowId, executedVersion(view.run));
  const workflow = (await findWorkflowNames(ctx, [view.run.workflowId])).get(view.run.workflowId);
  return (
    <Page>
      <MarkLooked workflowId={view.run.workflowId} look={lookAtWorkflow} />
      <RunScreen
        key={id}
        initial={view}
        graph={{
          tasks: [...nodes.values()].map(({ task }) => task),
          edges: [...nodes.values()].flatMap(({ children }) => children),
        }}
        workflow={workflow}
        canEdit={hasRole(ctx.role, 'editor')}
        actions={{ retryRun, cancelRun, planRetry, resolveTaskRun }}
      />
    </Page>
  );
}
