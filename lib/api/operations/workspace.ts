import * as z from 'zod';
import { getWebhookRate, setWebhookRate } from '#lib/identity/workspaces/workspace-settings.ts';
import { getRetention, setRetention } from '#lib/identity/workspaces/retention.ts';
import { newWorkspaceTimeSchema, workspaceTimeSchema } from '#lib/identity/schema/time-types.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { changeWorkspaceTime } from '#lib/workflows/change-workspace-time.ts';
import { retentionSchema, webhookRateSchema } from '#lib/identity/workspaces/schema.ts';
import { limitRunsSchema } from '#lib/workflows/schema.ts';
import { getWorkspaceRunLimit, setWorkspaceRunLimit } from '#lib/workflows/lifecycle.ts';
import { previewRetention } from '#lib/workflows/retention/read-stored.ts';
import { STORED_KINDS } from '#lib/workflows/retention/stored-types.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Workspace';

const dueSchema = z
  .strictObject({
    kind: z.enum(STORED_KINDS).meta({
      description:
        '`bodies`: contents of events and runs. `runs`: runs with their events. `messages`: sent messages. `received`: that customers sent messages, without what they wrote. `windows`: when customers last wrote. `names`: numbers and user IDs of customers. `audit`: entries of the audit log.',
    }),
    rows: z.int().meta({
      description: 'How many. Runs in progress and the newest events of each workflow are counted, but stay.',
    }),
    is_estimate: z.boolean().meta({ description: 'More than 1,000 are estimated.' }),
    oldest_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the oldest of them was stored; null: there are none.' }),
  })
  .meta({ id: 'RetentionDue' });

export const WORKSPACE_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/workspace/time',
    id: 'getWorkspaceTime',
    tag,
    scope: 'read',
    summary: 'Get the time zone of the workspace, its calendars of opening hours, and its quiet hours.',
    response: workspaceTimeSchema,
    handle: (ctx) => getWorkspaceTime(ctx),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workspace/time',
    id: 'setWorkspaceTime',
    tag,
    scope: 'admin',
    summary:
      'Replace the time zone of the workspace, its calendars of opening hours, and its quiet hours. Messages that wait for the end of quiet hours follow the new ones.',
    body: newWorkspaceTimeSchema,
    response: workspaceTimeSchema,
    handle: (ctx, { body }) => changeWorkspaceTime(ctx, body),
  }),
  defineOperation({
    method: 'GET',
    path: '/workspace/webhook-rate',
    id: 'getWebhookRate',
    tag,
    scope: 'read',
    summary: 'Get the webhook rate limit of the workspace.',
    response: webhookRateSchema,
    handle: (ctx) => getWebhookRate(ctx),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workspace/webhook-rate',
    id: 'setWebhookRate',
    tag,
    scope: 'admin',
    summary: 'Set the webhook rate limit of the workspace. It takes effect within a second.',
    body: webhookRateSchema,
    response: webhookRateSchema,
    handle: (ctx, { body }) => setWebhookRate(ctx, body),
  }),
  defineOperation({
    method: 'GET',
    path: '/workspace/run-limit',
    id: 'getWorkspaceRunLimit',
    tag,
    scope: 'read',
    summary: 'Get how many runs of the workspace are executed at once.',
    response: limitRunsSchema,
    handle: (ctx) => getWorkspaceRunLimit(ctx),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workspace/run-limit',
    id: 'setWorkspaceRunLimit',
    tag,
    scope: 'admin',
    summary:
      'Set how many runs of the workspace are executed at once, over all its workflows. Runs that another run calls do not count.',
    body: limitRunsSchema,
    response: limitRunsSchema,
    handle: (ctx, { body }) => setWorkspaceRunLimit(ctx, body),
  }),
  defineOperation({
    method: 'GET',
    path: '/workspace/retention',
    id: 'getRetention',
    tag,
    scope: 'read',
    summary: 'Get how long the data of the workspace is kept.',
    response: retentionSchema,
    handle: (ctx) => getRetention(ctx),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workspace/retention',
    id: 'setRetention',
    tag,
    scope: 'admin',
    summary:
      'Set how long the data of the workspace is kept. What is older is deleted from the next minutes on and cannot be restored.',
    body: retentionSchema,
    response: retentionSchema,
    handle: (ctx, { body }) => setRetention(ctx, body),
  }),
  defineOperation({
    method: 'POST',
    path: '/workspace/retention/preview',
    id: 'previewRetention',
    tag,
    scope: 'admin',
    summary: 'Preview a retention without setting it: what it would delete now, of each kind of data.',
    body: retentionSchema,
    response: z.strictObject({ data: z.array(dueSchema) }),
    handle: async (ctx, { body }) => {
      const due = await previewRetention(ctx, body);
      return {
        data: due.map(({ kind, rows, isEstimate, oldestAt }) => ({
          kind,
          rows,
          is_estimate: isEstimate,
          oldest_at: oldestAt,
        })),
      };
    },
  }),
];
