import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';

/** A workflow to begin with: complete but for the account and number it sends from. */
export interface Starter {
  /** Kebab case, as in the gallery's links. */
  id: string;
  name: string;
  /** What it is for, in one sentence. */
  summary: string;
  /** What happens, step by step, and what must be there before. */
  description: string;
  category: 'Orders' | 'Conversations' | 'Campaigns' | 'Integration';
  /** A lucide icon's name. */
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
  /** A request to its webhook, or a customer's message that a connection forwards. */
  startedBy: 'webhook' | 'messages';
  /** A body that the trigger receives then. */
  sample: JsonObject;
}
