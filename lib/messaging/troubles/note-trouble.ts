// What errors say of an account as a whole: noted for alerts, wherever the platform says it, in its answer to a call or
// later in the status of a message.
import type { Queryable } from '#lib/core/db/client.ts';
import type { Context } from '#lib/identity/context.ts';
import {
  ACCOUNT_TROUBLES,
  type AccountTroubleKind,
  classifyError,
} from '#lib/messaging/platform/error-table.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import {
  ACCOUNT_TROUBLE,
  type AccountNotice,
  type AccountTrouble,
} from '#lib/messaging/schema/notice-types.ts';

interface Owner {
  workspaceId: string;
  connectionId: string;
}

/** One that waits is enough, however many messages fail. */
const NOTE = `
insert into account_notices (workspace_id, connection_id, notice, received_at)
select $1::uuid, $2::uuid, $3::json, now() where not exists (
  select from account_notices where connection_id = $2 and notice ->> 'field' = $4 and notice #>> '{value,kind}' = $5
)`;

async function note(client: Queryable, owner: Owner, trouble: AccountTrouble): Promise<void> {
  const notice: AccountNotice = { field: ACCOUNT_TROUBLE, value: trouble };
  const { workspaceId, connectionId } = owner;
  await client.query(NOTE, [
    workspaceId,
    connectionId,
    JSON.stringify(notice),
    ACCOUNT_TROUBLE,
    trouble.kind,
  ]);
}

const asTrouble = (kind: string): AccountTroubleKind | undefined =>
  ACCOUNT_TROUBLES.find((each) => each === kind);

/** Notes a refusal of a call that concerns the account; of any other error nothing. It never throws. */
export async function noteCallTrouble(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  connectionId: string,
  error: unknown,
): Promise<void> {
  const kind = error instanceof PlatformError ? asTrouble(error.kind) : undefined;
  if (!kind || !(error instanceof PlatformError)) return;
  const trouble = { kind, code: error.facts.code ?? null };
  // The caller gets its own error; the next refusal is recorded.
  await note(db.$client, { workspaceId, connectionId }, trouble).catch(() => undefined);
}

/** Notes what failed messages say of the account. @param codes of their errors; of most nothing is asked */
export async function noteStatusTroubles(
  client: Queryable,
  owner: Owner,
  codes: readonly number[],
): Promise<void> {
  const found = new Map<AccountTroubleKind, AccountTrouble>();
  for (const code of codes) {
    const kind = asTrouble(classifyError(400, code));
    if (kind) found.set(kind, { kind, code });
  }
  for (const trouble of found.values()) await note(client, owner, trouble);
}
