// Links as stored in the database.
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import type { ApprovalLink, Decided } from './approval-link.ts';

export interface LinkRow {
  id: string;
  workspace_id: string;
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
export const LINK_COLUMNS = `l.id, l.workspace_id, l.question, l.details, l.approve_label, l.reject_label, l.has_comment,
  l.expires_at, l.closed_at, l.expires_at <= now() as is_expired,
  exists (select from runs r where r.id = l.run_id and ${isOpenRunSql('r.status')}) as is_needed,
  l.decision, l.comment, l.body, l.decided_at`;

export const toLink = (row: LinkRow): ApprovalLink => ({
  id: row.id,
  workspaceId: row.workspace_id,
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
