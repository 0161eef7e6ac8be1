// Every server action with its required role and a valid sample. The compiler requires an entry for each export of each file;
// server/authorization.integration.test.ts requires all files.
import type * as auth from '../../app/(auth)/actions.ts';
import type * as twoFactor from '../../app/(studio)/settings/account/actions.ts';
import type * as studio from '../../app/(studio)/actions.ts';
import type * as connections from '../../app/(studio)/connections/actions.ts';
import type * as events from '../../app/(studio)/events/actions.ts';
import type * as messageTemplates from '../../app/(studio)/message-templates/actions.ts';
import type * as runs from '../../app/(studio)/runs/actions.ts';
import type * as alerts from '../../app/(studio)/settings/alerts/actions.ts';
import type * as customer from '../../app/(studio)/customers/[id]/actions.ts';
import type * as consent from '../../app/(studio)/settings/consent/actions.ts';
import type * as retention from '../../app/(studio)/settings/retention/actions.ts';
import type * as settings from '../../app/(studio)/settings/actions.ts';
import type * as signIn from '../../app/(studio)/settings/sign-in/actions.ts';
import type * as lists from '../../app/(studio)/workflows/[id]/lists/actions.ts';
import type * as workflow from '../../app/(studio)/workflows/[id]/actions.ts';
import type * as workflows from '../../app/(studio)/workflows/actions.ts';
import { HIGHEST_ID } from '#lib/core/ids.ts';
import { cursorAfter } from '#lib/core/db/paging.ts';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { IDS, OLD_PIN } from '../../sandbox/data/businesses.ts';
import { CONSENT_SETTINGS, MESSAGE_PRICES, WORKSPACE_TIME } from './authorization-operations.ts';
import type { Rule } from './authorization-rules.ts';
import type { Targets } from './authorization-targets.ts';
import { PASSWORD } from './authorization-world.ts';

/** The owner of a sample: a user with the permission. */
export interface For {
  userId: string;
  workspaceId: string;
}

export interface ActionCase<Arguments = readonly unknown[]> extends Rule {
  args: (things: Targets, by: For) => Arguments | Promise<Arguments>;
  /** The stranger's own record together with one of this workspace: `not_found` too. */
  mixed?: (own: Targets, foreign: Targets) => Arguments | Promise<Arguments>;
  /** Answers with an outcome for each id: for a stranger all are problems. */
  isBulk?: true;
}

type Cases<Module> = {
  [Name in keyof Module]: Module[Name] extends (...args: infer Arguments) => unknown
    ? ActionCase<Arguments>
    : never;
};

const account = { email: 'somebody@new.example', password: PASSWORD };
let templates = 0;
/** Names of message templates have letters only. */
const templateName = (): string => `order_${'abcdefghijklmnop'.charAt(templates++ % 16)}`;

const TEMPLATE_CONTENT = {
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Your order is on its way.' }],
};

const drawing = (name: string) => ({
  name,
  tasks: [{ id: 1, type: 'inbound_webhook', settings: {}, position: { x: 0, y: 0 } }],
  edges: [],
});

const RETENTION = { bodies_days: 30, runs_days: 90, messages_days: null, audit_days: 400 };

const FILE = JSON.stringify(drawing('Imported'));
const STARTER_ID = STARTERS[0]?.id ?? '';

const ALERT_WEBHOOK = {
  name: 'On call',
  config: { channel: 'webhook' as const, url: 'https://example.com/alerts' },
  kinds: ['run_failed' as const],
  enabled: true,
};
const customerOf = async (a: Targets): Promise<{ id: string }> => ({ id: (await a.message()).customerId });
const THRESHOLDS = {
  cooldown_minutes: 30,
  silence_hours: null,
  connection_days: 3,
  queue_minutes: 5,
  disk_percent: 20,
  database_gigabytes: 80,
};

