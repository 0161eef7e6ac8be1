// An approval link: its content, and whether it can still be decided.

/** Maximum lengths of what its page shows, in characters. */
export const MAX_QUESTION = 500;
export const MAX_DETAILS = 10_000;
export const MAX_LABEL = 40;
export const MAX_COMMENT = 2000;

export interface Decided {
  decision: 'approved' | 'rejected';
  /** Empty: no comment. */
  comment: string;
  /** JSON text of the whole posted body. */
  body: string;
  decidedAt: Date;
}

/** What the page of a link shows. */
export interface LinkPage {
  question: string;
  /** May have several lines; empty: none. */
  details: string;
  approveLabel: string;
  rejectLabel: string;
  /** The page has a field for a comment. */
  hasComment: boolean;
}

export interface ApprovalLink extends LinkPage {
  id: string;
  workspaceId: string;
  /** Of the workspace. */
  zone: string;
  expiresAt: Date;
  /** When its run continued without a decision; null while one still counts. */
  closedAt: Date | null;
  isExpired: boolean;
  /** The run that it is for has not ended. */
  isNeeded: boolean;
  decided: Decided | null;
}

/** Why a link cannot be decided; `open`: it can. */
export type LinkState = 'open' | 'decided' | 'not_needed' | 'closed' | 'expired';

export function stateOf({ decided, isNeeded, closedAt, isExpired }: ApprovalLink): LinkState {
  if (decided) return 'decided';
  if (!isNeeded) return 'not_needed';
  if (isExpired) return 'expired';
  return closedAt ? 'closed' : 'open';
}

/** Key of the signal that decides a link. */
export const approvalKey = (linkId: string): string => `approval:${linkId}`;

const LINK = /(\/resume\/)[A-Za-z0-9_-]{32}(?![\w-])/g;

/** A text without usable approval links, for readers who may not decide. */
export const hideLinks = (text: string): string => text.replace(LINK, '$1••••');
