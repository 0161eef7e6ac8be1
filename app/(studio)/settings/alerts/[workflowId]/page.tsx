import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { WorkflowAlertsForm } from '#components/alerts/workflow-alerts-form.tsx';
import { getWorkflowAlertSettings } from '#lib/alerts/stored-settings.ts';
import { loadDestinations } from '#lib/alerts/destinations/load-destinations.ts';
import { AppError } from '#lib/core/errors.ts';
import { requireMember } from '#lib/identity/auth/session.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { saveWorkflowAlerts } from '../actions.ts';

export const metadata: Metadata = { title: 'Alerts of a workflow' };

export default async function WorkflowAlertsPage({ params }: { params: Promise<{ workflowId: string }> }) {
  const ctx = await requireMember('viewer');
  const { workflowId: id } = await params;
  try {
    const [workflow, settings, destinations] = await Promise.all([
      getWorkflow(ctx, { id }),
      getWorkflowAlertSettings(ctx, { id }),
      loadDestinations(ctx.db, ctx.workspaceId),
    ]);
    return (
      <div className="flex flex-col gap-4">
        <p className="text-muted">
          <Link href="/settings/alerts" className="text-accent hover:underline">
            Alerts
          </Link>{' '}
          /{' '}
          <Link href={`/workflows/${id}`} className="text-accent hover:underline">
            {workflow.name}
          </Link>
        </p>
        <WorkflowAlertsForm
          workflowId={id}
          settings={settings}
          destinations={destinations.map(({ id: destinationId, name }) => ({ id: destinationId, name }))}
          save={hasRole(ctx.role, 'editor') ? saveWorkflowAlerts : undefined}
        />
      </div>
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') notFound();
    throw error;
  }
}
