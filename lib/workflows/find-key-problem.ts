import { desc, eq, ne } from 'drizzle-orm';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { tokenBinding } from './to-workflow.ts';

/**
 * A problem with encryption keys: null when they decrypt the stored secrets, or there are none.
 * @param keys `ENCRYPTION_KEYS`
 */
export async function findKeyProblem(db: Database, keys: string): Promise<string | null> {
  const [newest] = await db
    .select({
      id: workflows.id,
      workspaceId: workflows.workspaceId,
      sealed: webhookTokens.tokenEncrypted,
    })
    .from(webhookTokens)
    .innerJoin(workflows, eq(workflows.id, webhookTokens.workflowId))
    .where(ne(webhookTokens.tokenEncrypted, ''))
    .orderBy(desc(webhookTokens.createdAt))
    .limit(1);
  try {
    const secrets = createSecretBox(keys);
    if (newest) secrets.open(newest.sealed, tokenBinding(newest.workspaceId, newest.id));
    return null;
  } catch (error) {
    return (
      `ENCRYPTION_KEYS does not open what this database holds (${(error as Error).message}). ` +
      'Set the keys that it was made with, or put its secrets.json back into the data folder.'
    );
  }
}
