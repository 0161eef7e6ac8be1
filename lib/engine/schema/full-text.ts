// The full-text index of events and runs, which an operator switches on (docs/decisions/full-text.md).
import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, primaryKey, smallint, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from '#lib/identity/schema/workspaces.ts';

/** One row while it is on. */
export const fullTextSwitch = pgTable(
  'full_text_switch',
  {
    id: smallint('id').primaryKey().default(1),
    since: instant('since').notNull().defaultNow(),
  },
  () => [check('full_text_switch_one_row', sql`id = 1`)],
);

/** Spans of a workspace's time, without gaps between the first and the last: what was created in one is indexed together. */
export const fullTextSegments = pgTable(
  'full_text_segments',
  {
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().unique(),
    workspaceId: uuid('workspace_id').notNull(),
    /** Milliseconds since 1970, inclusive; 0: from the first event on. */
    fromMs: bigint('from_ms', { mode: 'number' }).notNull(),
    /** Exclusive. */
    toMs: bigint('to_ms', { mode: 'number' }).notNull(),
    /** Null: to be indexed, or to be indexed again. */
    documents: integer('documents'),
    /** The ids of its events, and of runs that were started later for an event, 16 bytes each, in order. */
    ids: bytea('ids'),
    /** Increased when a text is removed, so that one that was read before is not written afterwards. */
    version: integer('version').notNull().default(0),
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.fromMs] })],
);

/** Which documents of a segment have which parts of words, a part of them in each row (lib/events/full-text/postings.ts). */
export const fullTextPostings = pgTable(
  'full_text_postings',
  {
    segmentId: bigint('segment_id', { mode: 'number' }).notNull(),
    bucket: smallint('bucket').notNull(),
    entries: bytea('entries').notNull(),
  },
  (table) => [primaryKey({ columns: [table.segmentId, table.bucket] })],
);
