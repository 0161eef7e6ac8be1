// Every operation of the API with a sample. Its declared scope decides who may call it.
import { IDS, OLD_PIN } from '../../sandbox/data/businesses.ts';
import type { ListState } from '#lib/lists/schema.ts';
import type { Targets } from './authorization-targets.ts';

export interface OperationCase {
  /** The path's parameters by name, with ids of this workspace. */
  params?: (things: Targets) => Promise<Record<string, string>>;
  query?: string;
  body?: unknown;
  /** It has no ids: it applies to the key's own workspace. */
  isOwn?: true;
  /** It is for the installation, which belongs to the first workspace. */
  isFirstWorkspaces?: true;
}

const workflow: OperationCase = { params: async (a) => ({ id: await a.workflowId() }) };
const connection: OperationCase = { params: async (a) => ({ id: await a.connectionId() }) };
const customer: OperationCase = { params: async (a) => ({ id: (await a.message()).customerId }) };
const failedRun: OperationCase = { params: async (a) => ({ id: (await a.failedRun()).id }) };
const failedTask: OperationCase = {
  params: async (a) => ({ id: (await a.failedRun()).id, task_id: '2' }),
};
const list: OperationCase = { isOwn: true };
const subscription: OperationCase = {
  params: async (a) => ({ id: await a.connectionId(), workflow_id: await a.workflowId() }),
};
const approvedTemplate = async (a: Targets) => {
  const { id, templateId: template_id } = await a.approvedTemplate();
  return { id, template_id };
};
/** Another number each time: the platform counts the attempts of each. */
const registration = async (a: Targets) => ({
  id: await a.connectionId(),
  phone_number_id: a.phoneNumberId(),
});
const listIn = (state: ListState): OperationCase => ({
  params: async (a) => ({ id: (await a.list(state)).id }),
});
const drawing = { name: 'Drawing', tasks: [{ id: 1, type: 'inbound_webhook', settings: {} }], edges: [] };

let templates = 0;

/** For a webhook, which keeps its channel. */
const webhookAlerts = {
  name: 'On call',
  config: { channel: 'webhook', url: 'https://example.com/alerts' },
  kinds: ['run_failed'],
};
const alertDestination: OperationCase = {
  params: async (a) => ({ id: await a.alertDestinationId() }),
};

const retention = { bodies_days: 30, runs_days: 90, messages_days: null, audit_days: 400 };

/** Of the API, and of its form. */
export const CONSENT_SETTINGS = {
  stop_words: ['Stop'],
  resume_words: ['Start'],
  purpose: 'all' as const,
  holds_on_echoes: true,
  echo_hold_hours: 12,
  hold_sends: 'wait' as const,
  hold_deadlines: 'run' as const,
  stop_confirmation: 'No more offers.',
  resume_confirmation: '',
  marketing_limit: { messages: 4, days: 7 },
};

/** Of the API, and of its form. */
export const WORKSPACE_TIME = {
  zone: 'Europe/Berlin',
  hours: {
    Shop: {
      monday: [{ from: '09:00', to: '18:00' }],
      tuesday: [],
      wednesday: [],
      thursday: [],
      friday: [],
      saturday: [],
      sunday: [],
    },
  },
  holidays: { Shop: ['2026-12-25'] },
  quiet_hours: { from: '21:00', to: '08:00' },
};

/** Of the API, and of its form. */
export const MESSAGE_PRICES = { currency: 'EUR', prices: { marketing: '0.1131' } };

const groupRules = { group_roles: [{ group: 'staff', role: 'viewer' }], default_role: null };

