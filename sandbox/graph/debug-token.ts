import { type Bearer, findBearer } from '../identity/bearer.ts';
import { findDemoAccount } from '../identity/demo-accounts.ts';
import { BUSINESS_SCOPE, PRODUCT } from '../product.ts';
import { isStrict } from '../strict.ts';
import { listReachableAccountIds } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { invalidParameter } from '../graph-error.ts';

/** `GET /debug_token?input_token=`: what a token may do, and for which accounts. Strict: for the app token only. */
export function debugToken(call: GraphCall): GraphAnswer {
  if (isStrict(call.world) && call.bearer.kind !== 'app') {
    throw invalidParameter(
      'You must provide an app access token, or a user access token that is an owner or developer of the app',
    );
  }
  const inputToken = call.query.get('input_token');
  if (!inputToken) throw invalidParameter('The parameter input_token is required.');
  const bearer = findBearer(call.world, inputToken);
  if (!bearer) {
    return {
      data: { is_valid: false, scopes: [], error: { code: 190, message: 'Invalid OAuth access token.' } },
    };
  }
  return {
    data: {
      app_id: call.world.options.client.id,
      application: 'Sandbox app',
      type: bearer.kind.toUpperCase(),
      is_valid: !bearer.expired,
      issued_at: bearer.issuedAt,
      expires_at: bearer.expiresAt === Infinity ? 0 : bearer.expiresAt,
      scopes: bearer.scopes,
      granular_scopes: listGrants(call, bearer),
      user_id: bearer.accountId,
    },
  };
}

/** `business_management` names businesses, the scopes of messaging name accounts. */
function listGrants({ world }: GraphCall, { accountId, scopes }: Bearer): object[] {
  const businessIds = findDemoAccount(accountId)?.businessIds ?? [];
  const accountIds = listReachableAccountIds(world, businessIds);
  return scopes.flatMap((scope) => {
    if (scope === BUSINESS_SCOPE) return [{ scope, target_ids: businessIds }];
    const namesAccounts = scope.startsWith('chat_') || scope.startsWith(`${PRODUCT}_`);
    return namesAccounts ? [{ scope, target_ids: accountIds }] : [];
  });
}
