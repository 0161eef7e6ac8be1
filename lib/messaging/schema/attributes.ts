// What workflows and members remember of customers, under the name of the customer that it was written for: names that join bring
// theirs along, and the newest counts.
import { sql } from 'drizzle-orm';
import { bigint, check, index, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import type { AttributeType } from './attribute-types.ts';
import type { Evidence } from './consent-types.ts';

const ofWorkspace = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });

/** The current values. */
export const customerAttributes = pgTable(
  'customer_attributes',
  {
    workspaceId: ofWorkspace(),
    /** Digits of a number, or a user id. */
    name: text('name').notNull(),
    attribute: text('attribute').notNull(),
    type: text('type').$type<AttributeType>().notNull(),
    /** In the spelling of its type (`attribute-types.ts`). */
    value: text('value').notNull(),
    at: instant('at').notNull(),
    evidence: json('evidence').$type<Evidence>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.name, table.attribute] }),
    check('customer_attributes_type', sql`type in ('text', 'number', 'date', 'yes_no')`),
  ],
);

/** Every write, in the order of the writes of an attribute. */
export const attributeChanges = pgTable(
  'attribute_changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    attribute: text('attribute').notNull(),
    type: text('type').$type<AttributeType>().notNull(),
    /** Null: it was removed. */
    value: text('value'),
    at: instant('at').notNull(),
    evidence: json('evidence').$type<Evidence>().notNull(),
  },
  (table) => [
    // A customer's timeline.
    index('attribute_changes_name').on(table.workspaceId, table.name, table.at),
    index('attribute_changes_age').on(table.workspaceId, table.at),
  ],
);
