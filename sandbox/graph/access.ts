import type { Account, GraphNode } from '../model.ts';
import type { World } from '../world.ts';
import type { GraphCall } from './graph-call.ts';
import { SCOPE_ALIASES } from '../product.ts';
import { GraphError } from '../graph-error.ts';

/** Accounts that a business sees: its own, and those shared with it. */
export function listAccountsOf(world: World, businessId: string): { owned: Account[]; client: Account[] } {
  const accounts = [...world.accounts.values()];
  return {
    owned: accounts.filter((account) => account.ownerBusinessId === businessId),
    client: accounts.filter((account) => account.sharedWithBusinessIds.includes(businessId)),
  };
}

/** Ids of all accounts that businesses see: where somebody with a role in them may act. */
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
