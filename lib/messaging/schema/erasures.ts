// Customers whose data was erased (docs/decisions/erasure.md). Nothing here says who they were: names are stored as hashes with a
// key of the workspace, which is encrypted.
import { sql } from 'drizzle-orm';
import { check, index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import type { ConsentPurpose } from './consent-types.ts';

const ofWorkspace = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });

/** Numbers of rows and values by their kind. */
export type ErasedCounts = Readonly<Record<string, number>>;

/** Erasures, as their receipts show them, and how far a worker has come with each. */
export const erasures = pgTable(
  'erasures',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    requestedAt: instant('requested_at').notNull(),
    /** Who erased: a user, an API key, or a command. */
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    counts: json('counts').$type<ErasedCounts>().notNull(),
    /** The customer's names as JSON, sealed; null: the erasure is finished. */
    subject: text('subject_encrypted'),
    /** The step that is worked on, and the row that it has come to. */
    step: integer('step').notNull().default(0),
    position: text('position').notNull().default(''),
    /** Open runs that send to others, too: their contents are erased when they have ended. */
    waitsFor: uuid('waits_for').array().notNull().default([]),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    index('erasures_workspace').on(table.workspaceId, table.id),
    index('erasures_unfinished')
      .on(table.id)
      .where(sql`finished_at is null`),
  ],
);

/** The key of a workspace's hashes; made by its first erasure. */
export const erasureKeys = pgTable('erasure_keys', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  key: text('key_encrypted').notNull(),
});

/** Names that were erased, so that a stop still counts, and a restored backup is erased again. */
export const erasedNames = pgTable(
  'erased_names',
  {
    workspaceId: ofWorkspace(),
    /** HMAC-SHA-256 of the name with the workspace's key. */
    nameHash: bytea('name_hash').notNull(),
    erasureId: uuid('erasure_id').notNull(),
    erasedAt: instant('erased_at').notNull(),
    /** The widest purpose that the customer had stopped; null: none. */
    stopped: text('stopped').$type<ConsentPurpose>(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.nameHash] }),
    check('erased_names_stopped', sql`stopped in ('marketing', 'all')`),
  ],
);
