// Links as stored in the database.
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { Pool, Queryable } from '#lib/core/db/client.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { isToken } from '#lib/webhooks/tokens.ts';
import { approvalKey, type ApprovalLink, type Decided, type LinkPage } from './approval-link.ts';

interface LinkRow {
  id: string;
  workspace_id: string;
  zone: string;
  question: string;
  details: string;
  approve_label: string;
  reject_label: string;
  has_comment: boolean;
  expires_at: Date;
  closed_at: Date | null;
  is_expired: boolean;
  is_needed: boolean;
  decision: Decided['decision'] | null;
  comment: string | null;
  body: string | null;
  decided_at: Date | null;
}

/** SQL of the columns of a link `l`. */
const LINK_COLUMNS = `l.id, l.workspace_id, l.question, l.details, l.approve_label, l.reject_label, l.has_comment,
  l.expires_at, l.closed_at, l.expires_at <= now() as is_expired,
  exists (select from runs r where r.id = l.run_id and ${isOpenRunSql('r.status')}) as is_needed,
  coalesce((select t.zone from workspace_times t where t.workspace_id = l.workspace_id), 'UTC') as zone,
  l.decision, l.comment, l.body, l.decided_at`;

const toLink = (row: LinkRow): ApprovalLink => ({
  id: row.id,
  workspaceId: row.workspace_id,
  zone: row.zone,
  question: row.question,
  details: row.details,
  approveLabel: row.approve_label,
  rejectLabel: row.reject_label,
  hasComment: row.has_comment,
  expiresAt: row.expires_at,
  closedAt: row.closed_at,
  isExpired: row.is_expired,
  isNeeded: row.is_needed,
  decided: toDecided(row),
});

function toDecided({ decision, comment, body, decided_at: decidedAt }: LinkRow): Decided | null {
  if (!decision || !decidedAt) return null;
  return { decision, comment: comment ?? '', body: body ?? '{}', decidedAt };
}

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

const FIND = `select ${LINK_COLUMNS} from approval_links l where l.token_hash = $1`;

/**
 * The link of a token; undefined where there is none.
 * @param lock `for update`: locks it until the transaction ends
 */
export async function findLink(
  client: Queryable,
  token: string,
  lock?: 'for update',
): Promise<ApprovalLink | undefined> {
  if (!isToken(token)) return undefined;
  const statement = lock
    ? { name: 'lock_approval_link', text: `${FIND} for update of l` }
    : { name: 'find_approval_link', text: FIND };
  const { rows } = await client.query<LinkRow>({ ...statement, values: [hashToken(token)] });
  return rows[0] && toLink(rows[0]);
}

/** Until then a link shows that it has expired, or its decision; afterwards it is unknown. */
const PRUNE = `delete from approval_links where expires_at < now() - interval '30 days'`;

/** Removes links that expired a month ago. */
export async function pruneLinks(pool: Pool): Promise<void> {
  await pool.query(PRUNE);
}

// Opens and closes links for the task runs that wait for them. Both statements change the link's row, as a decision does, so
// that they are serialized.

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
