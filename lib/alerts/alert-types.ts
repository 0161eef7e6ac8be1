// Types of alerts, for screens, too.
import type { AlertKind } from './kinds.ts';

export const CHANNELS = ['email', 'webhook', 'workflow'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Targets of a destination. */
export type DestinationConfig =
  | { channel: 'email'; owners: boolean; user_ids: string[]; addresses: string[] }
  | { channel: 'webhook'; url: string }
  | { channel: 'workflow'; workflow_id: string };

/** Content of an alert: plain text, without secrets, with masked numbers of customers. */
export interface AlertContent {
  title: string;
  paragraphs: string[];
  /** Where to look at the cause, as a path in Patchbay. */
  link: { label: string; path: string };
  /** Its name at that time. */
  workflowName?: string;
  /** How many times it happened; for a digest, in how many workflows. */
  count?: number;
  /** For a digest: its alerts, oldest first, each with its path in Patchbay. */
  items?: { text: string; path: string; workflowId: string | null; workflowName: string | null }[];
  /** ISO 8601: since when. */
  since?: string;
  runId?: string;
  /** Sent by a user, to test a destination. */
  isTest?: true;
}

/** `held`: its recipient got many alerts recently, and gets it with the next digest. */
export type DeliveryState = 'waiting' | 'held' | 'delivered' | 'failed';

/** One alert to one destination, for the screen. */
export interface Delivery {
  id: string;
  channel: Channel;
  target: string;
  state: DeliveryState;
  /** It was sent in a digest, whose own delivery has the outcome. */
  in_digest: boolean;
  /** Why it was not delivered, or the last attempt failed. */
  problem: string | null;
  attempts: number;
  /** ISO 8601; null: it was not delivered. */
  delivered_at: string | null;
}

/** An alert as lists show it. */
export interface Alert {
  id: string;
  kind: AlertKind;
  title: string;
  paragraphs: string[];
  link: { label: string; path: string };
  /** For a digest: its alerts. */
  items: { text: string; path: string }[];
  workflow_id: string | null;
  /** Sent by a user, to test a destination. */
  is_test: boolean;
  /** ISO 8601. */
  created_at: string;
  deliveries: Delivery[];
}
