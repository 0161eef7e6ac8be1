import * as z from 'zod';
import { GraphError, invalidParameter, unknownObject } from '../graph-error.ts';
import { type Bearer, findBearer } from '../identity/bearer.ts';
import { findDemoAccount } from '../identity/demo-accounts.ts';
import type { GraphNode, Phone } from '../model.ts';
import { BUSINESS_SCOPE, CLIENT_ACCOUNTS, MANAGEMENT_SCOPE, OWNED_ACCOUNTS, PRODUCT } from '../product.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { assertRole, assertScope, listReachableAccountIds } from './access.ts';
import {
  handleAppSubscriptions,
  isAppSubscriptionsPath,
  listSubscribedApps,
  subscribeApp,
  unsubscribeApp,
} from './app-subscriptions.ts';
import {
  getMe,
  listBusinessAccounts,
  listBusinesses,
  listPhoneNumbers,
  showAccount,
  showBusiness,
  showPhone,
} from './discovery.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { takeManagementCall } from './limits.ts';
import { deleteMedia, handleUpload, isUploadPath, showMedia, uploadMedia } from './media.ts';
import { parseBody } from './read-input.ts';
import { sendMessage } from './send-message.ts';
import { listMessageHistory, markAsRead, showMessageStatus } from './sent-messages.ts';
import { createTemplate, deleteTemplate, editTemplate, listTemplates, showTemplate } from './templates.ts';

type Answer = GraphAnswer | Promise<GraphAnswer>;
type NodeOf<K extends GraphNode['kind']> = Extract<GraphNode, { kind: K }>;
type Handlers<K extends GraphNode['kind']> = Record<string, (call: GraphCall, node: NodeOf<K>) => Answer>;

/** Calls without an object id, by method and path. */
const ROOT: Record<string, (call: GraphCall) => Answer> = {
  'GET me': getMe,
  'GET me/businesses': listBusinesses,
  'GET debug_token': debugToken,
};

const management =
  <N>(handler: (call: GraphCall, node: N) => Answer) =>
  (call: GraphCall, node: N): Answer => {
    assertScope(call, MANAGEMENT_SCOPE);
    return handler(call, node);
  };

/** Calls on an object, by its kind, method and edge. */
const HANDLERS: { [K in GraphNode['kind']]: Handlers<K> } = {
  business: {
    'GET ': management(showBusiness),
    [`GET ${OWNED_ACCOUNTS}`]: management((call, business) => listBusinessAccounts(call, business, 'owned')),
    [`GET ${CLIENT_ACCOUNTS}`]: management((call, business) =>
      listBusinessAccounts(call, business, 'client'),
    ),
  },
  account: {
    'GET ': management(showAccount),
    'GET phone_numbers': management(listPhoneNumbers),
    'GET message_templates': listTemplates,
    'POST message_templates': createTemplate,
    'DELETE message_templates': deleteTemplate,
    'GET subscribed_apps': listSubscribedApps,
    'POST subscribed_apps': subscribeApp,
    'DELETE subscribed_apps': unsubscribeApp,
  },
  phone: {
    'GET ': management(showPhone),
    'POST messages': (call, phone) =>
      call.body.status === undefined ? sendMessage(call, phone) : markAsRead(call, phone),
    'GET message_history': listMessageHistory,
    'POST media': uploadMedia,
    'POST register': registerPhone,
    'POST deregister': deregisterPhone,
  },
  template: { 'GET ': management(showTemplate), 'POST ': management(editTemplate) },
  media: { 'GET ': showMedia, 'DELETE ': deleteMedia },
  message: { 'GET ': showMessageStatus },
};

/** Finds the object and the handler of a call. Throws 100/33 (unknown), 10 (no role) or 200 (scope missing). */
export async function dispatch(call: GraphCall): Promise<GraphAnswer> {
  const root = ROOT[`${call.method} ${call.path}`];
  if (root) return root(call);
  if (isUploadPath(call)) return handleUpload(call);
  if (isAppSubscriptionsPath(call)) return handleAppSubscriptions(call);
  const [id = '', edge = '', ...rest] = call.path.split('/');
  const node = findNode(call.world, id);
  const isPhoneEdge = edge === 'messages' || edge === 'media';
  if (!node) throw unknownObject(id, call.method, isPhoneEdge ? 404 : 400);
  assertRole(call, node);
  const handlers = HANDLERS[node.kind] as Handlers<GraphNode['kind']>;
  const handler = rest.length === 0 ? handlers[`${call.method} ${edge}`] : undefined;
  if (handler) {
    takeManagementCall(call, node, edge);
    return handler(call, node);
  }
  if (isPhoneEdge) throw unknownObject(id, call.method, 404);
  if (call.method === 'GET' && edge !== '') {
    throw new GraphError(100, '', {
      message: `(#100) Tried accessing nonexisting field (${edge}) on node type (${node.kind})`,
    });
  }
  throw unknownObject(id, call.method);
}

/** The object with this id, whatever it is, or null. */
function findNode(world: World, id: string): GraphNode | null {
  return (
    world.phones.get(id) ??
    world.accounts.get(id) ??
    world.messages.get(id) ??
    world.businesses.get(id) ??
    world.templates.get(id) ??
    world.media.get(id) ??
    null
  );
}

const MOST_CALLS = 10;
const WITHIN_MS = 72 * 3_600_000;

const schema = z.strictObject({
  messaging_product: z.literal(PRODUCT),
  pin: z.string().regex(/^\d{6}$/, 'must be 6 digits long'),
});

/**
 * `POST /{phone}/register`: the number can send afterwards. The PIN is that of two-step verification, or sets it. Throws 133005
 * (wrong PIN) and 133016 (after ten calls in 72 hours).
 */
function registerPhone(call: GraphCall, phone: Phone): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const { pin } = parseBody(schema, call.body);
  const now = call.world.clock.nowMs();
  phone.registerCalls = phone.registerCalls.filter((at) => at > now - WITHIN_MS);
  if (phone.registerCalls.length >= MOST_CALLS)
    throw new GraphError(133016, `There were ${MOST_CALLS} tries to register this number in 72 hours.`);
  phone.registerCalls.push(now);
  if (phone.pin !== null && phone.pin !== pin)
    throw new GraphError(133005, 'The PIN is not the one of two-step verification.');
  phone.pin = pin;
  phone.status = 'CONNECTED';
  return { success: true };
}

/** `POST /{phone}/deregister`: it can no longer send. */
function deregisterPhone(call: GraphCall, phone: Phone): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  phone.status = 'DISCONNECTED';
  return { success: true };
}

/** `GET /debug_token?input_token=`: the scopes of a token, and its accounts. Strict: only with the app token. */
function debugToken(call: GraphCall): GraphAnswer {
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

/** The targets of `business_management` are businesses, those of the messaging scopes are accounts. */
function listGrants({ world }: GraphCall, { accountId, scopes }: Bearer): object[] {
  const businessIds = findDemoAccount(accountId)?.businessIds ?? [];
  const accountIds = listReachableAccountIds(world, businessIds);
  return scopes.flatMap((scope) => {
    if (scope === BUSINESS_SCOPE) return [{ scope, target_ids: businessIds }];
    const namesAccounts = scope.startsWith('chat_') || scope.startsWith(`${PRODUCT}_`);
    return namesAccounts ? [{ scope, target_ids: accountIds }] : [];
  });
}
