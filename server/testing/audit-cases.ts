// The expected audit entries of every permitted server action and operation of the API; the samples are those of
// server/authorization.integration.test.ts. The compiler requires an entry for each export of each file of actions.
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { pauseWorkflow, unpublishWorkflow } from '#lib/workflows/lifecycle.ts';
import type { ACTIONS } from './authorization-actions.ts';
import type { Targets } from './authorization-targets.ts';
import { PASSWORD } from './authorization-world.ts';

/** Nothing of a workspace is changed, or only the caller's own data (docs/security.md). */
const NOTHING: readonly string[] = [];

interface Prepared {
  entries: readonly string[];
  /** Other arguments than the sample's, where that would change nothing. */
  args: (things: Targets, ctx: MessagingActorContext) => Promise<unknown>;
}
export type Audited = readonly string[] | Prepared;

async function subscription(things: Targets, ctx: MessagingActorContext) {
  const [id, workflow_id] = [await things.connectionId(), await things.workflowId()];
  await putSubscription(ctx, { id, workflow_id, kinds: ['messages'], phone_number_id: null });
  return { id, workflow_id };
}

/** A draft that is published already is not published again. */
const unpublished = async (things: Targets, ctx: MessagingActorContext) =>
  unpublishWorkflow(ctx, { id: await things.workflowId() });

const proof = async (things: Targets, ctx: MessagingActorContext) => ({
  password: PASSWORD,
  code: await things.twoFactorCode(ctx.actor, new Date(0)),
});