export const OPERATION_CASES: Readonly<Record<string, OperationCase>> = {
  getDeliveryReport: list,
  exportDeliveryReport: list,
  listAlerts: list,
  listAlertDestinations: list,
  createAlertDestination: { isOwn: true, body: webhookAlerts },
  updateAlertDestination: { ...alertDestination, body: webhookAlerts },
  deleteAlertDestination: alertDestination,
  getAlertSettings: list,
  setAlertSettings: { isOwn: true, body: { cooldown_minutes: 30 } },
  getWorkflowAlertSettings: workflow,
  setWorkflowAlertSettings: { ...workflow, body: { silence_hours: 12 } },
  getCurrentKey: list,
  listApiKeys: list,
  createApiKey: { isOwn: true, body: { name: 'Another key' } },
  revokeApiKey: { params: async (a) => ({ id: (await a.apiKey()).id }) },
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
  registerPhoneNumber: { params: registration, body: { pin: OLD_PIN } },
  subscribeNotifications: connection,
  unsubscribeNotifications: connection,
  listSubscriptions: connection,
  putSubscription: { ...subscription, body: { kinds: ['messages'] } },
  removeSubscription: subscription,
  listEvents: list,
  getEvent: { params: async (a) => ({ id: (await a.event()).id }) },
  listCustomers: list,
  getCustomer: customer,
  listCustomerMessages: customer,
  exportCustomer: customer,
  eraseCustomer: customer,
  listErasures: { isOwn: true, params: async (a) => ({ id: await a.erasureId() }) },
  getMessage: { params: async (a) => ({ id: (await a.message()).id }) },
  previewReplay: { isOwn: true, body: {} },
  replayMatching: { isOwn: true, body: { limit: 1 } },
  replayEvent: { params: async (a) => ({ id: (await a.event()).id }), body: { repeat: true } },
  exportEvents: list,
  exportRuns: list,
  exportMessages: list,
  listMessageTemplates: connection,
  createMessageTemplate: {
    ...connection,
    /** Another name each time, because several keys may call it; names only have letters. */
    get body() {
      templates += 1;
      return {
        business_account_id: IDS.books,
        name: `order_by_key_${'ab'.charAt(templates / 26)}${'abcdefghijklmnopqrstuvwxyz'.charAt(templates % 26)}`,
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
  getTaskRun: failedTask,
  retryRun: failedRun,
  cancelRun: { params: async (a) => ({ id: (await a.event()).runId }) },
  resolveTaskRun: { ...failedTask, body: { as: 'done' } },
  createList: { ...workflow, body: { rows: [{ phone: '15550101001' }] } },
  listLists: { params: async (a) => ({ id: (await a.list('ready')).workflowId }) },
  getList: listIn('ready'),
  listRows: listIn('finished'),
  mapList: {
    ...listIn('ready'),
    body: { recipient: 'phone', default_country: null, variables: { phone: 'phone' } },
  },
  startList: listIn('ready'),
  pauseList: listIn('running'),
  resumeList: listIn('paused'),
  stopList: listIn('running'),
  retryList: { ...listIn('finished'), body: { repeat_unknown: true } },
  deleteList: listIn('finished'),
  listWorkflows: list,
  createWorkflow: { isOwn: true, body: drawing },
  getWorkflow: workflow,
  exportWorkflow: workflow,
  replaceDraft: { ...workflow, body: drawing },
  deleteWorkflow: workflow,
  restoreWorkflow: { params: async (a) => ({ id: await a.deletedWorkflowId() }) },
  listTrash: list,
  purgeWorkflow: { params: async (a) => ({ id: await a.deletedWorkflowId() }) },
  checkDraft: workflow,
  listVariables: { params: async (a) => ({ id: await a.workflowId(), task_id: '2' }) },
  publishWorkflow: workflow,
  runDraft: { ...workflow, body: { body: { phone: '15550001111' } } },
  unpublishWorkflow: workflow,
  activateWorkflow: workflow,
  pauseWorkflow: workflow,
  startWorkflow: { params: async (a) => ({ id: await a.scheduledWorkflowId() }) },
  limitRuns: { ...workflow, body: { max_concurrent_runs: 5 } },
  setTags: { ...workflow, body: { tags: ['Shop'] } },
  rotateToken: workflow,
  listSecrets: list,
  setSecret: {
    isOwn: true,
    params: async (a) => ({ name: await a.secretName() }),
    body: { value: 'set-by-a-key-of-the-workspace' },
  },
  deleteSecret: { params: async (a) => ({ name: await a.secretName() }) },
  listTaskTypes: list,
  getTaskType: { isOwn: true, params: async () => ({ type: 'delay' }) },
  getSignInPolicy: list,
  setSignInPolicy: {
    isFirstWorkspaces: true,
    body: {
      requires_identity: false,
      trusts_emails: false,
      access_contact: 'The service desk',
      break_glass_user_ids: [],
    },
  },
  checkIdentityProvider: list,
  getGroupAccess: list,
  setGroupAccess: { isOwn: true, body: { rules: groupRules } },
  previewGroupAccess: { isOwn: true, body: groupRules },
  getTwoFactorRequirement: list,
  setTwoFactorRequirement: { isOwn: true, body: { required: false } },
  getHealth: list,
  getRetention: list,
  setRetention: { isOwn: true, body: retention },
  previewRetention: { isOwn: true, body: retention },
  getConsent: customer,
  setConsent: { ...customer, body: { purpose: 'marketing', state: 'stopped' } },
  setCustomerAttributes: {
    ...customer,
    body: { attributes: [{ name: 'city', type: 'text', value: 'Rome' }] },
  },
  getCustomerHold: customer,
  setCustomerHold: { ...customer, body: { hours: 2, reason: 'On the phone' } },
  releaseCustomerHold: customer,
  getMessagePrices: list,
  setMessagePrices: { isOwn: true, body: MESSAGE_PRICES },
  getConsentSettings: list,
  setConsentSettings: { isOwn: true, body: CONSENT_SETTINGS },
  getWorkspaceTime: list,
  setWorkspaceTime: { isOwn: true, body: WORKSPACE_TIME },
  getWebhookRate: list,
  setWebhookRate: { isOwn: true, body: { requests_per_second: 50 } },
  getWorkspaceRunLimit: list,
  setWorkspaceRunLimit: { isOwn: true, body: { max_concurrent_runs: 500 } },
};
