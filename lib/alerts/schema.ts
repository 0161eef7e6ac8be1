// Alerts, their deliveries, and the state that prevents duplicates.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import type { AlertContent, Channel, DestinationConfig } from './alert-types.ts';
import type { AlertKind } from './kinds.ts';

const ownWorkspace = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });

/**
 * Failed runs that are not reported yet: inserted by the statement in which a run fails (lib/engine/store), deleted in the
 * transaction that records the alert. Without a unique key, so that a failing run never waits for a lock.
 */
export const failedRuns = pgTable('failed_runs', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  runId: uuid('run_id').notNull(),
  workspaceId: uuid('workspace_id').notNull(),
  workflowId: uuid('workflow_id').notNull(),
  failedAt: instant('failed_at').notNull(),
});

/** Recorded alerts. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ownWorkspace(),
    kind: text('kind').$type<AlertKind>().notNull(),
    /** Null: no workflow. */
    workflowId: uuid('workflow_id'),
    content: json('content').$type<AlertContent>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('alerts_workspace').on(table.workspaceId, table.id),
    index('alerts_created').on(table.createdAt),
  ],
);

/** The delivery of one alert to one destination; several addresses have a row each. */
export const alertDeliveries = pgTable(
  'alert_deliveries',
  {
    id: uuid('id').primaryKey(),
    alertId: uuid('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    destinationId: uuid('destination_id').notNull(),
    channel: text('channel').$type<Channel>().notNull(),
    /** Name for users: an address, a host, the name of a workflow. */
    target: text('target').notNull(),
    /** For an email: its row in `mails` has the outcome. */
    mailId: uuid('mail_id'),
    /** The event that started the workflow. */
    eventId: uuid('event_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Of one that 0.2.0 queued: its next attempt. Null: a job sends it. To be removed in the version after 0.3.0. */
    dueAt: instant('due_at').defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    /** Why the last attempt failed, or none was made, in plain words. */
    problem: text('problem'),
    /** It waits for the digest of this recipient (`alert_recipients`). */
    gatheredFor: uuid('gathered_for'),
    /** The delivery of the digest in which it was sent. */
    digestDeliveryId: uuid('digest_delivery_id'),
  },
  (table) => [
    index('alert_deliveries_alert').on(table.alertId),
    index('alert_deliveries_gathered')
      .on(table.gatheredFor, table.id)
      .where(sql`gathered_for is not null`),
    index('alert_deliveries_due')
      .on(table.dueAt)
      .where(sql`sent_at is null and failed_at is null and mail_id is null`),
  ],
);

/** Recent alerts of a kind to a recipient, which decide when they are combined (lib/alerts/digests). */
export const alertRecipients = pgTable(
  'alert_recipients',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ownWorkspace(),
    kind: text('kind').$type<AlertKind>().notNull(),
    /** An address, or the id of a destination. */
    recipient: text('recipient').notNull(),
    windowStartedAt: instant('window_started_at').notNull(),
    directCount: integer('direct_count').notNull(),
    /** When the digest of waiting alerts is due; null: none wait. */
    digestAt: instant('digest_at'),
  },
  (table) => [
    uniqueIndex('alert_recipients_key').on(table.workspaceId, table.kind, table.recipient),
    index('alert_recipients_digest')
      .on(table.digestAt)
      .where(sql`digest_at is not null`),
  ],
);

/** Destinations. The one with the workspace's id are its owners; without a row they have the defaults. */
export const alertDestinations = pgTable(
  'alert_destinations',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ownWorkspace(),
    name: text('name').notNull(),
    config: json('config').$type<DestinationConfig>().notNull(),
    /** Of a webhook: the signing secret. */
    secretEncrypted: text('secret_encrypted'),
    kinds: text('kinds').array().$type<AlertKind[]>().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('alert_destinations_workspace').on(table.workspaceId, table.id)],
);

/** Thresholds of a workspace; missing rows and fields have the defaults. */
export const alertSettings = pgTable('alert_settings', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  settings: json('settings').notNull(),
});

/** A workflow's deviations from its workspace. */
export const workflowAlertSettings = pgTable('workflow_alert_settings', {
  workflowId: uuid('workflow_id')
    .primaryKey()
    .references(() => workflows.id, { onDelete: 'cascade' }),
  settings: json('settings').notNull(),
});

/** The state of each problem: when it was reported, and what happened since. */
export const alertStates = pgTable(
  'alert_states',
  {
    workspaceId: ownWorkspace(),
    /** The problem: a kind, and its subject. */
    matter: text('matter').notNull(),
    toldAt: instant('told_at'),
    /** The exact problem that was reported, so that it is reported once. */
    toldOf: text('told_of'),
    /** Occurrences since it was reported, which wait for a digest. */
    waitingCount: integer('waiting_count').notNull().default(0),
    waitingSince: instant('waiting_since'),
    waitingRunId: uuid('waiting_run_id'),
    /** When the digest is due. */
    digestAt: instant('digest_at'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.matter] }),
    index('alert_states_digest')
      .on(table.digestAt)
      .where(sql`digest_at is not null`),
    index('alert_states_told')
      .on(table.matter)
      .where(sql`told_of is not null`),
  ],
);
