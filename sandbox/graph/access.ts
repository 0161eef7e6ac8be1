import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { type Bearer, findBearer } from '../identity/bearer.ts';
import { type DemoAccount, findDemoAccount } from '../identity/demo-accounts.ts';
import type { Account, GraphNode } from '../model.ts';
import { SCOPE_ALIASES } from '../product.ts';
import type { World } from '../world.ts';
import type { GraphCall } from './graph-call.ts';

/** Accounts that a business sees: its own, and those shared with it. */
export function listAccountsOf(world: World, businessId: string): { owned: Account[]; client: Account[] } {
  const accounts = [...world.accounts.values()];
  return {
    owned: accounts.filter((account) => account.ownerBusinessId === businessId),
    client: accounts.filter((account) => account.sharedWithBusinessIds.includes(businessId)),
  };
}

/** Ids of all accounts that are visible to these businesses: members of them may act there. */
export function listReachableAccountIds(world: World, businessIds: string[]): string[] {
  return businessIds.flatMap((id) => {
    const { owned, client } = listAccountsOf(world, id);
    return [...owned, ...client].map((account) => account.id);
  });
}

/** Throws 200 (HTTP 403) if the user granted neither the scope nor an equivalent one. */
export function assertScope(call: GraphCall, scope: string): void {
  const enough = [scope, ...(SCOPE_ALIASES[scope] ?? [])];
  if (enough.some((each) => call.bearer.scopes.includes(each))) return;
  throw new GraphError(200, `The access token lacks the permission ${scope}.`, {
    message: `(#200) Requires ${scope} permission to manage the object`,
  });
}

/** Throws 10 (HTTP 403) if the caller has no role in the business or account that the object belongs to. */
export function assertRole(call: GraphCall, node: GraphNode): void {
  const allowed =
    node.kind === 'business'
      ? call.user.businessIds.includes(node.id)
      : listReachableAccountIds(call.world, call.user.businessIds).includes(accountIdOf(call.world, node));
  if (!allowed)
    throw new GraphError(10, 'The user has no role on the business account that this object belongs to.');
}

/** The account that an object belongs to; empty if its number is gone. */
export function accountIdOf(world: World, node: Exclude<GraphNode, { kind: 'business' }>): string {
  if (node.kind === 'account') return node.id;
  if (node.kind === 'phone' || node.kind === 'template') return node.accountId;
  return world.phones.get(node.phoneId)?.accountId ?? '';
}

/** Subcode of an expired token. */
const EXPIRED = 463;

/** An app has no roles: it may only inspect tokens and its own subscriptions. */
const APP: DemoAccount = {
  id: 'app',
  name: 'Sandbox app',
  email: '',
  about: '',
  businessIds: [],
  groups: [],
};

/**
 * The bearer of a call, from the header or `access_token`, which is removed from the query. Throws 190, with 463 if it is
 * expired.
 */
export function authenticate(world: World, request: IncomingMessage, query: URLSearchParams): Bearer {
  const token =
    /^(?:Bearer|OAuth) (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? query.get('access_token');
  query.delete('access_token');
  if (!token) {
    throw new GraphError(190, '', {
      message: '(#190) An access token is required to request this resource.',
    });
  }
  const bearer = findBearer(world, token);
  if (!bearer)
    throw new GraphError(190, '', {
      message: '(#190) Invalid OAuth access token - Cannot parse access token',
    });
  if (bearer.expired) {
    const ended = new Date(bearer.expiresAt * 1000).toUTCString();
    throw new GraphError(190, '', {
      subcode: EXPIRED,
      message: `(#190) Error validating access token: Session has expired on ${ended}.`,
    });
  }
  return bearer;
}

/** The caller. Throws 190. */
export function findCaller(bearer: Bearer): DemoAccount {
  const user = bearer.kind === 'app' ? APP : findDemoAccount(bearer.accountId);
  if (!user) throw new GraphError(190, 'The account of this token no longer exists.');
  return user;
}

/**
 * Checks `appsecret_proof` (HMAC-SHA256 of the token with the app secret, in hexadecimal), and removes it from query and body.
 * Throws 100 if it is wrong, or missing where the app requires it.
 */
export function assertProof(
  world: World,
  { token }: Bearer,
  query: URLSearchParams,
  body: Record<string, unknown>,
): void {
  const proof = query.get('appsecret_proof') ?? body['appsecret_proof'];
  query.delete('appsecret_proof');
  delete body['appsecret_proof'];
  if (proof === undefined) {
    if (world.settings.require_app_secret)
      throw invalidParameter('API calls from the server require an appsecret_proof argument');
    return;
  }
  const expected = createHmac('sha256', world.options.client.secret).update(token).digest('hex');
  if (proof !== expected) throw invalidParameter('Invalid appsecret_proof provided in the API argument');
}
