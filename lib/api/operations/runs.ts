import * as z from 'zod';
import { readTaskRun } from '#lib/screens/read-task-run.ts';
import { RUN_STATUSES } from '#lib/engine/run-types.ts';
import { cancelRun, resolveTaskRun, retryRun } from '#lib/runs/change-run.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { searchRuns } from '#lib/runs/list-runs.ts';
import {
  resolveTaskRunSchema,
  retryRunSchema,
  RUN_DELIVERIES,
  runSchema,
  runSummarySchema,
} from '#lib/runs/schema.ts';
import { idFilter, pageOf, searchQuerySchema, toPage, toTaskId } from '#lib/api/schemas.ts';
import { maskRunSummary } from '#lib/screens/run-mask.ts';
import { maskRows, maskRun } from '../mask-for-viewers.ts';
import { defineOperation, readerOf, toSearch } from '../operation.ts';

const tag = 'Runs';

const taskRunDetailSchema = z
  .strictObject({
    settings: z.array(
      z.strictObject({
        name: z.string(),
        label: z.string().meta({ description: 'As the form calls it.' }),
        set_to: z.string().meta({ description: 'The setting as it is in the workflow.' }),
        filled: z
          .string()
          .nullable()
          .meta({ description: 'With the values that its variables had; null: it has none.' }),
      }),
    ),
    response: z
      .strictObject({
        status: z.int(),
        content_type: z.string().nullable(),
        body: z.string().meta({ description: 'Of a redirect: its URL.' }),
      })
      .nullable()
      .meta({
        description: 'Of the trigger: what its caller got. Null if nobody called, or the caller still waits.',
      }),
    error: z
      .strictObject({ code: z.string(), message: z.string(), details: z.string().nullable() })
      .nullable(),
  })
  .meta({ id: 'TaskRunDetail' });

export const RUN_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/runs',
    id: 'listRuns',
    tag,
    scope: 'read',
    summary: 'List runs, newest first, without their tasks.',
    query: searchQuerySchema.extend({
      workflow_id: idFilter.optional(),
      status: z.enum(RUN_STATUSES).optional(),
      delivery: z
        .enum(RUN_DELIVERIES)
        .optional()
        .meta({ description: 'undelivered: only runs with a message that the platform reported as failed.' }),
      customer: idFilter.optional().meta({
        description:
          'Id of a customer: only runs that sent them something, or that they started or answered.',
      }),
    }),
    response: pageOf(runSummarySchema),
    maskForViewers: maskRows(maskRunSummary),
    handle: async (ctx, { query }) => toPage(await searchRuns(ctx, toSearch(ctx, query))),
  }),
  defineOperation({
    method: 'GET',
    path: '/runs/{id}',
    id: 'getRun',
    tag,
    scope: 'read',
    summary: 'Get a run with its task runs.',
    query: z.strictObject({
      tasks_offset: z.coerce
        .number()
        .int()
        .min(0)
        .max(1_000_000)
        .default(0)
        .meta({ description: 'Where the page of tasks starts.' }),
    }),
    response: runSchema,
    maskForViewers: maskRun,
    handle: (ctx, { params, query }) => getRun(ctx, { ...query, id: params.id }),
  }),
  defineOperation({
    method: 'GET',
    path: '/runs/{id}/tasks/{task_id}',
    id: 'getTaskRun',
    tag,
    scope: 'read',
    summary:
      'Get what a task of a run was given, its settings with the variables filled in, and why it failed. Secrets are masked.',
    query: z.strictObject({
      iteration: z
        .string()
        .regex(/^\d{1,9}(\.\d{1,9})*$/, 'Join the indexes by dots, such as 0.2.')
        .optional()
        .meta({
          description: 'The indexes of the loops around it, joined by dots. Left out: outside of loops.',
        }),
    }),
    response: taskRunDetailSchema,
    handle: async (ctx, { params, query: { iteration = '' } }) => {
      const id = { id: params.id, taskId: toTaskId(params.task_id), iteration };
      const { settings, response, error, errorDetails } = await readTaskRun({ ...ctx, ...readerOf(ctx) }, id);
      return {
        settings: settings.map(({ name, label, drawn, filled }) => ({ name, label, set_to: drawn, filled })),
        response: response && {
          status: response.status,
          content_type: response.contentType,
          body: response.body,
        },
        error: error && { code: error.code, message: error.message, details: errorDetails },
      };
    },
  }),
  defineOperation({
    method: 'POST',
    path: '/runs/{id}/retry',
    id: 'retryRun',
    tag,
    scope: 'run',
    summary:
      'Resume a failed or cancelled run from the task that failed, or start a new run for the same event.',
    body: retryRunSchema,
    isBodyOptional: true,
    response: runSchema,
    errors: ['conflict', 'workflow_not_active'],
    handle: (ctx, { params, body }) => retryRun(ctx, { ...body, id: params.id }),
  }),
  defineOperation({
    method: 'POST',
    path: '/runs/{id}/cancel',
    id: 'cancelRun',
    tag,
    scope: 'run',
    summary: 'Cancel a run that has not ended.',
    response: runSchema,
    errors: ['conflict'],
    handle: (ctx, { params }) => cancelRun(ctx, params),
  }),
  defineOperation({
    method: 'POST',
    path: '/runs/{id}/tasks/{task_id}/resolve',
    id: 'resolveTaskRun',
    tag,
    scope: 'run',
    summary: 'Resolve a task whose outcome is unknown, and resume the run.',
    body: resolveTaskRunSchema,
    response: runSchema,
    errors: ['conflict'],
    handle: (ctx, { params, body }) =>
      resolveTaskRun(ctx, { ...body, id: params.id, task_id: toTaskId(params.task_id) }),
  }),
];
