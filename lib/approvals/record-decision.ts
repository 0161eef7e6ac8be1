import type { Pool } from '#lib/core/db/client.ts';
import { inTransaction } from '#lib/core/db/in-transaction.ts';
import { AppError } from '#lib/core/errors.ts';
import { deliverSignals } from '#lib/engine/store/deliver-signals.ts';
import { type ApprovalLink, approvalKey, type Decided, stateOf } from './approval-link.ts';
import { findLink } from './find-link.ts';

const DECIDE = `
update approval_links set decision = $2, comment = $3, body = $4, decided_at = now() where id = $1 returning decided_at`;

/**
 * Records a decision and signals the run that waits for it, in one transaction. The first decision counts; concurrent ones
 * are refused.
 * @throws AppError `not_found`; `conflict` when it was decided before; `gone` when no decision is needed any more
 */
export function recordDecision(
  pool: Pool,
  token: string,
  { decision, comment, body }: Omit<Decided, 'decidedAt'>,
): Promise<Decided> {
  return inTransaction(pool, async (client) => {
    const link = await findLink(client, token, 'for update');
    if (!link) throw noSuchLink();
    assertOpen(link);
    const { id, workspaceId } = link;
    const { rows } = await client.query<{ decided_at: Date }>({
      name: 'record_decision',
      text: DECIDE,
      values: [id, decision, comment, body],
    });
    const key = approvalKey(id);
    const payload = JSON.stringify({ link_id: id });
    await deliverSignals(client, [{ workspaceId, keys: [key], id: key, payload }]);
    return { decision, comment, body, decidedAt: (rows[0] as { decided_at: Date }).decided_at };
  });
}

export const noSuchLink = (): AppError =>
  new AppError('not_found', 'This link does not exist. Check that you opened the complete link.');

/** @throws AppError `conflict`, `gone` */
function assertOpen(link: ApprovalLink): void {
  const state = stateOf(link);
  if (state !== 'open') throw new AppError(state === 'decided' ? 'conflict' : 'gone', reasonOf(link));
}

/** Why a link cannot be decided. */
export function reasonOf(link: ApprovalLink): string {
  const { decided, expiresAt, closedAt } = link;
  switch (stateOf(link)) {
    case 'decided':
      return `This was already ${decided?.decision} at ${decided?.decidedAt.toISOString()}. The decision cannot be changed.`;
    case 'expired':
      return `This link expired at ${expiresAt.toISOString()}.`;
    case 'closed':
      return `Nobody decided by ${closedAt?.toISOString()}, so the workflow continued without a decision.`;
    default:
      return 'A decision is no longer needed: the run has ended.';
  }
}
