import { createdAtMs, lowestIdAt } from '#lib/core/ids.ts';
import { freezeMessages } from '#lib/messaging/reports/count-days.ts';
import { type Candidate, oldestById, oldestByTime, type Part } from './parts.ts';

const LIST_MESSAGES = oldestByTime('sent_messages', 'created_at', 'message_id');

/**
 * Messages and their statuses. Their ids are the platform's, so their place is that of an id of their time: several have the
 * same, and a batch may end between them, so the next one begins with it again. Reports count them before they are removed.
 */
export const MESSAGES: Part = {
  name: 'messages',
  async list(db, { workspaceId, after, before, limit }) {
    const bounds = [after, before].map((id) => new Date(createdAtMs(id)));
    const { rows } = await db.query<{ key: string; at: Date }>(LIST_MESSAGES, [
      workspaceId,
      ...bounds,
      limit,
    ]);
    await freezeMessages(
      db,
      workspaceId,
      rows.map(({ at }) => at),
    );
    return rows.map(({ key, at }) => ({ key, position: lowestIdAt(at.getTime()) }));
  },
  select: async (_db, _ctx, { keys }) => ({ removable: keys, kept: [] }),
  async remove(db, _ctx, { workspaceId, keys }) {
    const statement = 'delete from sent_messages where workspace_id = $1 and message_id = any($2)';
    return (await db.query(statement, [workspaceId, keys])).rowCount ?? 0;
  },
};

const LIST_RECEIVED = oldestByTime(
  'received_messages',
  'received_at',
  'json_build_array(message_id, event_id)::text',
);

const DELETE_RECEIVED = `
delete from received_messages r using unnest($2::text[], $3::uuid[]) as due(message_id, event_id)
where r.workspace_id = $1 and r.message_id = due.message_id and r.event_id = due.event_id`;

/** That customers wrote; what they wrote goes with its event. */
export const RECEIVED: Part = {
  name: 'received',
  async list(db, { workspaceId, after, before, limit }) {
    const bounds = [after, before].map((id) => new Date(createdAtMs(id)));
    const { rows } = await db.query<{ key: string; at: Date }>(LIST_RECEIVED, [
      workspaceId,
      ...bounds,
      limit,
    ]);
    return rows.map(({ key, at }) => ({ key, position: lowestIdAt(at.getTime()) }));
  },
  select: async (_db, _ctx, { keys }) => ({ removable: keys, kept: [] }),
  async remove(db, _ctx, { workspaceId, keys }) {
    const pairs = keys.map((key) => JSON.parse(key) as [messageId: string, eventId: string]);
    const columns = [pairs.map(([messageId]) => messageId), pairs.map(([, eventId]) => eventId)];
    return (await db.query(DELETE_RECEIVED, [workspaceId, ...columns])).rowCount ?? 0;
  },
};

const LIST_AUDIT = oldestById('audit_entries');

/** Entries of the audit log. */
export const AUDIT: Part = {
  name: 'audit',
  async list(db, { workspaceId, after, before, limit }) {
    return (await db.query<Candidate>(LIST_AUDIT, [workspaceId, after, before, limit])).rows;
  },
  select: async (_db, _ctx, { keys }) => ({ removable: keys, kept: [] }),
  async remove(db, _ctx, { keys }) {
    return (await db.query('delete from audit_entries where id = any($1::uuid[])', [keys])).rowCount ?? 0;
  },
};
