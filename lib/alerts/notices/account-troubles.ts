import { and, eq } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import type { AccountTrouble } from '#lib/messaging/schema/notice-types.ts';
import type { AlertContent } from '../alert-types.ts';
import { alertStates } from '../schema.ts';

/** The problem is over after this time without a further refusal; the next one is reported again. */
const OVER_MS = 24 * 3_600_000;

/** A connection's problem that is reported once: another one is reported separately. */
export const matterOf = (connectionId: string, { kind }: AccountTrouble): string =>
  `account:${connectionId}:${kind}`;

/**
 * Records that the platform refuses to work for an account, and locks the state until the transaction ends.
 * @returns whether it is not reported yet, or was over since
 */
export async function rememberTrouble(
  tx: Transaction,
  workspaceId: string,
  matter: string,
  now: Date,
): Promise<boolean> {
  const [known] = await tx
    .insert(alertStates)
    .values({ workspaceId, matter })
    .onConflictDoUpdate({ target: [alertStates.workspaceId, alertStates.matter], set: { matter } })
    .returning();
  const isNew = !known || known.toldOf === null || now.getTime() - known.updatedAt.getTime() >= OVER_MS;
  await tx
    .update(alertStates)
    .set({ toldOf: 'refused', updatedAt: now, ...(isNew ? { toldAt: now } : {}) })
    .where(and(eq(alertStates.workspaceId, workspaceId), eq(alertStates.matter, matter)));
  return isNew;
}

const WORDS: Readonly<
  Record<AccountTrouble['kind'], { title: (name: string) => string; why: string; fix: string }>
> = {
  restricted: {
    title: (name) => `The account of the connection “${name}” is restricted`,
    why: 'The platform refuses messages because it has restricted the business account, or its messages to a country.',
    fix: 'See the account’s page at the platform for the reason and how to appeal. When the restriction is lifted, retry the runs that failed since then.',
  },
  payment: {
    title: (name) => `The account of the connection “${name}” has a payment problem`,
    why: 'The platform refuses messages because it cannot charge the business account.',
    fix: 'Add or fix the payment method of the account at the platform, then retry the runs that failed since then.',
  },
};

/** The alert about it. */
export function describeTrouble(
  { id, name }: { id: string; name: string },
  trouble: AccountTrouble,
): AlertContent {
  const { title, why, fix } = WORDS[trouble.kind];
  return {
    title: title(name),
    paragraphs: [`${why}${trouble.code === null ? '' : ` Its error code is ${trouble.code}.`}`, fix],
    link: { label: 'Open the connection', path: `/connections/${id}` },
  };
}
