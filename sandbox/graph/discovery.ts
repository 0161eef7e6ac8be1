import type { Account, Business, Phone } from '../model.ts';
import { MANAGEMENT_SCOPE } from '../product.ts';
import { assertScope, listAccountsOf, listReachableAccountIds } from './access.ts';
import { findBearer } from '../identity/bearer.ts';
import { findDemoAccount } from '../identity/demo-accounts.ts';
import { pickFields } from './fields.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { invalidParameter } from '../graph-error.ts';
import { pageOf } from './paging.ts';

/** `GET /me`. */
export function getMe(call: GraphCall): GraphAnswer {
  return pickFields(call, 'User', { id: call.user.id, name: call.user.name }, ['id', 'name']);
}

/** `GET /me/businesses`. */
export function listBusinesses(call: GraphCall): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const businesses = call.user.businessIds.flatMap((id) => call.world.businesses.get(id) ?? []);
  return pageOf(call, businesses, (business) => showBusiness(call, business));
}

/** `GET /{business}`. */
export function showBusiness(call: GraphCall, { id, name, verified }: Business): GraphAnswer {
  const all = { id, name, verification_status: verified ? 'verified' : 'not_verified' };
  return pickFields(call, 'Business', all, ['id', 'name']);
}

/** `GET /{business}/owned_…_business_accounts` and `/client_…_business_accounts`. */
export function listBusinessAccounts(
  call: GraphCall,
  business: Business,
  which: 'owned' | 'client',
): GraphAnswer {
  const accounts = listAccountsOf(call.world, business.id)[which];
  return pageOf(call, accounts, (account) => showAccount(call, account));
}

/** `GET /{waba}`. */
export function showAccount(call: GraphCall, account: Account): GraphAnswer {
  const owner = call.world.businesses.get(account.ownerBusinessId);
  const all = {
    id: account.id,
    name: account.name,
    currency: 'USD',
    timezone_id: '1',
    message_template_namespace: `sandbox_${account.id}`,
    account_review_status: 'APPROVED',
    business_verification_status: owner?.verified ? 'verified' : 'not_verified',
    owner_business_info: owner ? { id: owner.id, name: owner.name } : undefined,
  };
  return pickFields(call, 'BusinessAccount', all, [
    'id',
    'name',
    'currency',
    'timezone_id',
    'message_template_namespace',
  ]);
}

/** `GET /{waba}/phone_numbers`. */
export function listPhoneNumbers(call: GraphCall, account: Account): GraphAnswer {
  const phones = [...call.world.phones.values()].filter((phone) => phone.accountId === account.id);
  return pageOf(call, phones, (phone) => showPhone(call, phone));
}

/** `GET /{phone}`. */
export function showPhone(call: GraphCall, phone: Phone): GraphAnswer {
  const all = {
    id: phone.id,
    display_phone_number: phone.displayPhoneNumber,
    verified_name: phone.verifiedName,
    quality_rating: phone.qualityRating,
    messaging_limit_tier: phone.tier,
    status: phone.connected ? 'CONNECTED' : 'DISCONNECTED',
    code_verification_status: 'VERIFIED',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    name_status: 'APPROVED',
  };
  const defaults = [
    'id',
    'display_phone_number',
    'verified_name',
    'quality_rating',
    'code_verification_status',
    'platform_type',
  ];
  return pickFields(call, 'BusinessPhoneNumber', all, defaults);
}

/** `GET /debug_token?input_token=`: what a token may do, and for which accounts. */
export function debugToken(call: GraphCall): GraphAnswer {
  const inputToken = call.query.get('input_token');
  if (!inputToken) throw invalidParameter('The parameter input_token is required.');
  const bearer = findBearer(call.world, inputToken);
  if (!bearer) {
    return {
      data: { is_valid: false, scopes: [], error: { code: 190, message: 'Invalid OAuth access token.' } },
    };
  }
  const targetIds = listReachableAccountIds(call.world, findDemoAccount(bearer.accountId)?.businessIds ?? []);
  return {
    data: {
      app_id: call.world.options.client.id,
      application: 'Sandbox app',
      type: 'USER',
      is_valid: !bearer.expired,
      issued_at: bearer.issuedAt,
      expires_at: bearer.expiresAt,
      scopes: bearer.scopes,
      granular_scopes: bearer.scopes
        .filter((scope) => scope.startsWith('chat_'))
        .map((scope) => ({ scope, target_ids: targetIds })),
      user_id: bearer.accountId,
    },
  };
}
