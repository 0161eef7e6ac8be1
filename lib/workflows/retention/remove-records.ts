import { createdAtMs } from '#lib/core/ids.ts';
import { freezeMessages } from '#lib/messaging/reports/count-days.ts';
import { columnsOf, listById, listByTime, type Part } from './parts.ts';

const listMessages = listByTime('sent_messages', 'message_id as key', 'created_at');

/** Messages and their statuses; their ids are the platform's, so that they are ordered by time. Reports count them before they are removed. */
export const MESSAGES: Part = {
  name: 'messages',
  async list(db, range) {
    const found = await listMessages(db, range);
    const instants = found.map(({ position }) => new Date(createdAtMs(position)));
    await freezeMessages(db, range.workspaceId, instants);
    return found;
  },
  async remove(db, _ctx, { workspaceId, keys }) {
    const statement = 'delete from sent_messages where workspace_id = $1 and message_id = any($2)';
    return (await db.query(statement, [workspaceId, keys])).rowCount ?? 0;
  },
};

const DELETE_RECEIVED = `
delete from received_messages r using unnest($2::text[], $3::uuid[]) as due(message_id, event_id)
where r.workspace_id = $1 and r.message_id = due.message_id and r.event_id = due.event_id`;

/** That customers wrote; what they wrote goes with its event. */
export const RECEIVED: Part = {
  name: 'received',
  list: listByTime('received_messages', 'json_build_array(message_id, event_id)::text as key', 'received_at'),
  async remove(db, _ctx, { workspaceId, keys }) {
    return (await db.query(DELETE_RECEIVED, [workspaceId, ...columnsOf(keys)])).rowCount ?? 0;
  },
};

/** Entries of the audit log. */
export const AUDIT: Part = {
  name: 'audit',
  list: listById('audit_entries'),
  async remove(db, _ctx, { keys }) {
    return (await db.query('delete from audit_entries where id = any($1::uuid[])', [keys])).rowCount ?? 0;
  },
};
