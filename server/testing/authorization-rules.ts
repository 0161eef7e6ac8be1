// What the table of server/authorization.integration.test.ts says of each action, route, page and operation, and what
// follows from it for everybody who could call.
import type { ErrorCode } from '#lib/core/errors.ts';
import { hasRole, type Role, ROLES } from '#lib/identity/roles/roles.ts';

/** `nothing`: an answer without a value. */
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
  /** What those are answered who may; `ok` when left out. */
  answers?: Outcome;
  signedOut?: Outcome;
  /** What owners are answered instead. */
  owner?: Outcome;
  /**
   * What the owner of another workspace is answered who names the sample's ids: `not_found` when left out. `own`: the
   * sample names nothing of a workspace, so that it is done in the caller's own one and this one stays as it is. Where
   * an account is enough: what those are answered who are not in this workspace; as the others when left out.
   */
  stranger?: Outcome | 'own';
  /** The session is used up by the call: it gets one of its own. */
  endsSession?: true;
}

/** How a kind of thing refuses. */
export interface Refusals {
  /** To who comes without any session cookie: proxy.ts may answer first. */
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

/** Pages, and routes that people get to in the browser. */
export const PAGE_REFUSALS: Refusals = {
  withoutCookie: 'redirect /sign-in',
  signedOut: 'redirect /sign-in',
  withoutWorkspace: 'redirect /no-access',
  roleTooLow: 'redirect /no-access',
};

export interface Expected {
  outcome: Outcome;
  /** Whose rows must be as before. */
  unchanged: 'everything' | 'this workspace' | 'nothing';
  /** Whether the answer may hold what the workspace has written. */
  mayRead: boolean;
}

const isMember = (caller: Caller): boolean => (ROLES as readonly string[]).includes(caller);
const isSignedOut = (caller: Caller): boolean => caller === 'signed out' || caller === 'session ended';

/** What a caller is answered by the rule. */
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
