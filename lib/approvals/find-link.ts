import type { Queryable } from '#lib/core/db/client.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import { isToken } from '#lib/webhooks/tokens.ts';
import type { ApprovalLink } from './approval-link.ts';
import { LINK_COLUMNS, type LinkRow, toLink } from './link-row.ts';

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