export const ACTION_ENTRIES = {
  // Invitations and the first owner have their own cases: these samples are refused.
  'app/(auth)/actions.ts': {
    createOwner: NOTHING,
    createInvited: NOTHING,
    joinWorkspace: NOTHING,
    signOutToJoin: NOTHING,
    requestReset: NOTHING,
    setNewPassword: NOTHING,
    startPasskey: NOTHING,
  },
  'app/(studio)/settings/account/actions.ts': {
    // Nothing changes until a code is confirmed.
    startTwoFactor: NOTHING,
    confirmTwoFactor: {
      entries: ['two_factor.enabled'],
      args: async (things, ctx) => ({ code: await things.twoFactorCode(ctx.actor, null) }),
    },
    renewCodes: { entries: ['two_factor.recovery_codes_created'], args: proof },
    switchTwoFactorOff: { entries: ['two_factor.disabled'], args: proof },
    countCodesLeft: NOTHING,
    // Nothing changes until the response of a passkey is confirmed, which has its own case.
    startAdding: NOTHING,
    addPasskey: NOTHING,
    renamePasskey: ['passkey.renamed'],
    deletePasskey: ['passkey.deleted'],
  },
  'app/(studio)/actions.ts': { signOut: NOTHING, switchWorkspace: NOTHING, findWorkflows: NOTHING },
  'app/(studio)/connections/actions.ts': {
    recheckConnections: NOTHING,
    startLogin: NOTHING,
    saveLogin: ['connection.created'],
    describeToken: NOTHING,
    connectToken: ['connection.created'],
    reconnectToken: ['connection.reconnected'],
    renameConnection: ['connection.renamed'],
    deleteConnection: ['connection.deleted'],
    sendTestMessage: ['connection.tested'],
    registerPhoneNumber: ['connection.number_registered'],
    subscribeNotifications: ['connection.subscribed'],
    unsubscribeNotifications: ['connection.unsubscribed'],
    putSubscription: ['connection.workflow_added'],
    removeSubscription: {
      entries: ['connection.workflow_removed'],
      args: async (things, ctx) => {
        const { id, workflow_id: workflowId } = await subscription(things, ctx);
        return { id, workflowId };
      },
    },
  },
  'app/(studio)/events/actions.ts': {
    replayEvent: ['event.replayed'],
    replayEvents: ['event.replayed'],
    planReplay: NOTHING,
    findReplayable: NOTHING,
  },
  'app/(studio)/message-templates/actions.ts': {
    createMessageTemplate: ['message_template.created'],
    updateMessageTemplate: ['message_template.updated'],
    deleteMessageTemplate: ['message_template.deleted'],
  },
  'app/(studio)/runs/actions.ts': {
    retryRuns: ['run.retried'],
    cancelRuns: ['run.cancelled'],
    retryRun: ['run.retried'],
    cancelRun: ['run.cancelled'],
    // Only concerns the user.
    lookAtWorkflow: NOTHING,
    planRetry: NOTHING,
    resolveTaskRun: ['run.marked_done'],
  },
  'app/(studio)/settings/alerts/actions.ts': {
    moreAlerts: NOTHING,
    addDestination: ['alert_destination.created'],
    changeDestination: ['alert_destination.updated'],
    removeDestination: ['alert_destination.deleted'],
    sendTestAlert: ['alert_destination.tested'],
    tryAgain: ['alert.retried'],
    saveThresholds: ['alert_settings.changed'],
    saveWorkflowAlerts: ['workflow.alerts_changed'],
  },
  'app/(studio)/customers/[id]/actions.ts': {
    recordConsent: ['customer.consent_changed'],
    saveAttributes: ['customer.attributes_changed'],
    holdCustomer: ['customer.held'],
    releaseCustomer: ['customer.released'],
    previewErasing: NOTHING,
    erase: ['customer.erased'],
  },
  'app/(studio)/settings/consent/actions.ts': { saveConsentSettings: ['workspace.consent_changed'] },
  'app/(studio)/settings/retention/actions.ts': {
    saveRetention: ['workspace.retention_changed'],
    previewDeletions: NOTHING,
  },
  'app/(studio)/settings/actions.ts': {
    rename: ['workspace.renamed'],
    createAnother: ['workspace.created'],
    leave: ['member.left'],
    maskNumbers: ['workspace.numbers_shown'],
    limitWebhooks: ['workspace.webhook_rate_changed'],
    limitWorkspaceRuns: ['workspace.runs_limited'],
    saveTime: ['workspace.time_changed'],
    savePrices: ['workspace.prices_changed'],
    invite: ['invitation.created'],
    testMail: NOTHING,
    withdrawInvitation: ['invitation.revoked'],
    setRole: ['member.role_changed'],
    remove: ['member.removed'],
    createKey: ['api_key.created'],
    revokeKey: ['api_key.revoked'],
    addSecret: ['secret.created'],
    replaceSecret: ['secret.replaced'],
    deleteSecret: ['secret.deleted'],
    moreAuditEntries: NOTHING,
    setPassword: ['password.changed'],
    signOutElsewhere: {
      entries: ['session.others_ended'],
      args: async (things, ctx) => {
        await things.sessionId(ctx.actor);
        return {};
      },
    },
    signOutBrowser: ['session.ended'],
    setTwoFactorRequirement: ['workspace.two_factor_optional'],
  },
  'app/(studio)/settings/sign-in/actions.ts': {
    checkProvider: NOTHING,
    saveSignInPolicy: ['sign_in_policy.changed'],
    saveGroupAccess: ['workspace.group_roles_changed'],
  },
  'app/(studio)/workflows/[id]/actions.ts': {
    // Drafts are saved every few seconds; what is published is recorded.
    saveDraft: NOTHING,
    loadDraft: NOTHING,
    copyDraft: ['workflow.created'],
    moveToSecret: ['secret.created'],
    publish: {
      entries: ['workflow.published'],
      args: async (things, ctx) => {
        const { id, draft_revision } = await unpublished(things, ctx);
        return { id, draft_revision };
      },
    },
    unpublish: ['workflow.unpublished'],
    setActive: ['workflow.paused'],
    startNow: ['workflow.started'],
    limitRuns: ['workflow.runs_limited'],
    listVersions: NOTHING,
    getVersion: NOTHING,
    tryTask: NOTHING,
    runDraft: ['workflow.draft_run'],
    // Part of the draft, like its saves.
    pinOutput: NOTHING,
    unpinOutput: NOTHING,
    receiveNotifications: ['connection.subscribed'],
    loadFacts: NOTHING,
    listOptions: NOTHING,
    findWindow: NOTHING,
  },
  'app/(studio)/workflows/[id]/lists/actions.ts': {
    changeMapping: ['list.mapped'],
    start: ['list.started'],
    pause: ['list.paused'],
    resume: ['list.resumed'],
    stop: ['list.stopped'],
    retryFailed: ['list.retried'],
    remove: ['list.deleted'],
  },
  'app/(studio)/workflows/actions.ts': {
    createBlank: ['workflow.created'],
    createFromStarter: ['workflow.created'],
    rename: ['workflow.renamed'],
    setTags: ['workflow.tagged'],
    setActive: ['workflow.paused'],
    duplicate: ['workflow.created'],
    previewDeletion: NOTHING,
    remove: ['workflow.deleted'],
    restore: ['workflow.restored'],
    moreTrash: NOTHING,
    deletePermanently: ['workflow.deleted_permanently'],
    exportJson: NOTHING,
    checkImportText: NOTHING,
    importText: ['workflow.imported'],
  },
} satisfies { [File in keyof typeof ACTIONS]: Record<keyof (typeof ACTIONS)[File], Audited> };

