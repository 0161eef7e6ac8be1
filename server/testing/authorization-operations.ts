// Every operation of the API with a sample: what the key of another workspace is answered, and what its own is.
import { IDS } from '../../sandbox/data/businesses.ts';
import type { Targets } from './authorization-targets.ts';

export interface OperationCase {
  /** The path's parameters by name, with ids of this workspace. */
  params?: (things: Targets) => Promise<Record<string, string>>;
  query?: string;
  body?: unknown;
  /** Only the key of the environment may: the workspace's own keys are refused. */
  forOperator?: true;
  /** It names nothing: it is done in the key's own workspace. */
  isOwn?: true;
}

const workflow: OperationCase = { params: async (a) => ({ id: await a.workflowId() }) };
const connection: OperationCase = { params: async (a) => ({ id: await a.connectionId() }) };
const failedRun: OperationCase = { params: async (a) => ({ id: (await a.failedRun()).id }) };
const list: OperationCase = { isOwn: true };
const subscription: OperationCase = {
  params: async (a) => ({ id: await a.connectionId(), workflow_id: await a.workflowId() }),
};
const approvedTemplate = async (a: Targets) => {
  const { id, templateId: template_id } = await a.approvedTemplate();
  return { id, template_id };
};
const drawing = { name: 'Drawing', tasks: [{ id: 1, type: 'inbound_webhook', settings: {} }], edges: [] };

let templates = 0;

export const OPERATION_CASES: Readonly<Record<string, OperationCase>> = {
  listApiKeys: { ...list, forOperator: true },
  createApiKey: { isOwn: true, forOperator: true, body: { name: 'Another key' } },
  revokeApiKey: { forOperator: true, params: async (a) => ({ id: (await a.apiKey()).id }) },
  listConnections: list,
  createConnection: {
    isOwn: true,
    body: { name: 'By hand', access_token: 'unknown', refresh_token: 'unknown' },
  },
  getConnection: connection,
  renameConnection: { params: async (a) => ({ id: await a.freshConnectionId() }), body: { name: 'Renamed' } },
  deleteConnection: { params: async (a) => ({ id: await a.freshConnectionId() }) },
  checkConnection: connection,
  listBusinessAccounts: connection,
  listPhoneNumbers: connection,
  subscribeNotifications: connection,
  unsubscribeNotifications: connection,
  listSubscriptions: connection,
  putSubscription: { ...subscription, body: { kinds: ['messages'] } },
  removeSubscription: subscription,
  listEvents: list,
  getEvent: { params: async (a) => ({ id: (await a.event()).id }) },
  replayEvent: { params: async (a) => ({ id: (await a.event()).id }), body: { repeat: true } },
  listMessageTemplates: connection,
  createMessageTemplate: {
    ...connection,
    /** Of another name each time, for several keys may; names have letters only. */
    get body() {
      templates += 1;
      return {
        business_account_id: IDS.books,
        name: `order_by_key_${'abcdefghijklmnop'.charAt(templates % 16)}`,
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Your order is on its way.' }],
      };
    },
  },
  updateMessageTemplate: {
    params: approvedTemplate,
    body: { components: [{ type: 'BODY', text: 'Your order is on its way.' }] },
  },
  deleteMessageTemplate: { params: approvedTemplate },
  listRuns: list,
  getRun: failedRun,
  retryRun: failedRun,
  cancelRun: { params: async (a) => ({ id: (await a.event()).runId }) },
  resolveTaskRun: {
    params: async (a) => ({ id: (await a.failedRun()).id, task_id: '2' }),
    body: { as: 'done' },
  },
  listWorkflows: list,
  createWorkflow: { isOwn: true, body: drawing },
  getWorkflow: workflow,
  exportWorkflow: workflow,
  replaceDraft: { ...workflow, body: drawing },
  deleteWorkflow: workflow,
  restoreWorkflow: { params: async (a) => ({ id: await a.deletedWorkflowId() }) },
  publishWorkflow: workflow,
  runDraft: { ...workflow, body: { body: { phone: '15550001111' } } },
  unpublishWorkflow: workflow,
  activateWorkflow: workflow,
  pauseWorkflow: workflow,
  setTags: { ...workflow, body: { tags: ['Shop'] } },
  rotateToken: workflow,
  getWebhookRate: list,
  setWebhookRate: { isOwn: true, forOperator: true, body: { requests_per_second: 50 } },
};
