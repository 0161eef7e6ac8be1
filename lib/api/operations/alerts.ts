import * as z from 'zod';
import {
  getWorkflowAlertSettings,
  loadAlertSettings,
  setAlertSettings,
  setWorkflowAlertSettings,
} from '#lib/alerts/stored-settings.ts';
import { loadDestinations } from '#lib/alerts/destinations/load-destinations.ts';
import {
  createDestination,
  deleteDestination,
  updateDestination,
} from '#lib/alerts/destinations/save-destination.ts';
import { destinationInputSchema, destinationSchema } from '#lib/alerts/destinations/schema.ts';
import { alertSchema, listAlerts } from '#lib/alerts/list-alerts.ts';
import { alertSettingsSchema, workflowAlertSettingsSchema } from '#lib/alerts/settings.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageQuerySchema } from '#lib/api/schemas.ts';

const tag = 'Alerts';

export const ALERT_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/alerts',
    id: 'listAlerts',
    tag,
    scope: 'read',
    summary: 'List the alerts that were sent, newest first, with the outcome of each delivery.',
    query: pageQuerySchema,
    response: pageOf(alertSchema),
    handle: (ctx, { query }) => listAlerts(ctx, query),
  }),
  defineOperation({
    method: 'GET',
    path: '/alert-destinations',
    id: 'listAlertDestinations',
    tag,
    scope: 'read',
    summary:
      'List the destinations of alerts. The first one is for the workspace’s owners; its ID is the workspace’s.',
    response: z.strictObject({ data: z.array(destinationSchema) }),
    handle: async (ctx) => {
      const destinations = await loadDestinations(ctx.db, ctx.workspaceId);
      return { data: destinations.map((destination) => ({ ...destination, kinds: [...destination.kinds] })) };
    },
  }),
  defineOperation({
    method: 'POST',
    path: '/alert-destinations',
    id: 'createAlertDestination',
    tag,
    scope: 'admin',
    summary: 'Add a destination of alerts. The secret of a webhook is in this answer only.',
    body: destinationInputSchema,
    status: 201,
    response: z.strictObject({ id: z.uuid(), secret: z.string().nullable() }),
    isTool: false,
    errors: ['conflict'],
    handle: (ctx, { body }) => createDestination(ctx, body),
  }),
  defineOperation({
    method: 'PUT',
    path: '/alert-destinations/{id}',
    id: 'updateAlertDestination',
    tag,
    scope: 'admin',
    summary: 'Change a destination of alerts. It keeps its channel.',
    body: destinationInputSchema,
    status: 204,
    errors: ['conflict'],
    handle: (ctx, { params, body }) => updateDestination(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/alert-destinations/{id}',
    id: 'deleteAlertDestination',
    tag,
    scope: 'admin',
    summary: 'Delete a destination of alerts.',
    status: 204,
    errors: ['conflict'],
    handle: (ctx, { params }) => deleteDestination(ctx, params),
  }),
  defineOperation({
    method: 'GET',
    path: '/alert-settings',
    id: 'getAlertSettings',
    tag,
    scope: 'read',
    summary: 'Get the thresholds of alerts.',
    response: alertSettingsSchema,
    handle: (ctx) => loadAlertSettings(ctx.db, ctx.workspaceId),
  }),
  defineOperation({
    method: 'PUT',
    path: '/alert-settings',
    id: 'setAlertSettings',
    tag,
    scope: 'admin',
    summary: 'Set the thresholds of alerts. Missing fields get their defaults.',
    body: alertSettingsSchema,
    response: alertSettingsSchema,
    handle: (ctx, { body }) => setAlertSettings(ctx, body),
  }),
  defineOperation({
    method: 'GET',
    path: '/workflows/{id}/alert-settings',
    id: 'getWorkflowAlertSettings',
    tag,
    scope: 'read',
    summary: 'Get what a workflow has otherwise than its workspace.',
    response: workflowAlertSettingsSchema,
    handle: (ctx, { params }) => getWorkflowAlertSettings(ctx, params),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workflows/{id}/alert-settings',
    id: 'setWorkflowAlertSettings',
    tag,
    scope: 'edit',
    summary: 'Set the destinations and kinds of a workflow’s alerts.',
    body: workflowAlertSettingsSchema,
    response: workflowAlertSettingsSchema,
    handle: (ctx, { params, body }) => setWorkflowAlertSettings(ctx, { ...body, id: params.id }),
  }),
];
