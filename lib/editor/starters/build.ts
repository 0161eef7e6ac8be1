// Helpers for workflow starters: tasks are in a row from left to right, branches below each other.
import type { JsonObject } from '#lib/core/json/value.ts';
import type { WorkflowEdge, WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';

/** A workflow to start from: complete except for the account and number it sends from. */
export interface Starter {
  /** Kebab case, as in the gallery's links. */
  id: string;
  name: string;
  /** Its purpose, in one sentence. */
  summary: string;
  /** Its steps, and what has to be set up before. */
  description: string;
  category: 'Orders' | 'Conversations' | 'Campaigns' | 'Integration';
  /** Name of a lucide icon. */
  icon:
    | 'PackageCheck'
    | 'MessagesSquare'
    | 'UserPlus'
    | 'ShoppingCart'
    | 'Megaphone'
    | 'ChartNoAxesColumn'
    | 'CornerUpRight'
    | 'Handshake'
    | 'Image'
    | 'Inbox'
    | 'Reply'
    | 'CalendarClock'
    | 'CalendarSync'
    | 'PackageSearch'
    | 'Star'
    | 'BadgeCheck'
    | 'AlarmClock'
    | 'Utensils';
  graph: WorkflowGraph;
  /** Started by a request to its webhook, by a customer's message that a connection forwards, or at the times of a schedule. */
  startedBy: 'webhook' | 'messages' | 'schedule';
  /** A body that the trigger then receives. */
  sample: JsonObject;
  /** Bodies of other kinds that it receives, too. */
  otherSamples?: readonly JsonObject[];
}

/** A customer's message as a workflow receives it. */
export const sampleMessage = (text: string, more: JsonObject = {}): JsonObject => ({
  kind: 'message',
  message_id: 'wamid.sample',
  from: '15550101001',
  from_name: 'Sample Customer',
  type: 'text',
  text,
  ...more,
  timestamp: 1767225600,
  phone_number_id: '300000000000001',
  display_phone_number: '15550100001',
});

const COLUMN_PX = 300;
const ROW_PX = 160;

/** A task at a position of the grid. */
export const task = (
  id: number,
  type: string,
  name: string,
  place: [column: number, row: number],
  settings: Record<string, unknown>,
  more: Partial<WorkflowTask> = {},
): WorkflowTask => ({
  id,
  type,
  name,
  settings,
  ...more,
  position: { x: place[0] * COLUMN_PX, y: place[1] * ROW_PX },
});

/** The trigger for customers' messages; the user selects the connection. */
export const messageTrigger = (name: string, settings: Record<string, unknown> = {}): WorkflowTask =>
  task(1, 'message_trigger', name, [0, 0], settings);

export const trigger = (name: string, settings: Record<string, unknown> = {}): WorkflowTask =>
  task(1, 'inbound_webhook', name, [0, 0], {
    response_type: 'immediate',
    response_body: '{"status":"received"}',
    ...settings,
  });

/** A task of the messaging platform; the user selects account and number. */
export const messaging = (
  id: number,
  name: string,
  place: [column: number, row: number],
  settings: Record<string, unknown>,
  more: Partial<WorkflowTask> = {},
): WorkflowTask => task(id, 'messaging_business', name, place, settings, more);

export const edge = (from: number, to: number, branch?: string): WorkflowEdge =>
  branch === undefined ? { from, to } : { from, to, branch };
