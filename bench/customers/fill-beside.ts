import type { Pool } from '#lib/core/db/client.ts';
import { ACCOUNT } from '../webhooks/platform-notification.ts';
import { fill } from './fill.ts';
import { withoutDurability } from './without-indexes.ts';

/** Fills the workspace of a measurement with messages, but no runs, which it waits for. @param messages 0: none */
export async function fillBeside(
  pool: Pool,
  {
    workflowId,
    messages,
    ...of
  }: {
    workspaceId: string;
    connectionId: string;
    workflowId: string;
    messages: number;
    say: (line: string) => void;
  },
): Promise<void> {
  if (messages === 0) return;
  const workflows = { sendingIds: [workflowId], answeringId: workflowId };
  const phoneNumberIds = ['300000000000001', '300000000000002', '300000000000003'];
  await withoutDurability(pool, () =>
    fill(pool, { ...of, ...workflows, phoneNumberIds, businessAccountId: ACCOUNT, messages, hasRuns: false }),
  );
}
