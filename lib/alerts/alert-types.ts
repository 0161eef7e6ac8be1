// What alerts are, for screens as well.
import type { AlertKind } from './kinds.ts';

export const CHANNELS = ['email', 'webhook', 'workflow'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Where a destination's alerts go. */
export type DestinationConfig =
  | { channel: 'email'; owners: boolean; user_ids: string[]; addresses: string[] }
  | { channel: 'webhook'; url: string }
  | { channel: 'workflow'; workflow_id: string };

/** What an alert says: plain text, without secrets, numbers of customers masked. */
export interface AlertContent {
  title: string;
  paragraphs: string[];
  /** Path in Patchbay where it can be looked at. */
  link: { label: string; path: string };
  /** As it was called then. */
  workflowName?: string;
  /** How many times it happened; of a digest, to how many workflows. */
  count?: number;
  /** Of a digest: the alerts that it stands for, oldest first, each with its path in Patchbay. */
  items?: { text: string; path: string; workflowId: string | null; workflowName: string | null }[];
  /** ISO 8601: since when. */
  since?: string;
  runId?: string;
  /** Somebody asked for it, to try a destination. */
  isTest?: true;
}

/** `held`: its recipient got many alerts just now, and gets it with the next digest. */
export type DeliveryState = 'waiting' | 'held' | 'delivered' | 'failed';

/** One alert to one destination, as the screen shows it. */
export interface Delivery {
  id: string;
  channel: Channel;
  target: string;
  state: DeliveryState;
  /** It went out in a digest, whose own delivery has the outcome. */
  in_digest: boolean;
  /** Why it was not delivered, or the last attempt was not. */
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
  /** Of a digest: the alerts that it stands for. */
  items: { text: string; path: string }[];
  workflow_id: string | null;
  /** Somebody asked for it, to try a destination. */
  is_test: boolean;
  /** ISO 8601. */
  created_at: string;
  deliveries: Delivery[];
}
