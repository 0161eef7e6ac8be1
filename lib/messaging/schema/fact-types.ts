// The platform's data about connections, for checks of workflows. Isomorphic: the editor checks while the user types.
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';
import type { MessageFilter } from './subscription-kinds.ts';

/** The values of a message template, and whether it can be sent. */
export interface TemplateFacts {
  name: string;
  language: string;
  /** Any of the platform's statuses; only APPROVED ones can be sent. */
  status: string;
  /** MARKETING, UTILITY or AUTHENTICATION; left out: checked before it was recorded, or the platform does not return it. */
  category?: string;
  /** Its values, in the order of its parts; left out: checked by version 0.2.0, which uses the next three. */
  slots?: TemplateSlot[];
  /** Labels of parts that cannot be filled in here. */
  unfillable?: string[];
  /** Placeholders of the body; null: they have names, or cannot be read. */
  bodyCount: number | null;
  /** The required value of its header; null: none. */
  header: 'text' | 'image' | 'video' | 'document' | null;
  /** Index of the button whose URL has a placeholder; null: none has. */
  buttonIndex: number | null;
  /** Its quick replies in their order; left out: checked before they were recorded. */
  quickReplies?: QuickReply[];
}

/** A quick reply of a message template. */
export interface QuickReply {
  title: string;
  /** Index among all buttons of the template, from 0. */
  index: number;
}

export interface PhoneFacts {
  id: string;
  label: string;
  /** Null where the platform does not return it. */
  status: string | null;
  /** Its own limit of customers, such as TIER_1K; null: the platform returns none. Left out: checked by an older version. */
  tier?: string | null;
  /** The limit of all numbers of the business portfolio together; null and left out as for `tier`. */
  portfolioTier?: string | null;
  /** STANDARD or HIGH: its messages a second; null and left out as for `tier`. */
  throughput?: string | null;
}

/** A business portfolio: whose accounts share a limit of customers. */
export interface Portfolio {
  id: string;
  name: string;
}

/** A business account as accessible by a connection. */
export interface AccountFacts {
  id: string;
  /** Why the connection cannot access it; null: it can. */
  problem: string | null;
  /** Its owner; left out: the platform did not return it. */
  portfolio?: Portfolio;
  phones: PhoneFacts[];
  templates: TemplateFacts[];
  /** Names to which `templates` is limited; left out: not limited. */
  narrowedTo?: string[];
}

/** The known data about one connection. */
export interface ConnectionFacts {
  name: string;
  /** Its own business account. */
  accountId: string | null;
  /** Why it cannot be used until it is reconnected; null: it can. */
  problem: string | null;
  /** ISO 8601; null: it was never checked. */
  checkedAt: string | null;
  /** Why the last check failed; null: it succeeded. */
  checkProblem: string | null;
  accounts: AccountFacts[];
  /** The other active workflows that messages to it start; left out: not looked up. */
  starts?: StartedWorkflow[];
}

/** A workflow that messages start. */
export interface StartedWorkflow {
  name: string;
  filter: MessageFilter;
}

/** By connection id; null: the workspace has no such connection, undefined: nothing is known. */
export type PlatformFacts = Readonly<Record<string, ConnectionFacts | null>>;

/** The resources that tasks use with a connection. */
export interface ConnectionUse {
  connectionId: string;
  /** Besides the connection's own. */
  accountIds: string[];
  templateNames: string[];
}
