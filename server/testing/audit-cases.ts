// What the audit log has of every server action and operation of the API that is let through; the samples are those of
// server/authorization.integration.test.ts. The compiler wants an entry for each export of each file of actions.
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { pauseWorkflow } from '#lib/workflows/pause-workflow.ts';
import type { ACTIONS } from './authorization-actions.ts';
import type { Targets } from './authorization-targets.ts';

/** Nothing of a workspace is changed, or what is changed is nobody's but the caller's (docs/security.md). */
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

export const ACTION_ENTRIES = {
  // Invitations and the first owner have cases of their own: these samples are refused.
  'app/(auth)/actions.ts': { createOwner: NOTHING, createInvited: NOTHING, joinWorkspace: NOTHING },
  'app/(studio)/actions.ts': { signOut: NOTHING, switchWorkspace: NOTHING, findWorkflows: NOTHING },
  'app/(studio)/connections/actions.ts': {
    recheckConnections: NOTHING,
    startLogin: NOTHING,
    saveLogin: ['connection.created'],
    renameConnection: ['connection.renamed'],
    deleteConnection: ['connection.deleted'],
    sendTestMessage: ['connection.tested'],
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
    // The user's own business.
    lookAtWorkflow: NOTHING,
    planRetry: NOTHING,
    resolveTaskRun: ['run.marked_done'],
  },
  'app/(studio)/settings/actions.ts': {
    rename: ['workspace.renamed'],
    createAnother: ['workspace.created'],
    leave: ['member.left'],
    maskNumbers: ['workspace.numbers_shown'],
    limitWebhooks: ['workspace.webhook_rate_changed'],
    invite: ['invitation.created'],
    withdrawInvitation: ['invitation.revoked'],
    setRole: ['member.role_changed'],
    remove: ['member.removed'],
    createKey: ['api_key.created'],
    revokeKey: ['api_key.revoked'],
    moreAuditEntries: NOTHING,
    setPassword: ['password.changed'],
    signOutElsewhere: NOTHING,
  },
  'app/(studio)/workflows/[id]/actions.ts': {
    // Drafts are saved every few seconds; what is published is recorded.
    saveDraft: NOTHING,
    loadDraft: NOTHING,
    copyDraft: ['workflow.created'],
    publish: ['workflow.published'],
    unpublish: ['workflow.unpublished'],
    setActive: ['workflow.paused'],
    listVersions: NOTHING,
    getVersion: NOTHING,
    tryTask: NOTHING,
    runDraft: ['workflow.draft_run'],
    // Part of the draft, as its saves are.
    pinOutput: NOTHING,
    unpinOutput: NOTHING,
    subscribeToMessages: ['connection.workflow_added', 'connection.subscribed'],
    stopMessages: {
      entries: ['connection.workflow_removed'],
      args: async (things, ctx) => {
        const { id: connectionId, workflow_id: id } = await subscription(things, ctx);
        return { id, connectionId };
      },
    },
    loadFacts: NOTHING,
    listOptions: NOTHING,
    findWindow: NOTHING,
  },
  'app/(studio)/workflows/actions.ts': {
    createBlank: ['workflow.created'],
    createFromStarter: ['workflow.created'],
    rename: ['workflow.renamed'],
    setTags: ['workflow.tagged'],
    search: NOTHING,
    setActive: ['workflow.paused'],
    duplicate: ['workflow.created'],
    remove: ['workflow.deleted'],
    restore: ['workflow.restored'],
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
const SETTINGS = 'app/(studio)/settings/actions.ts';
const EDITOR = 'app/(studio)/workflows/[id]/actions.ts';
const WORKFLOWS = 'app/(studio)/workflows/actions.ts';

/** Every operation that is no GET. */
export const OPERATION_ENTRIES: Readonly<Record<string, AuditedOperation>> = {
  createApiKey: of('api_key.created', `${SETTINGS}#createKey`),
  revokeApiKey: of('api_key.revoked', `${SETTINGS}#revokeKey`),
  createConnection: of('connection.created', `${CONNECTIONS}#saveLogin`),
  renameConnection: of('connection.renamed', `${CONNECTIONS}#renameConnection`),
  deleteConnection: of('connection.deleted', `${CONNECTIONS}#deleteConnection`),
  subscribeNotifications: of('connection.subscribed', `${CONNECTIONS}#subscribeNotifications`),
  unsubscribeNotifications: of('connection.unsubscribed', `${CONNECTIONS}#unsubscribeNotifications`),
  putSubscription: of('connection.workflow_added', `${CONNECTIONS}#putSubscription`),
  removeSubscription: {
    ...of('connection.workflow_removed', `${CONNECTIONS}#removeSubscription`),
    params: subscription,
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
  publishWorkflow: of('workflow.published', `${EDITOR}#publish`),
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
  setTags: of('workflow.tagged', `${WORKFLOWS}#setTags`),
  rotateToken: of('workflow.urls_rotated'),
  setWebhookRate: of('workspace.webhook_rate_changed', `${SETTINGS}#limitWebhooks`),
};
