// What the platform said of connections, as checks of workflows read it. Isomorphic: the editor checks as one types.
import type { TemplateSlot } from '#lib/messaging/platform/template-slot-types.ts';

/** What a message template takes, and whether it can be sent. */
export interface TemplateFacts {
  name: string;
  language: string;
  /** Any of the platform's statuses; only APPROVED ones can be sent. */
  status: string;
  /** What it is filled with, in the order of its parts; left out: checked by version 0.2.0, which the next three are for. */
  slots?: TemplateSlot[];
  /** Parts that cannot be filled in here, in words. */
  unfillable?: string[];
  /** Placeholders of the body; null: they have names, or cannot be read. */
  bodyCount: number | null;
  /** What its header has to be given; null: nothing. */
  header: 'text' | 'image' | 'video' | 'document' | null;
  /** Index of the button whose URL has a placeholder; null: none has. */
  buttonIndex: number | null;
  /** Its quick replies in their order; left out: it was checked before they were noted. */
  quickReplies?: QuickReply[];
}

/** A button of a message template that customers answer with. */
export interface QuickReply {
  title: string;
  /** Place among all buttons of the template, from 0. */
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
}

/** A business portfolio: whose accounts share a limit of customers. */
export interface Portfolio {
  id: string;
  name: string;
}

/** A business account as a connection sees it. */
export interface AccountFacts {
  id: string;
  /** Why the connection cannot access it; null: it can. */
  problem: string | null;
  /** Who owns it; left out: the platform did not return it. */
  portfolio?: Portfolio;
  phones: PhoneFacts[];
  templates: TemplateFacts[];
  /** Names that `templates` is narrowed to; left out: these are all. */
  narrowedTo?: string[];
}

/** What is known of one connection. */
export interface ConnectionFacts {
  name: string;
  /** Its own business account. */
  accountId: string | null;
  /** Why it cannot be used until it is reconnected; null: it can. */
  problem: string | null;
  /** ISO 8601; null: it was never checked. */
  checkedAt: string | null;
  /** Why the last check got no answer; null: it did. */
  checkProblem: string | null;
  accounts: AccountFacts[];
}

/** By connection id; null: the workspace has no such connection, undefined: nothing is known. */
export type PlatformFacts = Readonly<Record<string, ConnectionFacts | null>>;

/** What tasks use a connection for. */
export interface ConnectionUse {
  connectionId: string;
  /** Besides the connection's own. */
  accountIds: string[];
  templateNames: string[];
}
