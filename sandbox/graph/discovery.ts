import type { Account, Business, Phone } from '../model.ts';
import { BUSINESS_SCOPE, MANAGEMENT_SCOPE, PRODUCT } from '../product.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { assertScope, listAccountsOf } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { portfolioTierOf } from './limits.ts';
import { pageOf, pickFields } from './paging.ts';

/** `GET /me`. */
export function getMe(call: GraphCall): GraphAnswer {
  return pickFields(call, 'User', { id: call.user.id, name: call.user.name }, ['id', 'name']);
}

/** `GET /me/businesses`: in strict mode with its own scope. */
export function listBusinesses(call: GraphCall): GraphAnswer {
  assertScope(call, isStrict(call.world) ? BUSINESS_SCOPE : MANAGEMENT_SCOPE);
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
    health_status: healthOf(call.world, account),
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
    messaging_limit_tier: isStrict(call.world) ? null : phone.tier,
    [`${PRODUCT}_business_manager_messaging_limit`]: portfolioTierOf(call.world, phone),
    status: phone.status,
    code_verification_status: 'VERIFIED',
    platform_type: 'CLOUD_API',
    throughput: { level: phone.throughput },
    name_status: 'APPROVED',
    ...healthOfPhone(call.world, phone),
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

function healthOfPhone(world: World, phone: Phone): { health_status?: object } {
  const account = world.accounts.get(phone.accountId);
  return account ? { health_status: healthOf(world, account, phone) } : {};
}

// What prevents an account or a number from sending: the field `health_status`.

interface Entity {
  entity_type: 'PHONE_NUMBER' | 'WABA' | 'BUSINESS' | 'APP';
  id: string;
  can_send_message: 'AVAILABLE' | 'LIMITED' | 'BLOCKED';
  errors?: { error_code: number; error_description: string; possible_solution: string }[];
  additional_info?: string[];
}

/** For an account, or for one of its numbers including the levels above it. */
function healthOf(world: World, account: Account, phone?: Phone): object {
  const entities = [
    ...(phone ? [ofPhone(phone)] : []),
    ofAccount(account),
    ofBusiness(world, account),
    ofApp(world),
  ];
  const has = (state: Entity['can_send_message']) => entities.some((each) => each.can_send_message === state);
  const overall = has('BLOCKED') ? 'BLOCKED' : has('LIMITED') ? 'LIMITED' : 'AVAILABLE';
  return { can_send_message: overall, entities };
}

const blocked = (code: number, description: string, solution: string) => ({
  can_send_message: 'BLOCKED' as const,
  errors: [{ error_code: code, error_description: description, possible_solution: solution }],
});
const limited = (info: string) => ({ can_send_message: 'LIMITED' as const, additional_info: [info] });
const AVAILABLE = { can_send_message: 'AVAILABLE' as const };

const ofPhone = ({ id, status }: Phone): Entity => ({
  entity_type: 'PHONE_NUMBER',
  id,
  ...(status === 'CONNECTED'
    ? AVAILABLE
    : blocked(133010, 'The phone number is not registered.', 'Register the phone number.')),
});

function ofAccount({ id, hasPaymentMethod, restriction }: Account): Entity {
  const entity = { entity_type: 'WABA' as const, id };
  if (restriction !== null)
    return { ...entity, ...blocked(restriction, 'The account is restricted.', 'Request a review.') };
  if (!hasPaymentMethod)
    return {
      ...entity,
      ...blocked(
        141006,
        'There is an error with the payment method.',
        'Add a payment method to the account.',
      ),
    };
  return { ...entity, ...AVAILABLE };
}

function ofBusiness({ businesses }: World, { ownerBusinessId: id }: Account): Entity {
  const isVerified = businesses.get(id)?.verified ?? false;
  const state = isVerified ? AVAILABLE : limited('The business has not passed business verification.');
  return { entity_type: 'BUSINESS', id, ...state };
}

function ofApp({ options, subscriptions }: World): Entity {
  const listens = [...subscriptions.values()].some(
    ({ source, fields }) => source !== 'app' || fields?.includes('messages'),
  );
  const state = listens ? AVAILABLE : limited('The app is not subscribed to webhooks of messages.');
  return { entity_type: 'APP', id: options.client.id, ...state };
}
