import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';

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
    | 'CalendarClock'
    | 'CalendarSync'
    | 'PackageSearch'
    | 'Star'
    | 'BadgeCheck';
  graph: WorkflowGraph;
  /** Started by a request to its webhook, or by a customer's message that a connection forwards. */
  startedBy: 'webhook' | 'messages';
  /** A body that the trigger then receives. */
  sample: JsonObject;
}
