import type { Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { LinkPage } from './approval-link.ts';

export interface NewLink extends LinkPage {
  workspaceId: string;
  runId: string;
  taskId: number;
  expiresAt: Date;
}

const CREATE = `
insert into approval_links (id, token_hash, workspace_id, run_id, task_id, question, details, approve_label, reject_label,
  has_comment, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** PostgreSQL's texts cannot contain it. */
const withoutNul = (text: string): string => text.replaceAll('\u0000', '');

/**
 * Creates a link. Its token is only returned here. When a process dies in between and the link is created again, the first
 * one leads to the same run, but was never sent to anybody.
 */
export async function createLink(pool: Pool, link: NewLink): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), newToken()];
  const { workspaceId, runId, taskId, hasComment, expiresAt } = link;
  const texts = [link.question, link.details, link.approveLabel, link.rejectLabel].map(withoutNul);
  const values = [id, hashToken(token), workspaceId, runId, taskId, ...texts, hasComment, expiresAt];
  await pool.query({ name: 'create_approval_link', text: CREATE, values });
  return { id, token };
}
