// Opens and closes links for the task runs that wait for them. Both statements change the link's row, as a decision does, so
// that they are serialized.
import type { Pool } from '#lib/core/db/client.ts';
import { isId } from '#lib/core/ids.ts';
import { type ApprovalLink, approvalKey } from './approval-link.ts';
import { LINK_COLUMNS, type LinkRow, toLink } from './link-row.ts';

interface Waiting {
  linkId: string;
  workspaceId: string;
  /** When the execution began that waits, or stops waiting. */
  now: Date;
}

/** Reopens what an earlier wait has closed, but not what was closed since, in case this statement is executed late. */
const BEGIN = `
update approval_links l set run_id = $3, closed_at = case when l.closed_at > $4 then l.closed_at end
where l.id = $1 and l.workspace_id = $2 returning ${LINK_COLUMNS}`;

/** Begins a run's wait for a link's decision. @returns the current link; undefined where there is none */
export async function beginWait(
  pool: Pool,
  { linkId, workspaceId, now, runId }: Waiting & { runId: string },
): Promise<ApprovalLink | undefined> {
  return change(pool, {
    name: 'begin_approval_wait',
    text: BEGIN,
    values: [linkId, workspaceId, runId, now],
  });
}

const END = `
update approval_links l set closed_at = coalesce(l.closed_at, case when l.decision is null and not exists (
    select from signal_waits w where w.workspace_id = l.workspace_id and w.key = $4 and w.is_open
  ) then $3::timestamptz end)
where l.id = $1 and l.workspace_id = $2 returning ${LINK_COLUMNS}`;

/**
 * Ends a recorded wait: a link that is undecided, and that no other task run waits for, is closed, and later decisions are
 * refused.
 * @returns the current link; undefined where there is none
 */
export async function endWait(
  pool: Pool,
  { linkId, workspaceId, now }: Waiting,
): Promise<ApprovalLink | undefined> {
  return change(pool, {
    name: 'end_approval_wait',
    text: END,
    values: [linkId, workspaceId, now, approvalKey(linkId)],
  });
}

async function change(
  pool: Pool,
  statement: { name: string; text: string; values: [string, string, ...unknown[]] },
): Promise<ApprovalLink | undefined> {
  if (!isId(statement.values[0])) return undefined;
  const { rows } = await pool.query<LinkRow>(statement);
  return rows[0] && toLink(rows[0]);
}