export interface AuditedOperation {
  entries: readonly string[];
  /** The action of the screens that does the same. */
  action?: `${keyof typeof ACTION_ENTRIES}#${string}`;
  params?: (things: Targets, ctx: MessagingActorContext) => Promise<Record<string, string>>;
}

const of = (entry: string, action?: AuditedOperation['action']): AuditedOperation =>
  action === undefined ? { entries: [entry] } : { entries: [entry], action };

const CONNECTIONS = 'app/(studio)/connections/actions.ts';
const RUNS = 'app/(studio)/runs/actions.ts';
const ALERTS = 'app/(studio)/settings/alerts/actions.ts';
const SETTINGS = 'app/(studio)/settings/actions.ts';
const RETENTION = 'app/(studio)/settings/retention/actions.ts';
const SIGN_IN = 'app/(studio)/settings/sign-in/actions.ts';
const EDITOR = 'app/(studio)/workflows/[id]/actions.ts';
const WORKFLOWS = 'app/(studio)/workflows/actions.ts';

/** Every operation that is no GET. */
export const OPERATION_ENTRIES: Readonly<Record<string, AuditedOperation>> = {
  createList: of('list.uploaded'),
  mapList: of('list.mapped'),
  startList: of('list.started'),
  pauseList: of('list.paused'),
  resumeList: of('list.resumed'),
  stopList: of('list.stopped'),
  retryList: of('list.retried'),
  deleteList: of('list.deleted'),
  createApiKey: of('api_key.created', `${SETTINGS}#createKey`),
  revokeApiKey: of('api_key.revoked', `${SETTINGS}#revokeKey`),
  setSecret: of('secret.replaced', `${SETTINGS}#replaceSecret`),
  deleteSecret: of('secret.deleted', `${SETTINGS}#deleteSecret`),
  createAlertDestination: of('alert_destination.created', `${ALERTS}#addDestination`),
  updateAlertDestination: of('alert_destination.updated', `${ALERTS}#changeDestination`),
  deleteAlertDestination: of('alert_destination.deleted', `${ALERTS}#removeDestination`),
  setAlertSettings: of('alert_settings.changed', `${ALERTS}#saveThresholds`),
  setWorkflowAlertSettings: of('workflow.alerts_changed', `${ALERTS}#saveWorkflowAlerts`),
  createConnection: of('connection.created', `${CONNECTIONS}#saveLogin`),
  renameConnection: of('connection.renamed', `${CONNECTIONS}#renameConnection`),
  deleteConnection: of('connection.deleted', `${CONNECTIONS}#deleteConnection`),
  registerPhoneNumber: of('connection.number_registered', `${CONNECTIONS}#registerPhoneNumber`),
  subscribeNotifications: of('connection.subscribed', `${CONNECTIONS}#subscribeNotifications`),
  unsubscribeNotifications: of('connection.unsubscribed', `${CONNECTIONS}#unsubscribeNotifications`),
  putSubscription: of('connection.workflow_added', `${CONNECTIONS}#putSubscription`),
  removeSubscription: {
    ...of('connection.workflow_removed', `${CONNECTIONS}#removeSubscription`),
    params: subscription,
  },
  previewReplay: { entries: NOTHING },
  replayMatching: {
    entries: ['event.replayed'],
    params: async (things) => {
      await things.keptEvent();
      return {};
    },
  },
  replayEvent: of('event.replayed', 'app/(studio)/events/actions.ts#replayEvent'),
  createMessageTemplate: of(
    'message_template.created',
    'app/(studio)/message-templates/actions.ts#createMessageTemplate',
  ),
  updateMessageTemplate: of(
    'message_template.updated',
    'app/(studio)/message-templates/actions.ts#updateMessageTemplate',
  ),
  deleteMessageTemplate: of(
    'message_template.deleted',
    'app/(studio)/message-templates/actions.ts#deleteMessageTemplate',
  ),
  retryRun: of('run.retried', `${RUNS}#retryRun`),
  cancelRun: of('run.cancelled', `${RUNS}#cancelRun`),
  resolveTaskRun: of('run.marked_done', `${RUNS}#resolveTaskRun`),
  createWorkflow: of('workflow.created', `${WORKFLOWS}#createBlank`),
  replaceDraft: of('workflow.draft_replaced'),
  deleteWorkflow: of('workflow.deleted', `${WORKFLOWS}#remove`),
  restoreWorkflow: of('workflow.restored', `${WORKFLOWS}#restore`),
  purgeWorkflow: of('workflow.deleted_permanently', `${WORKFLOWS}#deletePermanently`),
  publishWorkflow: {
    entries: ['workflow.published'],
    params: async (things, ctx) => ({ id: (await unpublished(things, ctx)).id }),
  },
  runDraft: of('workflow.draft_run', `${EDITOR}#runDraft`),
  unpublishWorkflow: of('workflow.unpublished', `${EDITOR}#unpublish`),
  activateWorkflow: {
    entries: ['workflow.activated'],
    params: async (things, ctx) => {
      const { id } = await things.workflow();
      await pauseWorkflow(ctx, { id });
      return { id };
    },
  },
  pauseWorkflow: of('workflow.paused', `${EDITOR}#setActive`),
  startWorkflow: of('workflow.started', `${EDITOR}#startNow`),
  limitRuns: of('workflow.runs_limited', `${EDITOR}#limitRuns`),
  setTags: of('workflow.tagged', `${WORKFLOWS}#setTags`),
  rotateToken: of('workflow.urls_rotated'),
  setSignInPolicy: of('sign_in_policy.changed', `${SIGN_IN}#saveSignInPolicy`),
  setGroupAccess: of('workspace.group_roles_changed', `${SIGN_IN}#saveGroupAccess`),
  previewGroupAccess: { entries: NOTHING },
  setTwoFactorRequirement: of('workspace.two_factor_optional', `${SETTINGS}#setTwoFactorRequirement`),
  setRetention: of('workspace.retention_changed', `${RETENTION}#saveRetention`),
  previewRetention: { entries: NOTHING },
  setConsent: of('customer.consent_changed'),
  setCustomerAttributes: of('customer.attributes_changed'),
  setCustomerHold: of('customer.held'),
  releaseCustomerHold: of('customer.released'),
  eraseCustomer: of('customer.erased'),
  setConsentSettings: of(
    'workspace.consent_changed',
    'app/(studio)/settings/consent/actions.ts#saveConsentSettings',
  ),
  setWorkspaceTime: of('workspace.time_changed', `${SETTINGS}#saveTime`),
  setMessagePrices: of('workspace.prices_changed', `${SETTINGS}#savePrices`),
  setWebhookRate: of('workspace.webhook_rate_changed', `${SETTINGS}#limitWebhooks`),
  setWorkspaceRunLimit: of('workspace.runs_limited', `${SETTINGS}#limitWorkspaceRuns`),
};
