// The rules of server/authorization.integration.test.ts for each action, route, page and operation, and the expected response
// for every kind of caller.
import type { ErrorCode } from '#lib/core/errors.ts';
import { hasRole, type Role, ROLES } from '#lib/identity/roles/roles.ts';

/** `nothing`: a response without a value. */
export type Outcome = 'ok' | 'nothing' | ErrorCode | `redirect ${string}`;

export const CALLERS = [
  'signed out',
  'session ended',
  'no workspace',
  'other workspace',
  'viewer',
  'editor',
  'owner',
] as const;
export type Caller = (typeof CALLERS)[number];

export interface Rule {
  /** The role that it needs; `user`: an account is enough; `anyone`: not even that. */
  for: Role | 'user' | 'anyone';
  /** The response for permitted callers; left out: `ok`. */
  answers?: Outcome;
  signedOut?: Outcome;
  /** The response for owners instead. */
  owner?: Outcome;
  /**
   * The response for an owner of another workspace who uses the sample's ids; left out: `not_found`. `own`: the sample has no
   * ids of a workspace, so that it applies to the caller's own one and this one stays unchanged. Where an account is enough:
   * the response for users outside this workspace; left out: as for others.
   */
  stranger?: Outcome | 'own';
  /** The call ends the session, so that it gets a separate one. */
  endsSession?: true;
}

/** The refusals of a kind of endpoint. */
export interface Refusals {
  /** For callers without a session cookie: proxy.ts may respond first. */
  withoutCookie: Outcome;
  signedOut: Outcome;
  withoutWorkspace: Outcome;
  roleTooLow: Outcome;
}

/** Server actions, and the routes behind the screens. */
export const DATA_REFUSALS: Refusals = {
  withoutCookie: 'unauthorized',
  signedOut: 'unauthorized',
  withoutWorkspace: 'unauthorized',
  roleTooLow: 'forbidden',
};

/** Pages, and routes that users open in the browser. */
export const PAGE_REFUSALS: Refusals = {
  withoutCookie: 'redirect /sign-in',
  signedOut: 'redirect /sign-in',
  withoutWorkspace: 'redirect /no-access',
  roleTooLow: 'redirect /no-access',
};

export interface Expected {
  outcome: Outcome;
  /** Whose rows must be unchanged. */
  unchanged: 'everything' | 'this workspace' | 'nothing';
  /** Whether the response may contain the workspace's content. */
  mayRead: boolean;
}

const isMember = (caller: Caller): boolean => (ROLES as readonly string[]).includes(caller);
const isSignedOut = (caller: Caller): boolean => caller === 'signed out' || caller === 'session ended';

/** The expected response for a caller. */
export function expectedOf(rule: Rule, caller: Caller, refusals: Refusals): Expected {
  const mayRead = isMember(caller);
  const allowed: Expected = { outcome: rule.answers ?? 'ok', unchanged: 'nothing', mayRead };
  if (rule.for === 'anyone')
    return isSignedOut(caller) && rule.signedOut ? { ...allowed, outcome: rule.signedOut } : allowed;
  const refused = (outcome: Outcome): Expected => ({ outcome, unchanged: 'everything', mayRead });
  const ofSomebodyElse =
    rule.stranger === undefined || rule.stranger === 'own' ? allowed : refused(rule.stranger);
  switch (caller) {
    case 'signed out':
      return refused(rule.signedOut ?? refusals.withoutCookie);
    case 'session ended':
      return refused(rule.signedOut ?? refusals.signedOut);
    case 'no workspace':
      if (rule.for === 'user') return ofSomebodyElse;
      return refused(rule.signedOut ?? refusals.withoutWorkspace);
    case 'other workspace':
      if (rule.for === 'user') return ofSomebodyElse;
      if (rule.stranger === 'own') return { ...allowed, unchanged: 'this workspace' };
      return refused(rule.stranger ?? 'not_found');
    case 'owner':
      return { ...allowed, outcome: rule.owner ?? allowed.outcome };
    default:
      return rule.for === 'user' || hasRole(caller, rule.for) ? allowed : refused(refusals.roleTooLow);
  }
}
