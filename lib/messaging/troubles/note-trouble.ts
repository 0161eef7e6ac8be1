// Errors that affect an account as a whole: recorded for alerts, whether the platform reports them in the response to a call or
// in the status of a message.
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

/** One pending record is enough, however many messages fail. */
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

/** Records a refused call that affects the account; ignores any other error. It never throws. */
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

/** Records errors of failed messages that affect the account. @param codes of their errors; most need no query */
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
