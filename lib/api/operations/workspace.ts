import { getWebhookRate, setWebhookRate } from '#lib/identity/workspaces/workspace-settings.ts';
import { getRetention, setRetention } from '#lib/identity/workspaces/retention.ts';
import { retentionSchema, webhookRateSchema } from '#lib/identity/workspaces/schema.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Workspace';

export const WORKSPACE_OPERATIONS = [
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
];