export const ACTIONS = {
  'app/(auth)/actions.ts': {
    createOwner: { for: 'anyone', answers: 'conflict', args: () => [account] },
    createInvited: { for: 'anyone', answers: 'not_found', args: () => ['no-invitation', account] },
    // The test world has no mail server.
    requestReset: { for: 'anyone', answers: 'conflict', args: () => [{ email: 'owner@example.com' }] },
    setNewPassword: { for: 'anyone', answers: 'not_found', args: () => ['no-link', { password: PASSWORD }] },
    // The test world has an IP address, for which there are no passkeys.
    startPasskey: { for: 'anyone', answers: 'conflict', args: () => [{}] },
    joinWorkspace: { for: 'user', answers: 'not_found', args: () => [{ token: 'no-invitation' }] },
    signOutToJoin: {
      for: 'anyone',
      answers: 'redirect /invitations/no-invitation',
      endsSession: true,
      args: () => [{ token: 'no-invitation' }],
    },
  },
  'app/(studio)/settings/account/actions.ts': {
    startTwoFactor: { for: 'user', args: () => [{ password: PASSWORD }] },
    confirmTwoFactor: {
      for: 'user',
      answers: 'conflict',
      args: async (a) => {
        await a.withoutTwoFactor();
        return [{ code: '000000' }];
      },
    },
    renewCodes: { for: 'user', answers: 'conflict', args: () => [{ password: PASSWORD, code: '000000' }] },
    switchTwoFactorOff: {
      for: 'user',
      answers: 'conflict',
      args: () => [{ password: PASSWORD, code: '000000' }],
    },
    countCodesLeft: { for: 'user', args: () => [{}] },
    startAdding: {
      for: 'user',
      answers: 'conflict',
      args: async (a) => {
        await a.withoutTwoFactor();
        return [{ name: 'Laptop', password: PASSWORD, code: '' }];
      },
    },
    addPasskey: {
      for: 'user',
      answers: 'conflict',
      args: () => [
        {
          sealed: 'v1.made-up',
          response: {
            id: 'AA',
            rawId: 'AA',
            type: 'public-key' as const,
            response: { clientDataJSON: 'AA', attestationObject: 'AA' },
          },
        },
      ],
    },
    renamePasskey: {
      for: 'user',
      stranger: 'not_found',
      args: async (a, { userId }) => [{ id: await a.passkeyId(userId), name: 'Phone' }],
    },
    deletePasskey: {
      for: 'user',
      stranger: 'not_found',
      args: async (a, { userId }) => {
        await a.withoutTwoFactor();
        return [{ id: await a.passkeyId(userId), password: PASSWORD, code: '' }];
      },
    },
  },
  'app/(studio)/actions.ts': {
    signOut: { for: 'anyone', answers: 'redirect /sign-in', endsSession: true, args: () => [] },
    switchWorkspace: {
      for: 'viewer',
      answers: 'redirect /workflows',
      signedOut: 'nothing',
      stranger: 'nothing',
      args: (_, { workspaceId }) => [workspaceId],
    },
    findWorkflows: { for: 'anyone', args: () => [] },
  },
  'app/(studio)/connections/actions.ts': {
    recheckConnections: { for: 'viewer', stranger: 'own', args: () => [{}] },
    startLogin: { for: 'editor', args: async (a) => [{ id: await a.connectionId() }] },
    saveLogin: {
      for: 'editor',
      stranger: 'invalid_request',
      args: async (a, { userId }) => {
        const { id: loginId, businessAccountId } = await a.login(userId, 'authorized');
        return [{ loginId, businessAccountId, name: 'Clinic', subscribes: false }];
      },
    },
    describeToken: {
      for: 'editor',
      stranger: 'own',
      args: async (a) => [{ accessToken: (await a.pasted()).accessToken }],
    },
    connectToken: {
      for: 'editor',
      stranger: 'own',
      args: async (a) => [{ ...(await a.pasted()), name: 'Clinic', subscribes: false }],
    },
    reconnectToken: {
      for: 'editor',
      args: async (a) => [{ id: await a.freshConnectionId(), accessToken: (await a.pasted()).accessToken }],
    },
    renameConnection: {
      for: 'editor',
      args: async (a) => [{ id: await a.freshConnectionId(), name: 'Renamed' }],
    },
    deleteConnection: { for: 'editor', args: async (a) => [{ id: await a.freshConnectionId() }] },
    sendTestMessage: {
      for: 'editor',
      args: async (a) => [
        {
          id: await a.connectionId(),
          phoneNumberId: IDS.booksOrders,
          recipient: '+15550001234',
          message: { templateName: 'hello_world', language: 'en_US' },
        },
      ],
    },
    registerPhoneNumber: {
      for: 'editor',
      args: async (a) => [{ id: await a.connectionId(), phoneNumberId: a.phoneNumberId(), pin: OLD_PIN }],
    },
    subscribeNotifications: { for: 'editor', args: async (a) => [{ id: await a.connectionId() }] },
    unsubscribeNotifications: { for: 'editor', args: async (a) => [{ id: await a.connectionId() }] },
    putSubscription: {
      for: 'editor',
      args: async (a) => [
        { id: await a.connectionId(), workflow_id: await a.workflowId(), kinds: ['messages'] },
      ],
      mixed: async (own, foreign) => [
        { id: await own.freshConnectionId(), workflow_id: await foreign.workflowId(), kinds: ['messages'] },
      ],
    },
    removeSubscription: {
      for: 'editor',
      args: async (a) => [{ id: await a.connectionId(), workflowId: await a.workflowId() }],
    },
  },
  'app/(studio)/events/actions.ts': {
    replayEvent: { for: 'editor', args: async (a) => [{ id: (await a.event()).id, repeat: true }] },
    replayEvents: {
      for: 'editor',
      stranger: 'ok',
      isBulk: true,
      args: async (a) => [{ ids: [(await a.event()).id], repeat: true }],
    },
    findReplayable: { for: 'editor', stranger: 'own', args: () => [{ filter: {} }] },
    planReplay: {
      for: 'editor',
      stranger: 'ok',
      args: async (a) => [{ ids: [(await a.event()).id] }],
    },
  },
  'app/(studio)/message-templates/actions.ts': {
    updateMessageTemplate: {
      for: 'editor',
      args: async (a) => [{ ...(await a.approvedTemplate()), ...TEMPLATE_CONTENT }],
    },
    deleteMessageTemplate: { for: 'editor', args: async (a) => [await a.approvedTemplate()] },
    createMessageTemplate: {
      for: 'editor',
      args: async (a) => [
        {
          id: await a.connectionId(),
          name: templateName(),
          category: 'UTILITY',
          components: [{ type: 'BODY', text: 'Your order is on its way.' }],
        },
      ],
    },
  },
  'app/(studio)/runs/actions.ts': {
    retryRuns: {
      for: 'editor',
      stranger: 'ok',
      isBulk: true,
      args: async (a) => [{ ids: [(await a.failedRun()).id] }],
    },
    cancelRuns: {
      for: 'editor',
      stranger: 'ok',
      isBulk: true,
      args: async (a) => [{ ids: [(await a.event()).runId] }],
    },
    retryRun: { for: 'editor', args: async (a) => [{ id: (await a.failedRun()).id, from: 'start' }] },
    cancelRun: { for: 'editor', args: async (a) => [{ id: (await a.event()).runId }] },
    lookAtWorkflow: {
      for: 'viewer',
      stranger: 'ok',
      args: async (a) => [{ id: await a.workflowId() }],
    },
    planRetry: { for: 'editor', args: async (a) => [{ id: (await a.failedRun()).id }] },
    resolveTaskRun: {
      for: 'editor',
      args: async (a) => [{ id: (await a.failedRun()).id, task_id: 2, as: 'done' }],
    },
  },
  'app/(studio)/settings/alerts/actions.ts': {
    moreAlerts: { for: 'viewer', stranger: 'own', args: (a) => [{ cursor: a.alertCursor() }] },
    addDestination: { for: 'owner', stranger: 'own', args: () => [ALERT_WEBHOOK] },
    changeDestination: {
      for: 'owner',
      args: async (a) => [{ ...ALERT_WEBHOOK, id: await a.alertDestinationId() }],
    },
    removeDestination: { for: 'owner', args: async (a) => [{ id: await a.alertDestinationId() }] },
    sendTestAlert: { for: 'owner', args: async (a) => [{ id: await a.alertDestinationId() }] },
    tryAgain: { for: 'editor', args: async (a) => [{ id: await a.failedDeliveryId() }] },
    saveThresholds: { for: 'owner', stranger: 'own', args: () => [THRESHOLDS] },
    saveWorkflowAlerts: {
      for: 'editor',
      args: async (a) => [{ id: await a.workflowId(), own: null, cooldown_minutes: 30, silence_hours: null }],
    },
  },
  'app/(studio)/customers/[id]/actions.ts': {
    recordConsent: {
      for: 'editor',
      args: async (a) => [{ ...(await customerOf(a)), purpose: 'marketing', state: 'stopped' }],
    },
    holdCustomer: {
      for: 'editor',
      args: async (a) => [{ ...(await customerOf(a)), hours: 2, reason: 'On the phone' }],
    },
    releaseCustomer: { for: 'editor', args: async (a) => [await customerOf(a)] },
    saveAttributes: {
      for: 'editor',
      args: async (a) => [
        { ...(await customerOf(a)), attributes: [{ name: 'city', type: 'text', value: 'Rome' }] },
      ],
    },
    previewErasing: { for: 'owner', args: async (a) => [await customerOf(a)] },
    erase: { for: 'owner', args: async (a) => [await customerOf(a)] },
  },
  'app/(studio)/settings/consent/actions.ts': {
    saveConsentSettings: { for: 'owner', stranger: 'own', args: () => [CONSENT_SETTINGS] },
  },
  'app/(studio)/settings/retention/actions.ts': {
    saveRetention: { for: 'owner', stranger: 'own', args: () => [RETENTION] },
    previewDeletions: { for: 'owner', stranger: 'own', args: () => [RETENTION] },
  },
  'app/(studio)/settings/actions.ts': {
    rename: { for: 'owner', stranger: 'own', args: () => [{ name: 'Our space' }] },
    createAnother: { for: 'editor', stranger: 'own', args: () => [{ name: 'Another space' }] },
    leave: { for: 'viewer', args: async (a, { userId }) => [{ id: await a.workspaceJoinedBy(userId) }] },
    maskNumbers: { for: 'owner', stranger: 'own', args: () => [{ masksNumbers: false }] },
    limitWebhooks: { for: 'owner', stranger: 'own', args: () => [{ requests_per_second: 50 }] },
    limitWorkspaceRuns: { for: 'owner', stranger: 'own', args: () => [{ max_concurrent_runs: 500 }] },
    saveTime: { for: 'owner', stranger: 'own', args: () => [WORKSPACE_TIME] },
    savePrices: { for: 'owner', stranger: 'own', args: () => [MESSAGE_PRICES] },
    invite: { for: 'owner', stranger: 'own', args: () => [{ note: 'A guest', role: 'owner', days: 1 }] },
    testMail: { for: 'owner', answers: 'conflict', stranger: 'conflict', args: () => [{}] },
    withdrawInvitation: { for: 'owner', args: async (a) => [{ id: await a.invitationId() }] },
    setRole: { for: 'owner', args: async (a) => [{ userId: await a.member(), role: 'owner' }] },
    remove: { for: 'owner', args: async (a) => [{ userId: await a.member() }] },
    createKey: { for: 'owner', stranger: 'own', args: () => [{ name: 'Another key' }] },
    revokeKey: { for: 'owner', args: async (a) => [{ id: (await a.apiKey()).id }] },
    addSecret: {
      for: 'editor',
      stranger: 'own',
      args: (a) => [{ name: a.newSecretName(), value: a.newSecretValue() }],
    },
    replaceSecret: {
      for: 'editor',
      args: async (a) => [{ name: await a.secretName(), value: a.newSecretValue() }],
    },
    deleteSecret: { for: 'editor', args: async (a) => [{ name: await a.secretName() }] },
    moreAuditEntries: {
      for: 'owner',
      stranger: 'own',
      args: async (a) => [{ cursor: await a.auditCursor() }],
    },
    setPassword: {
      for: 'viewer',
      stranger: 'own',
      args: () => [{ currentPassword: PASSWORD, newPassword: PASSWORD }],
    },
    signOutElsewhere: { for: 'viewer', stranger: 'own', args: () => [{}] },
    signOutBrowser: {
      for: 'viewer',
      args: async (a, { userId }) => [{ id: await a.sessionId(userId) }],
    },
    setTwoFactorRequirement: { for: 'owner', stranger: 'own', args: () => [{ required: false }] },
  },
  'app/(studio)/settings/sign-in/actions.ts': {
    // The test world has no identity provider.
    checkProvider: { for: 'owner', stranger: 'own', args: () => [{}] },
    saveSignInPolicy: {
      for: 'owner',
      stranger: 'forbidden',
      args: () => [
        {
          requiresIdentity: false,
          trustsEmails: false,
          breakGlassUserIds: [],
          accessContact: 'The service desk',
        },
      ],
    },
    saveGroupAccess: {
      for: 'owner',
      stranger: 'own',
      args: () => [{ access: { groupRoles: [{ group: 'staff', role: 'viewer' }], defaultRole: null } }],
    },
  },
  'app/(studio)/workflows/[id]/actions.ts': {
    saveDraft: {
      for: 'editor',
      args: async (a) => {
        const { id, draft_revision, name, tasks, edges } = await a.workflow();
        return [{ id, draft_revision, graph: { name, tasks, edges } }];
      },
    },
    loadDraft: { for: 'viewer', args: async (a) => [{ id: await a.workflowId() }] },
    copyDraft: { for: 'editor', stranger: 'own', args: () => [{ graph: drawing('A copy') }] },
    moveToSecret: {
      for: 'editor',
      stranger: 'own',
      args: (a) => [{ name: a.newSecretName(), value: a.newSecretValue() }],
    },
    publish: {
      for: 'editor',
      args: async (a) => {
        const { id, draft_revision } = await a.workflow();
        return [{ id, draft_revision }];
      },
    },
    unpublish: { for: 'editor', args: async (a) => [{ id: await a.workflowId() }] },
    setActive: { for: 'editor', args: async (a) => [{ id: await a.workflowId(), active: false }] },
    startNow: { for: 'editor', args: async (a) => [{ id: await a.scheduledWorkflowId() }] },
    limitRuns: { for: 'editor', args: async (a) => [{ id: await a.workflowId(), max_concurrent_runs: 5 }] },
    listVersions: { for: 'viewer', args: async (a) => [{ id: await a.workflowId() }] },
    getVersion: { for: 'viewer', args: async (a) => [{ id: await a.workflowId(), version: 1 }] },
    tryTask: {
      for: 'editor',
      args: async (a) => {
        const { id: event_id, workflowId: id } = await a.event();
        return [{ id, task_id: 2, event_id, tried: {}, confirmed: true }];
      },
      mixed: async (own, foreign) => [
        {
          id: await own.workflowId(),
          task_id: 2,
          event_id: (await foreign.event()).id,
          tried: {},
          confirmed: true,
        },
      ],
    },
    runDraft: {
      for: 'editor',
      args: async (a) => {
        const { id: event_id, workflowId: id } = await a.event();
        return [{ id, event_id, send_to: null, call_services: false }];
      },
      mixed: async (own, foreign) => [
        {
          id: await own.workflowId(),
          event_id: (await foreign.event()).id,
          send_to: null,
          call_services: false,
        },
      ],
    },
    pinOutput: {
      for: 'editor',
      args: async (a) => {
        const { id: run_id, workflowId: id } = await a.failedRun();
        return [{ id, run_id, task_id: 3 }];
      },
      mixed: async (own, foreign) => [
        { id: await own.workflowId(), run_id: (await foreign.failedRun()).id, task_id: 3 },
      ],
    },
    unpinOutput: { for: 'editor', args: async (a) => [{ id: await a.workflowId(), task_id: 3 }] },
    receiveNotifications: {
      for: 'editor',
      args: async (a) => [{ connectionId: await a.connectionId() }],
    },
    loadFacts: {
      for: 'viewer',
      args: async (a) => [
        {
          id: await a.workflowId(),
          uses: [{ connectionId: await a.connectionId(), accountIds: [], templateNames: [] }],
          maxAgeSeconds: 60,
        },
      ],
    },
    listOptions: {
      for: 'viewer',
      args: async (a) => [{ kind: 'phone_number', connectionId: await a.connectionId() }],
    },
    findWindow: {
      for: 'editor',
      args: async (a) => [
        { id: await a.workflowId(), phoneNumberId: '300000000000005', recipient: '15550101001' },
      ],
    },
  },
  'app/(studio)/workflows/[id]/lists/actions.ts': {
    changeMapping: {
      for: 'editor',
      args: async (a) => [
        {
          id: (await a.list('ready')).id,
          mapping: { recipient: 'phone', default_country: null, variables: { phone: 'phone' } },
        },
      ],
    },
    start: { for: 'editor', args: async (a) => [{ id: (await a.list('ready')).id }] },
    pause: { for: 'editor', args: async (a) => [{ id: (await a.list('running')).id }] },
    resume: { for: 'editor', args: async (a) => [{ id: (await a.list('paused')).id }] },
    stop: { for: 'editor', args: async (a) => [{ id: (await a.list('running')).id }] },
    retryFailed: {
      for: 'editor',
      args: async (a) => [{ id: (await a.list('finished')).id, repeat_unknown: true }],
    },
    remove: { for: 'editor', args: async (a) => [{ id: (await a.list('finished')).id }] },
  },
  'app/(studio)/workflows/actions.ts': {
    createBlank: {
      for: 'editor',
      stranger: 'own',
      args: () => [{ name: 'Blank', trigger: 'inbound_webhook' }],
    },
    createFromStarter: { for: 'editor', stranger: 'own', args: () => [{ starterId: STARTER_ID }] },
    rename: { for: 'editor', args: async (a) => [{ id: await a.workflowId(), name: 'Renamed' }] },
    setTags: { for: 'editor', args: async (a) => [{ id: await a.workflowId(), tags: ['Shop'] }] },
    setActive: { for: 'editor', args: async (a) => [{ id: await a.workflowId(), active: false }] },
    duplicate: { for: 'editor', args: async (a) => [{ id: await a.workflowId() }] },
    previewDeletion: { for: 'editor', args: async (a) => [{ id: await a.workflowId() }] },
    remove: { for: 'editor', args: async (a) => [{ id: await a.workflowId(), cancel_runs: false }] },
    restore: { for: 'editor', args: async (a) => [{ id: await a.deletedWorkflowId(), activate: false }] },
    moreTrash: { for: 'viewer', stranger: 'own', args: () => [{ cursor: cursorAfter(HIGHEST_ID) }] },
    deletePermanently: { for: 'editor', args: async (a) => [{ id: await a.deletedWorkflowId() }] },
    exportJson: { for: 'viewer', args: async (a) => [{ id: await a.workflowId() }] },
    checkImportText: { for: 'editor', stranger: 'own', args: () => [{ text: FILE }] },
    importText: { for: 'editor', stranger: 'own', args: () => [{ text: FILE, connections: {} }] },
  },
} satisfies {
  'app/(auth)/actions.ts': Cases<typeof auth>;
  'app/(studio)/settings/account/actions.ts': Cases<typeof twoFactor>;
  'app/(studio)/actions.ts': Cases<typeof studio>;
  'app/(studio)/connections/actions.ts': Cases<typeof connections>;
  'app/(studio)/events/actions.ts': Cases<typeof events>;
  'app/(studio)/message-templates/actions.ts': Cases<typeof messageTemplates>;
  'app/(studio)/runs/actions.ts': Cases<typeof runs>;
  'app/(studio)/settings/actions.ts': Cases<typeof settings>;
  'app/(studio)/customers/[id]/actions.ts': Cases<typeof customer>;
  'app/(studio)/settings/consent/actions.ts': Cases<typeof consent>;
  'app/(studio)/settings/retention/actions.ts': Cases<typeof retention>;
  'app/(studio)/settings/sign-in/actions.ts': Cases<typeof signIn>;
  'app/(studio)/settings/alerts/actions.ts': Cases<typeof alerts>;
  'app/(studio)/workflows/[id]/actions.ts': Cases<typeof workflow>;
  'app/(studio)/workflows/[id]/lists/actions.ts': Cases<typeof lists>;
  'app/(studio)/workflows/actions.ts': Cases<typeof workflows>;
};
