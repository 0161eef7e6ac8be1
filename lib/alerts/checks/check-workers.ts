import { writeInstant } from '#lib/core/time/zones.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import type { AlertContent } from '../alert-types.ts';
import type { AlertRuntime } from '../runtime.ts';
import { recordOnce } from './record-findings.ts';

/**
 * Reports in the first workspace that no worker runs, once until one does, whichever process detects it.
 * @param since when the last worker was missed; null: one runs
 */
export async function recordMissingWorkers(
  runtime: AlertRuntime,
  since: Date | null,
  now = new Date(),
): Promise<void> {
  const workspaceId = await findFirstWorkspace(runtime.db);
  if (workspaceId === null) return;
  await recordOnce(
    runtime,
    {
      workspaceId,
      workflowId: null,
      kind: 'queue',
      about: 'workers',
      trouble: since && 'none',
      content: (zone) => describeMissingWorkers(since ?? now, zone),
    },
    now,
  );
}

const describeMissingWorkers = (since: Date, zone: string): AlertContent => ({
  title: 'No worker is running',
  paragraphs: [
    `No worker has been running since ${writeInstant(since, zone)}. Messages wait; nothing is lost. Webhooks are still accepted, and their runs start when a worker is back.`,
    'Start a worker. If one is supposed to be running, its log says why it ended. Settings → Health shows when one is back.',
  ],
  link: { label: 'Open Health', path: '/settings/health' },
  since: since.toISOString(),
});
