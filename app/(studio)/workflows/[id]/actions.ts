'use server';
import * as z from 'zod';
import { action, idSchema } from '#lib/identity/auth/authorized-action.ts';
import { subscribeNotifications } from '#lib/messaging/connections/subscribe-notifications.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { describeWindow } from '#lib/messaging/sending/find-window.ts';
import {
  activateWorkflow,
  limitRuns as limit,
  pauseWorkflow,
  unpublishWorkflow,
} from '#lib/workflows/lifecycle.ts';
import { copyDraft as copy } from '#lib/workflows/create-workflow.ts';
import { getVersion as readVersion, listVersions as readVersions } from '#lib/workflows/versions.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { pinOutput as pin, unpinOutput as unpin } from '#lib/workflows/draft-runs/pins.ts';
import { runDraft as startDraft } from '#lib/workflows/draft-runs/run-draft.ts';
import { typedDraftRunSchema } from '#lib/workflows/draft-runs/schema.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { saveDraft as save } from '#lib/workflows/save-draft.ts';
import { startNow as start } from '#lib/workflows/schedules/start-now.ts';
import { draftSchema, limitRunsSchema, pauseSchema } from '#lib/workflows/schema.ts';
import { moveToSecret as move } from '#lib/workflows/secrets/secrets.ts';
import { moveToSecretSchema } from '#lib/workflows/secrets/schema.ts';
import { tryTask as execute } from '#lib/editor/try-task.ts';
import { listPickerOptions } from '#lib/screens/list-picker-options.ts';
import {
  askForFacts,
  MIN_AGE_SECONDS,
  readPublishedState,
  toLoadedDraft,
  toPlacedGraph,
} from '#lib/screens/read-draft.ts';

const revision = z.int().min(1);
const graphSchema = draftSchema.pick({ name: true, tasks: true, edges: true, notes: true });

export const saveDraft = action(
  'editor',
  idSchema.extend({ draft_revision: revision, graph: graphSchema }),
  async (ctx, { id, draft_revision, graph }) => save(ctx, { id, draft_revision, ...graph }),
);

export const loadDraft = action('viewer', idSchema, async (ctx, input) =>
  toLoadedDraft(await getWorkflow(ctx, input)),
);

/** Saves a graph as another workflow, even if it is incomplete. */
export const copyDraft = action('editor', z.strictObject({ graph: graphSchema }), (ctx, { graph }) =>
  copy(ctx, graph),
);

/** The page changes the setting, and saves it with the rest of the draft. */
export const moveToSecret = action('editor', moveToSecretSchema, async (ctx, input) => move(ctx, input));

export const publish = action('editor', idSchema.extend({ draft_revision: revision }), async (ctx, input) => {
  const { warnings, ...workflow } = await publishWorkflow(ctx, input);
  return { live: await readPublishedState(ctx, workflow), warnings };
});

export const unpublish = action('editor', idSchema, async (ctx, input) =>
  readPublishedState(ctx, await unpublishWorkflow(ctx, input)),
);

export const setActive = action(
  'editor',
  idSchema.extend({ active: z.boolean(), ...pauseSchema.shape }),
  async (ctx, { active, ...input }) =>
    readPublishedState(ctx, active ? await activateWorkflow(ctx, input) : await pauseWorkflow(ctx, input)),
);

export const startNow = action('editor', idSchema, start);

export const limitRuns = action('editor', idSchema.extend(limitRunsSchema.shape), async (ctx, input) =>
  readPublishedState(ctx, await limit(ctx, input)),
);

export const listVersions = action('viewer', idSchema, readVersions);

export const getVersion = action('viewer', idSchema.extend({ version: z.int().min(1) }), async (ctx, input) =>
  toPlacedGraph(await readVersion(ctx, input)),
);

export const tryTask = action(
  'editor',
  idSchema.extend({
    task_id: z.int().min(1),
    event_id: z.string().optional(),
    tried: z.record(z.string().regex(/^\d{1,10}$/), z.string()),
    confirmed: z.boolean(),
  }),
  execute,
);

/** Runs the saved draft; its side effects are captured unless they are let through. */
export const runDraft = action('editor', typedDraftRunSchema, async (ctx, input) => {
  const { id, event_id } = await startDraft(ctx, input);
  return { runId: id, eventId: event_id };
});

const taskSchema = idSchema.extend({ task_id: z.int().min(1) });

/** Runs of the draft use the task's output of this run. */
export const pinOutput = action('editor', taskSchema.extend({ run_id: z.string() }), pin);

export const unpinOutput = action('editor', taskSchema, unpin);

/** Subscribes the connection to messages of customers. */
export const receiveNotifications = action(
  'editor',
  z.strictObject({ connectionId: z.string() }),
  (ctx, { connectionId }) => subscribeNotifications(toMessagingContext(ctx), { id: connectionId }),
);

const texts = z.array(z.string().max(600)).max(500);

/**
 * The platform's data about the values that a workflow's tasks pick: read again where the last check is older than
 * `maxAgeSeconds`.
 */
export const loadFacts = action(
  'viewer',
  idSchema.extend({
    uses: z
      .array(z.strictObject({ connectionId: z.string(), accountIds: texts, templateNames: texts }))
      .max(50),
    maxAgeSeconds: z.int().min(MIN_AGE_SECONDS),
  }),
  async (ctx, { id, uses, maxAgeSeconds }) => {
    await getWorkflow(ctx, { id });
    return askForFacts(ctx, { id, uses }, maxAgeSeconds * 1000);
  },
);

export const listOptions = action(
  'viewer',
  z.strictObject({
    kind: z.enum(['connection', 'business_account', 'phone_number', 'message_template', 'workflow']),
    connectionId: z.string().optional(),
    businessAccountId: z.string().optional(),
  }),
  listPickerOptions,
);

/** The state of the 24-hour window of the sample's customer. */
export const findWindow = action(
  'editor',
  idSchema.extend({ phoneNumberId: z.string().max(600), recipient: z.string().max(600) }),
  async (ctx, { id, ...input }) => {
    await getWorkflow(ctx, { id });
    return describeWindow(ctx, input);
  },
);
