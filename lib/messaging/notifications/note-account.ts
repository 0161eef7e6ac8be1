import type { Queryable } from '#lib/core/db/client.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { NOTICED_FIELDS, type NoticedField } from '#lib/messaging/schema/notice-types.ts';
import type { Change } from './notification-types.ts';
import type { ChangeOwner } from './record-change.ts';

const NOTE = `
insert into account_notices (workspace_id, connection_id, notice, received_at)
select $1, $2, notice, $3 from unnest($4::json[]) as n(notice)`;

/** Notes what changes say of templates and numbers, for alerts. Of messages and statuses it asks nothing. */
export async function noteAccount(
  client: Queryable,
  { workspaceId, connectionId }: ChangeOwner,
  changes: readonly Change[],
  receivedAt: Date,
): Promise<void> {
  const notices = changes.flatMap((change) => {
    const field = fieldOf(change);
    return field ? [stringifyJson({ field, value: change.raw })] : [];
  });
  if (notices.length > 0) await client.query(NOTE, [workspaceId, connectionId, receivedAt, notices]);
}

function fieldOf(change: Change): NoticedField | undefined {
  if (change.kind === 'template') return 'message_template_status_update';
  if (change.kind !== 'other' || !change.isKnown) return undefined;
  return NOTICED_FIELDS.find((field) => field === change.field);
}
