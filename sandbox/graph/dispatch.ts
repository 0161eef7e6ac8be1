import { CLIENT_ACCOUNTS, MANAGEMENT_SCOPE, OWNED_ACCOUNTS } from '../product.ts';
import type { GraphNode } from '../model.ts';
import { assertRole, assertScope } from './access.ts';
import { handleAppSubscriptions, isAppSubscriptionsPath } from './app-subscriptions.ts';
import { takeManagementCall } from './management-limit.ts';
import { debugToken } from './debug-token.ts';
import {
  getMe,
  listBusinessAccounts,
  listBusinesses,
  listPhoneNumbers,
  showAccount,
  showBusiness,
  showPhone,
} from './discovery.ts';
import { findNode } from './find-node.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { GraphError, unknownObject } from '../graph-error.ts';
import { markAsRead } from './mark-read.ts';
import { deleteMedia, showMedia, uploadMedia } from './media.ts';
import { listMessageHistory } from './message-history.ts';
import { showMessageStatus } from './message-status.ts';
import { deregisterPhone, registerPhone } from './register.ts';
import { handleUpload, isUploadPath } from './sample-uploads.ts';
import { sendMessage } from './send-message.ts';
import { listSubscribedApps, subscribeApp, unsubscribeApp } from './subscribed-apps.ts';
import { createTemplate, deleteTemplate, editTemplate, listTemplates, showTemplate } from './templates.ts';

type Answer = GraphAnswer | Promise<GraphAnswer>;
type NodeOf<K extends GraphNode['kind']> = Extract<GraphNode, { kind: K }>;
type Handlers<K extends GraphNode['kind']> = Record<string, (call: GraphCall, node: NodeOf<K>) => Answer>;

/** Calls without an object id, under method and path. */
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

/** Calls on an object, by its kind, under method and edge. */
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
