// What an approval link says, and whether it still takes a decision.

/** Limits of what its page shows, in characters. */
export const MAX_QUESTION = 500;
export const MAX_DETAILS = 10_000;
export const MAX_LABEL = 40;
export const MAX_COMMENT = 2000;

export interface Decided {
  decision: 'approved' | 'rejected';
  /** Empty: none was given. */
  comment: string;
  /** JSON text: everything that was posted. */
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
  /** There is a field for a comment. */
  hasComment: boolean;
}

export interface ApprovalLink extends LinkPage {
  id: string;
  workspaceId: string;
  expiresAt: Date;
  /** Since when its run continues without a decision; null while one still counts. */
  closedAt: Date | null;
  isExpired: boolean;
  /** The run that it is for has not ended. */
  isNeeded: boolean;
  decided: Decided | null;
}

/** Why a link takes no decision; `open`: it does. */
export type LinkState = 'open' | 'decided' | 'not_needed' | 'closed' | 'expired';

export function stateOf({ decided, isNeeded, closedAt, isExpired }: ApprovalLink): LinkState {
  if (decided) return 'decided';
  if (!isNeeded) return 'not_needed';
  if (isExpired) return 'expired';
  return closedAt ? 'closed' : 'open';
}

/** What runs wait for: the decision of a link. */
export const approvalKey = (linkId: string): string => `approval:${linkId}`;
